// The frame of every panel: top bar, content, details beside or below it, one status line.

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, IconButton } from '../controls/elements';
import { usePage } from '../page/page';
import { type Size, useSize } from './size';
import { prediction } from '../text/basis';

/** Narrower pages, such as the side bar, have their details below. */
const BESIDE_FROM_PX = 760;

/** Lower pages, such as a part of the side bar, leave most of their height to the content. */
const LOW_BELOW_PX = 400;

/** Still lower ones, such as a tab above a terminal, have beside each other what else is below, where they are wide. */
const FLAT_BELOW_PX = 280;
const FLAT_FROM_WIDTH_PX = 480;

export function Frame(props: {
  /** Run · host and device · module or program · step range; shorter facts first where there is little room. */
  readonly facts: readonly string[];
  /** Controls of the top bar's end. */
  readonly controls?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly details: ComponentChildren;
  /** Whether the details are of something that was chosen: then they are shown below as well, until it is let go. */
  readonly isChosen?: boolean;
  /** Lets go of what was chosen: Escape wherever the focus is, unless what has it made something of the key itself. */
  readonly onLetGo?: () => void;
  /** What is shown, what is filtered out, how long it took. */
  readonly status: ComponentChildren;
}) {
  const { isChosen = false, onLetGo } = props;
  const { saved } = usePage();
  const device = prediction()?.device;
  // The end of the bar says it.
  const said = device === undefined ? '' : ` · ${predictedFor(device)}`;
  const facts = props.facts.map((fact) => (fact.endsWith(said) ? fact.slice(0, fact.length - said.length) : fact));
  const element = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLElement>(null);
  const size = useSize(element);
  const isBeside = (size?.width_px ?? 0) >= BESIDE_FROM_PX;
  // Beside there is room; below, details take it from the content, so they are shown when there is a reason to.
  const isOpen = saved.signal<boolean | null>('frame.details', null);
  const showsDetails = isOpen.value ?? (isBeside || isChosen);
  useLayoutEffect(() => {
    // What was pressed stays in sight where details take their room from it.
    const focused = document.activeElement;
    if (showsDetails && content.current?.contains(focused) === true) {
      focused?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  }, [showsDetails]);
  useEffect(() => {
    const down = (event: KeyboardEvent): void => {
      const isMeant = event.key === 'Escape' && !event.defaultPrevented && isChosen;
      if (isMeant && onLetGo !== undefined && element.current?.isConnected === true) {
        event.preventDefault();
        onLetGo();
      }
    };
    document.addEventListener('keydown', down);
    return () => document.removeEventListener('keydown', down);
  });
  return (
    <div class={`frame ${isBeside ? 'beside' : 'below'} ${heightClass(size)}`.trimEnd()} ref={element}>
      <header class="top-bar">
        <p class="facts ellipsis" title={facts.join(' · ')}>
          {facts.map((fact, position) => (
            <span key={fact} class={position === 0 ? 'run' : ''}>
              {fact}
            </span>
          ))}
        </p>
        <PredictedFor />
        {props.controls}
        <IconButton
          icon={isBeside ? 'layout-sidebar-right' : 'layout-panel'}
          label={showsDetails ? l10n.t('Hide Details') : l10n.t('Show Details')}
          pressed={showsDetails}
          onPress={() => (isOpen.value = !showsDetails)}
        />
      </header>
      <div class="middle">
        <main ref={content}>{props.children}</main>
        {showsDetails ? (
          <aside class={`details ${isChosen ? 'chosen' : ''}`} aria-label={l10n.t('Details')} tabIndex={-1}>
            {props.details}
          </aside>
        ) : null}
      </div>
      <div
        class="status-line ellipsis"
        role="status"
        {...(typeof props.status === 'string' ? { title: props.status } : {})}
      >
        {props.status}
      </div>
    </div>
  );
}

function predictedFor(device: string): string {
  return l10n.t('predicted for {0}', device);
}

/** For which device times are predicted, where nothing of them ran on one. */
function PredictedFor() {
  const known = prediction();
  return known === null ? null : (
    <p class="predicted-for" title={known.sentences.join('\n')}>
      <Icon name="telescope" /> {predictedFor(known.device)}
    </p>
  );
}

function heightClass(size: Size | null): string {
  if (size === null || size.height_px === 0 || size.height_px >= LOW_BELOW_PX) {
    return '';
  }
  return size.height_px < FLAT_BELOW_PX && size.width_px >= FLAT_FROM_WIDTH_PX ? 'low flat' : 'low';
}

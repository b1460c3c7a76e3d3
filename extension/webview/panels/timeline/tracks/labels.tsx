// The names of sections and tracks, beside their rows: they collapse and open them and have their menus.

import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import type { TargetedMouseEvent } from 'preact';
import { Icon } from '../../../shared/controls/elements';
import { count, isolated } from '../../../shared/text/format';
import { px } from '../drawing/place';
import { type Layout, type Place, type SectionPlace, SECTION_PX, type TrackPlace } from '../state/layout';
import type { TimelineState } from '../state/state';

/** Opens the menu of a section or track, by its id, at a place of the page. */
export type OnTrackMenu = (id: string, x_px: number, y_px: number) => void;

interface LabelsProps {
  readonly state: TimelineState;
  readonly layout: { readonly value: Layout };
  readonly onTrackMenu: OnTrackMenu;
}

/** Labels are made anew once one has scrolled so far, and for as much beyond what is in sight. */
const CHUNK_PX = 400;

export function Labels(props: LabelsProps) {
  const { state } = props;
  const layout = props.layout.value;
  const chunk = useComputed(() => Math.floor(state.scroll_px.value / CHUNK_PX)).value;
  const { height_px } = state.size.value;
  const pinned = layout.places.filter((place) => place.top_px < layout.pinned_px);
  const first_px = layout.pinned_px + (chunk - 1) * CHUNK_PX;
  const last_px = first_px + height_px + 3 * CHUNK_PX;
  const scrolled = layout.places.filter(
    (place) => place.top_px >= layout.pinned_px && place.top_px + place.height_px > first_px && place.top_px < last_px,
  );
  return (
    <div class="labels" role="group" aria-label={l10n.t('Tracks')}>
      <div class="pinned" style={{ height: px(layout.pinned_px) }}>
        <List {...props} places={pinned} from_px={0} />
      </div>
      <div class="scrolled">
        <Scrolled state={state}>
          <List {...props} places={scrolled} from_px={layout.pinned_px} />
        </Scrolled>
      </div>
    </div>
  );
}

/** Moves its content without making it anew. */
function Scrolled(props: { readonly state: TimelineState; readonly children: preact.ComponentChildren }) {
  return <div style={{ transform: `translateY(${String(-props.state.scroll_px.value)}px)` }}>{props.children}</div>;
}

function List(props: LabelsProps & { readonly places: readonly Place[]; readonly from_px: number }) {
  return (
    <>
      {props.places.map((place) =>
        place.kind === 'section' ? (
          <SectionLabel key={`section ${place.section?.id ?? ''}`} {...props} place={place} />
        ) : (
          <TrackLabel key={`track ${place.track.id}`} {...props} place={place} />
        ),
      )}
    </>
  );
}

type LabelProps<Of extends Place> = LabelsProps & { readonly place: Of; readonly from_px: number };

function SectionLabel({ state, place, from_px, onTrackMenu }: LabelProps<SectionPlace>) {
  const { section, collapsed } = place;
  const style = { top: px(place.top_px - from_px), height: px(SECTION_PX) };
  if (section === null) {
    return (
      <div class="label section" style={style}>
        <Icon name="pinned" />
        <span class="name ellipsis">{l10n.t('Pinned')}</span>
      </div>
    );
  }
  return (
    <div
      class="label section"
      style={style}
      title={section.name}
      onContextMenu={(event) => openMenu(event, section.id, onTrackMenu)}
    >
      <Chevron name={section.name} collapsed={collapsed} onToggle={() => state.toggleCollapsed(section.id)} />
      <span class="name ellipsis">{section.name}</span>
      <More id={section.id} name={section.name} onTrackMenu={onTrackMenu} />
    </div>
  );
}

function TrackLabel({ state, place, from_px, onTrackMenu }: LabelProps<TrackPlace>) {
  const { track, section, collapsed, pinned } = place;
  const collapses = place.depths > 1 || track.kind === 'counter';
  const isAway = pinned && place.top_px >= 0;
  return (
    <div
      class={`label track ${track.kind}`}
      style={{ top: px(place.top_px - from_px), height: px(place.height_px) }}
      title={trackTitle(place)}
      onContextMenu={(event) => openMenu(event, track.id, onTrackMenu)}
    >
      {collapses ? (
        <Chevron name={track.name} collapsed={collapsed} onToggle={() => state.toggleCollapsed(track.id)} />
      ) : (
        <span class="no-chevron" />
      )}
      <span class="name ellipsis">
        <bdi>{track.name}</bdi>
        {isAway ? (
          <span class="quiet">
            {' '}
            <bdi>{section.name}</bdi>
          </span>
        ) : null}
      </span>
      {isAway ? <Icon name="pinned" label={l10n.t('Pinned')} /> : null}
      <More id={track.id} name={track.name} onTrackMenu={onTrackMenu} />
    </div>
  );
}

/** The name, where it is, what it does and how much is in it. */
function trackTitle({ track, section, depths }: TrackPlace): string {
  const one = track.kind === 'counter' ? l10n.t('1 value') : l10n.t('1 event');
  const many =
    track.kind === 'counter' ? l10n.t('{0} values', count(track.events)) : l10n.t('{0} events', count(track.events));
  const events = track.events === 1 ? one : many;
  const rows = depths > 1 ? l10n.t('{0} rows', count(depths)) : '';
  return [`${isolated(section.name)} · ${isolated(track.name)}`, workName(track.work), events, rows]
    .filter(Boolean)
    .join('\n');
}

function workName(work: TrackPlace['track']['work']): string {
  return work === null
    ? ''
    : {
        python: l10n.t('Python'),
        input: l10n.t('input pipeline'),
        compile: l10n.t('compilation'),
        transfer: l10n.t('transfers'),
        ops: l10n.t('ops'),
        other: '',
      }[work];
}

function Chevron(props: { readonly name: string; readonly collapsed: boolean; readonly onToggle: () => void }) {
  const { name, collapsed, onToggle } = props;
  return (
    <LabelButton
      class="chevron"
      icon={collapsed ? 'chevron-right' : 'chevron-down'}
      label={collapsed ? l10n.t('Expand {0}', name) : l10n.t('Collapse {0}', name)}
      aria-expanded={!collapsed}
      onClick={onToggle}
    />
  );
}

function More(props: { readonly id: string; readonly name: string; readonly onTrackMenu: OnTrackMenu }) {
  return (
    <LabelButton
      class="more"
      icon="ellipsis"
      label={l10n.t('More of {0}', props.name)}
      aria-haspopup="menu"
      onClick={(event) => {
        const { left, bottom } = event.currentTarget.getBoundingClientRect();
        props.onTrackMenu(props.id, left, bottom);
      }}
    />
  );
}

function LabelButton(props: {
  readonly class: string;
  readonly icon: string;
  readonly label: string;
  readonly 'aria-expanded'?: boolean;
  readonly 'aria-haspopup'?: 'menu';
  readonly onClick: (event: TargetedMouseEvent<HTMLButtonElement>) => void;
}) {
  const { icon, label, ...attributes } = props;
  return (
    <button type="button" aria-label={label} title={label} {...attributes}>
      <Icon name={icon} />
    </button>
  );
}

function openMenu(event: MouseEvent, id: string, onTrackMenu: OnTrackMenu): void {
  event.preventDefault();
  // A keyboard has no place: the menu opens at the label then.
  const { left, bottom } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const isByKeyboard = event.clientX === 0 && event.clientY === 0;
  onTrackMenu(id, isByKeyboard ? left : event.clientX, isByKeyboard ? bottom : event.clientY);
}

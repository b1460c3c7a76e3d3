// The controls above the picture: tools and search, then what is shown in which colours. Two rows where one is too narrow,
// never more: what there is no room for is in the menu of all actions too.

import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { IconButton, SearchField } from '../../../shared/controls/elements';
import { count } from '../../../shared/text/format';
import { Select } from '../../../shared/controls/select';
import { type Action, keyText } from '../actions/action';
import { colouringName, mostLevels } from '../actions/appearance';
import type { Timeline } from '../state/controller';
import { SearchBox } from './searchBox';
import { COLOURINGS, TOOLS, type Tool } from '../state/state';
import { stepAt } from '../state/steps';
import { middleOf } from '../state/viewport';

const TOOL_ICONS: Readonly<Record<Tool, string>> = {
  select: 'inspect',
  pan: 'move',
  zoom: 'zoom-in',
  timing: 'symbol-ruler',
};

export function Toolbar(props: {
  readonly timeline: Timeline;
  readonly actions: readonly Action[];
  readonly searchRef: RefObject<{ readonly focus: () => void } | null>;
  readonly onLeaveSearch: () => void;
  readonly onMore: (x_px: number, y_px: number) => void;
}) {
  const { timeline } = props;
  const { state } = timeline;
  return (
    <div class="timeline-tools">
      <div class="tool-row">
        <div class="tool-group">
          <Tools timeline={timeline} actions={props.actions} />
          <SearchBox timeline={timeline} focusRef={props.searchRef} onLeave={props.onLeaveSearch} />
          <Steps timeline={timeline} actions={props.actions} />
          <NextGap timeline={timeline} actions={props.actions} />
        </div>
        <div class="tool-group shown">
          <SearchField
            label={l10n.t('Filter tracks')}
            value={state.filter.value}
            onChange={(text) => (state.filter.value = text)}
            onLeave={props.onLeaveSearch}
          />
          <Sections timeline={timeline} />
          <Select
            label={l10n.t('Colours')}
            options={COLOURINGS.map((each) => ({ value: each, label: colouringName(each) }))}
            value={state.colouring.value}
            onChange={(chosen) => (state.colouring.value = chosen)}
          />
          <Levels timeline={timeline} />
          <IconButton
            icon="table"
            label={l10n.t('Table of Events')}
            pressed={timeline.showsTable.value}
            onPress={() => (timeline.showsTable.value = !timeline.showsTable.value)}
          />
          <span
            class="more"
            onClick={(event) => {
              const box = event.currentTarget.getBoundingClientRect();
              props.onMore(box.left, box.bottom);
            }}
          >
            <IconButton icon="ellipsis" label={l10n.t('All Actions')} onPress={() => undefined} />
          </span>
        </div>
      </div>
    </div>
  );
}

/** A button for an action, named by it and its key. */
function ActionButton(props: { readonly action: Action; readonly icon: string; readonly pressed?: boolean }) {
  const { action, icon, pressed } = props;
  return (
    <IconButton
      icon={icon}
      label={labelWithKey(action)}
      {...(pressed === undefined ? {} : { pressed })}
      onPress={action.run}
    />
  );
}

function labelWithKey({ label, keys }: Action): string {
  return `${label} (${keys.map(keyText).join(', ')})`;
}

function Tools(props: { readonly timeline: Timeline; readonly actions: readonly Action[] }) {
  const { tool } = props.timeline.state;
  return (
    <div class="tools" role="group" aria-label={l10n.t('Tools')}>
      {props.actions.map((action) => {
        const own = TOOLS.find((each) => each === action.id);
        return own === undefined ? null : (
          <ActionButton key={own} action={action} icon={TOOL_ICONS[own]} pressed={tool.value === own} />
        );
      })}
    </div>
  );
}

/** Which step is in sight, and the way to the one before and the next. */
function Steps(props: { readonly timeline: Timeline; readonly actions: readonly Action[] }) {
  const { record, view } = props.timeline.state;
  const steps = record.value?.steps ?? null;
  const [previous, next, zoom] = ['previousStep', 'nextStep', 'zoomToStep'].map((id) =>
    props.actions.find((action) => action.id === id),
  );
  if (steps === null || steps.start_ps.length === 0 || !previous || !next || !zoom) {
    return null;
  }
  const step = stepAt(steps, middleOf(view.value));
  return (
    <div class="steps" role="group" aria-label={l10n.t('Steps')}>
      <ActionButton action={previous} icon="chevron-left" />
      <button type="button" class="toggle" title={labelWithKey(zoom)} onClick={zoom.run}>
        {l10n.t('Step {0} of {1}', step === null ? '–' : count(step + 1), count(steps.start_ps.length))}
      </button>
      <ActionButton action={next} icon="chevron-right" />
    </div>
  );
}

/** The way to the next time in which a device was idle. */
function NextGap(props: { readonly timeline: Timeline; readonly actions: readonly Action[] }) {
  const action = props.actions.find(({ id }) => id === 'nextGap');
  return action === undefined || !props.timeline.gaps.isKnown ? null : (
    <ActionButton action={action} icon="debug-step-over" />
  );
}

function Sections(props: { readonly timeline: Timeline }) {
  const { record, section } = props.timeline.state;
  const sections = record.value?.sections ?? [];
  if (sections.length < 2) {
    return null;
  }
  return (
    <Select
      label={l10n.t('Show')}
      options={[
        { value: '', label: l10n.t('All devices and hosts') },
        ...sections.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={section.value ?? ''}
      onChange={(chosen) => (section.value = chosen === '' ? null : chosen)}
    />
  );
}

function Levels(props: { readonly timeline: Timeline }) {
  const { record, levels } = props.timeline.state;
  const deepest = mostLevels(record.value);
  if (deepest === 0) {
    return null;
  }
  return (
    <Select
      label={l10n.t('Scopes')}
      options={Array.from({ length: deepest + 1 }, (_, level) => ({
        value: String(level),
        label: level === 0 ? l10n.t('none') : level === 1 ? l10n.t('1 level') : l10n.t('{0} levels', count(level)),
      }))}
      value={String(Math.min(levels.value, deepest))}
      onChange={(chosen) => (levels.value = Number(chosen))}
    />
  );
}

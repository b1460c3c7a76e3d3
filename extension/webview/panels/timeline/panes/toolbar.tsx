// The controls above the picture: tools and search, then what is shown in which colours. Two rows where one is too narrow,
// never more: what there is no room for is in the menu of all actions too.

import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { IconButton, SearchField } from '../../../shared/controls/elements';
import { count } from '../../../shared/text/format';
import { Select } from '../../../shared/controls/select';
import { type Action, keyText } from '../actions/action';
import { toolName } from '../actions/tools';
import { colouringName, mostLevels } from '../actions/appearance';
import type { Timeline } from '../state/controller';
import { SearchBox } from './searchBox';
import { COLOURINGS, TOOLS, type Tool } from '../state/state';
import { stepInSight } from '../tools/steps';

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
          <Tools timeline={timeline} />
          <SearchBox timeline={timeline} focusRef={props.searchRef} onLeave={props.onLeaveSearch} />
          <Steps timeline={timeline} actions={props.actions} />
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

function Tools(props: { readonly timeline: Timeline }) {
  const { tool } = props.timeline.state;
  return (
    <div class="tools" role="group" aria-label={l10n.t('Tools')}>
      {TOOLS.map((each, place) => (
        <IconButton
          key={each}
          icon={TOOL_ICONS[each]}
          label={`${toolName(each)} (${String(place + 1)})`}
          pressed={tool.value === each}
          onPress={() => (tool.value = each)}
        />
      ))}
    </div>
  );
}

/** Which step is in sight, and the way to the one before and the next. */
function Steps(props: { readonly timeline: Timeline; readonly actions: readonly Action[] }) {
  const { record, view } = props.timeline.state;
  const steps = record.value?.steps ?? null;
  if (steps === null || steps.start_ps.length === 0) {
    return null;
  }
  const step = stepInSight(steps, view.value);
  const press = (id: string) => () => props.actions.find((action) => action.id === id)?.run();
  const label = (text: string, key: string): string => `${text} (${keyText(key)})`;
  return (
    <div class="steps" role="group" aria-label={l10n.t('Steps')}>
      <IconButton icon="chevron-left" label={label(l10n.t('Previous Step'), '[')} onPress={press('previousStep')} />
      <button type="button" class="toggle" title={label(l10n.t('Zoom to Step'), 'z')} onClick={press('zoomToStep')}>
        {l10n.t('Step {0} of {1}', step < 0 ? '–' : count(step + 1), count(steps.start_ps.length))}
      </button>
      <IconButton icon="chevron-right" label={label(l10n.t('Next Step'), ']')} onPress={press('nextStep')} />
    </div>
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

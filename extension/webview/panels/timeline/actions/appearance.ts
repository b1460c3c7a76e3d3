// How the picture looks by a person's choice: what colours mean, how many levels of scopes are shown, which tracks are
// open, which tool is in hand.

import * as l10n from '@vscode/l10n';
import { greatest } from '../../../shared/table/greatest';
import type { TimelineRecord } from '../../../../src/protocol';
import { action, type ActionOfGroup } from './action';
import type { Timeline } from '../state/controller';
import { type Colouring, COLOURINGS, type Tool, TOOLS } from '../state/state';

/** More levels than this are not told apart any more. */
const MOST_LEVELS = 8;

export function colouringName(colouring: Colouring): string {
  return {
    phase: l10n.t('phase'),
    name: l10n.t('name'),
    scope: l10n.t('scope'),
    step: l10n.t('step'),
  }[colouring];
}

/** How many levels of scopes can be shown: none where the run has no scopes. */
export function mostLevels(record: TimelineRecord | null): number {
  const scopes = (record?.sections ?? []).flatMap(({ tracks }) => tracks.filter(({ kind }) => kind === 'scopes'));
  return Math.min(
    MOST_LEVELS,
    greatest(scopes, ({ depths }) => depths ?? MOST_LEVELS),
  );
}

/** The same as the lists of the toolbar do, for where there is no room for those. */
export function appearanceActions({ state }: Timeline): readonly ActionOfGroup[] {
  const { colouring, section, record } = state;
  const levels = (): number => Math.min(state.levels.value, mostLevels(record.value));
  return [
    ...COLOURINGS.map((each) =>
      action(`colour ${each}`, l10n.t('Colour by {0}', colouringName(each)), [], () => (colouring.value = each), {
        isOffered: () => colouring.value !== each,
      }),
    ),
    action('moreLevels', l10n.t('Show One More Level of Scopes'), [], () => (state.levels.value = levels() + 1), {
      isOffered: () => levels() < mostLevels(record.value),
    }),
    action('fewerLevels', l10n.t('Show One Level of Scopes Fewer'), [], () => (state.levels.value = levels() - 1), {
      isOffered: () => levels() > 0,
    }),
    action('allSections', l10n.t('Show All Devices and Hosts'), [], () => (section.value = null), {
      isOffered: () => section.value !== null,
    }),
  ];
}

/** Which tracks are open, and in which order they are. */
export function trackActions({ state }: Timeline): readonly ActionOfGroup[] {
  const { record, collapsed, order, pinned } = state;
  const collapse = (): void => {
    const sections = record.value?.sections.map(({ id }) => id) ?? [];
    collapsed.value = [...new Set([...collapsed.value, ...sections])];
  };
  return [
    action('collapse', l10n.t('Collapse All Sections'), [], collapse),
    action('expand', l10n.t('Expand All Sections and Tracks'), [], () => (collapsed.value = []), {
      isOffered: () => collapsed.value.length > 0,
    }),
    action('reset', l10n.t('Reset Order and Pins'), [], () => (order.value = pinned.value = []), {
      isOffered: () => order.value.length > 0 || pinned.value.length > 0,
    }),
  ];
}

/** Which tool the pointer is. */
export function toolActions({ state }: Timeline): readonly ActionOfGroup[] {
  return TOOLS.map((tool, place) => action(tool, toolName(tool), [String(place + 1)], () => (state.tool.value = tool)));
}

function toolName(tool: Tool): string {
  return {
    select: l10n.t('Select'),
    pan: l10n.t('Pan'),
    zoom: l10n.t('Zoom'),
    timing: l10n.t('Mark Intervals'),
  }[tool];
}

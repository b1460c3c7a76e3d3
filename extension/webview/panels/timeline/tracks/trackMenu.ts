// The menu of a section's or a track's label: collapse, pin, order, and what to do with its events.

import * as l10n from '@vscode/l10n';
import type { MenuItem } from '../../../shared/controls/menu';
import { moved } from '../state/arrangement';
import type { Timeline } from '../state/controller';

export function trackMenu(timeline: Timeline, id: string): readonly MenuItem[] {
  const { state, selecting } = timeline;
  const sections = state.record.value?.sections ?? [];
  const section = sections.find((each) => each.id === id || each.tracks.some((track) => track.id === id));
  if (section === undefined) {
    return [];
  }
  const isSection = section.id === id;
  const siblings: readonly { readonly id: string }[] = isSection ? sections : section.tracks;
  const tracks = isSection ? section.tracks.map((track) => track.id) : [id];
  const isAlone = state.section.value === id;
  const move = (by: -1 | 1) => () => (state.order.value = moved(siblings, state.order.value, id, by));
  return [
    {
      label: state.collapsed.value.includes(id) ? l10n.t('Expand') : l10n.t('Collapse'),
      run: () => state.toggleCollapsed(id),
    },
    isSection
      ? {
          label: isAlone ? l10n.t('Show All Sections') : l10n.t('Show This Section Alone'),
          run: () => (state.section.value = isAlone ? null : id),
        }
      : {
          label: state.pinned.value.includes(id) ? l10n.t('Unpin') : l10n.t('Pin to the Top'),
          run: () => state.togglePinned(id),
        },
    ...(siblings.length < 2
      ? []
      : [
          { label: l10n.t('Move Up'), run: move(-1), startsGroup: true },
          { label: l10n.t('Move Down'), run: move(1) },
        ]),
    {
      label: l10n.t('Select Its Events in Sight'),
      run: () => selecting.span({ ...state.view.value, tracks }),
      startsGroup: true,
    },
    ...(timeline.canExport
      ? [{ label: l10n.t('Export Its Events…'), run: () => timeline.export('scopelight.exportTimeline', null, tracks) }]
      : []),
  ];
}

// The menu of a section's or a track's label: collapse, pin, order, and what to do with its events.

import * as l10n from '@vscode/l10n';
import type { SectionRecord } from '../../../../src/protocol';
import type { MenuItem } from '../../../shared/controls/menu';
import { moved } from '../state/arrangement';
import type { Timeline } from '../state/controller';

export function trackMenu(timeline: Timeline, id: string): readonly MenuItem[] {
  const sections = timeline.state.record.value?.sections ?? [];
  const asSection = sections.find((section) => section.id === id);
  if (asSection !== undefined) {
    return sectionItems(timeline, asSection, sections);
  }
  const section = sections.find(({ tracks }) => tracks.some((track) => track.id === id));
  return section === undefined ? [] : trackItems(timeline, id, section);
}

function sectionItems(
  timeline: Timeline,
  section: SectionRecord,
  sections: readonly SectionRecord[],
): readonly MenuItem[] {
  const { state, selecting } = timeline;
  const isAlone = state.section.value === section.id;
  return [
    collapseItem(timeline, section.id),
    {
      label: isAlone ? l10n.t('Show All Sections') : l10n.t('Show This Section Alone'),
      run: () => (state.section.value = isAlone ? null : section.id),
    },
    ...moveItems(timeline, section.id, sections),
    {
      label: l10n.t('Select Its Events in Sight'),
      run: () => selecting.span({ ...state.view.value, tracks: section.tracks.map((track) => track.id) }),
      startsGroup: true,
    },
    {
      label: l10n.t('Export Its Events…'),
      run: () =>
        timeline.export(
          'scopelight.exportTimeline',
          null,
          section.tracks.map((track) => track.id),
        ),
    },
  ];
}

function trackItems(timeline: Timeline, id: string, section: SectionRecord): readonly MenuItem[] {
  const { state, selecting } = timeline;
  return [
    collapseItem(timeline, id),
    {
      label: state.pinned.value.includes(id) ? l10n.t('Unpin') : l10n.t('Pin to the Top'),
      run: () => state.togglePinned(id),
    },
    ...moveItems(timeline, id, section.tracks),
    {
      label: l10n.t('Select Its Events in Sight'),
      run: () => selecting.span({ ...state.view.value, tracks: [id] }),
      startsGroup: true,
    },
    {
      label: l10n.t('Export Its Events…'),
      run: () => timeline.export('scopelight.exportTimeline', null, [id]),
    },
  ];
}

function collapseItem({ state }: Timeline, id: string): MenuItem {
  return {
    label: state.collapsed.value.includes(id) ? l10n.t('Expand') : l10n.t('Collapse'),
    run: () => state.toggleCollapsed(id),
  };
}

function moveItems({ state }: Timeline, id: string, siblings: readonly { readonly id: string }[]): readonly MenuItem[] {
  const item = (label: string, by: -1 | 1, startsGroup: boolean): MenuItem => ({
    label,
    run: () => (state.order.value = moved(siblings, state.order.value, id, by)),
    startsGroup,
  });
  return siblings.length < 2 ? [] : [item(l10n.t('Move Up'), -1, true), item(l10n.t('Move Down'), 1, false)];
}

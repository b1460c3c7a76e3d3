// What of a timeline is written to a file.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { type Action, always } from './action';

export function exportActions(timeline: Timeline): readonly Action[] {
  const { state, selecting } = timeline;
  return [
    {
      id: 'exportWindow',
      group: 'export',
      label: l10n.t('Export What Is in Sight…'),
      keys: [],
      run: () => timeline.export('scopelight.exportTimeline', state.view.value, timeline.shownTracks),
      isOffered: always,
    },
    {
      id: 'exportSelection',
      group: 'export',
      label: l10n.t('Export the Selection…'),
      keys: [],
      run: () =>
        timeline.export('scopelight.exportTimeline', selecting.selected, state.selectedSpan.value?.tracks ?? null),
      isOffered: () => selecting.selected !== null,
    },
    {
      id: 'exportRun',
      group: 'export',
      label: l10n.t('Export All…'),
      keys: [],
      run: () => timeline.export('scopelight.exportTimeline', null, null),
      isOffered: always,
    },
    {
      id: 'perfetto',
      group: 'export',
      label: l10n.t('Open in Perfetto'),
      keys: [],
      run: () => timeline.export('scopelight.openInPerfetto', null, null),
      isOffered: always,
    },
  ];
}

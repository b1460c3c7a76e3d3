// What of a timeline is written to a file.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import type { ActionOfGroup } from './action';

export function exportActions(timeline: Timeline): readonly ActionOfGroup[] {
  const { state, selecting } = timeline;
  return [
    {
      id: 'exportWindow',
      label: l10n.t('Export What Is in Sight…'),
      run: () => timeline.export('scopelight.exportTimeline', state.view.value, timeline.shownTracks),
    },
    {
      id: 'exportSelection',
      label: l10n.t('Export the Selection…'),
      run: () =>
        timeline.export('scopelight.exportTimeline', selecting.selected, state.selectedSpan.value?.tracks ?? null),
      isOffered: () => selecting.selected !== null,
    },
    {
      id: 'exportRun',
      label: l10n.t('Export All…'),
      run: () => timeline.export('scopelight.exportTimeline', null, null),
    },
    {
      id: 'perfetto',
      label: l10n.t('Open in Perfetto'),
      run: () => timeline.export('scopelight.openInPerfetto', null, null),
    },
  ];
}

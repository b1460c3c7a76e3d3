// What of a timeline is written to a file.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { action, type ActionOfGroup } from './action';

export function exportActions(timeline: Timeline): readonly ActionOfGroup[] {
  const { state, selecting } = timeline;
  if (!timeline.canExport) {
    return [];
  }
  const exportSelection = (): void =>
    timeline.export('scopelight.exportTimeline', selecting.selected, state.selectedSpan.value?.tracks ?? null);
  return [
    action('exportWindow', l10n.t('Export What Is in Sight…'), [], () =>
      timeline.export('scopelight.exportTimeline', state.view.value, timeline.shownTracks),
    ),
    action('exportSelection', l10n.t('Export the Selection…'), [], exportSelection, {
      isOffered: () => selecting.selected !== null,
    }),
    action('exportRun', l10n.t('Export All…'), [], () => timeline.export('scopelight.exportTimeline', null, null)),
    action('perfetto', l10n.t('Open in Perfetto'), [], () => timeline.export('scopelight.openInPerfetto', null, null)),
  ];
}

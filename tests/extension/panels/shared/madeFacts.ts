import type { HostFacts } from '../../../../extension/src/panels/messages';
import { opened } from '../../features/openedRun';

/** What a host tells a page of the window: a run is shown, and nothing of it is selected. */
export const someFacts: HostFacts = {
  shownRun: opened('/runs/a'),
  shownRunGeneration: 1,
  comparison: null,
  comparisonGeneration: 0,
  capturedRun: null,
  placesGeneration: 0,
  recordsGeneration: 0,
  fileGeneration: 0,
  isFileGone: false,
  isReport: false,
  daemonState: 'running',
  selection: null,
  selectionGeneration: 0,
  queries: [],
  trusted: true,
  scope: 'steps',
};

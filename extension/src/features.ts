import * as vscode from 'vscode';
import { registerLanguageModelTools } from './agents/languageModelTools';
import { registerMcpServer } from './agents/mcpServer';
import { lineAtCursor, type RecordedLine } from './lines/annotatedLine';
import { registerAnnotationMode } from './lines/annotationMode';
import { TextAnnotations } from './lines/annotations';
import { Captures } from './capture/captures';
import { registerCopyAsMarkdown } from './lines/copyAsMarkdown';
import { registerExportTimeline } from './panels/exportTimeline';
import { registerGoToLine } from './lines/goToLine';
import { RecordedSources } from './lines/recordedSource';
import { registerSourceChanges } from './comparison/sourceChanges';
import { offerForOpenScript } from './capture/againAndCompare';
import { registerProfileScript } from './capture/profileScript';
import { registerCaptureRunningJob } from './capture/runningJob';
import { registerMonitor } from './monitor/monitorJob';
import { registerProfileCell } from './notebooks/profileCell';
import { registerPreflight } from './preflight/preflight';
import { Remembered } from './remembered';
import { ComparedRun } from './comparison/comparedRun';
import { Retention } from './runs/retentionOfFolders';
import { RunsList } from './runs/runsList';
import { registerRuns } from './runs/runsView';
import { registerScope } from './runs/chooseScope';
import { ShownRun } from './runs/shownRun';
import type { Services } from './services';
import { registerStatusBar } from './runs/statusBar';

/** What panels need of the features beside the daemon. */
export interface Features {
  readonly shown: ShownRun;
  readonly compared: ComparedRun;
  readonly lineAtCursor: () => RecordedLine | undefined;
  readonly disposable: vscode.Disposable;
}

/**
 * Everything that is not a panel: runs, captures, annotations, the status bar. Shows the remembered run again.
 * `isPageInSight` tells whether a page of a panel can be seen.
 */
export function registerFeatures(services: Services, isPageInSight: () => boolean): Features {
  const remembered = new Remembered(services.context.workspaceState);
  const shown = new ShownRun(services, remembered);
  const list = new RunsList(services);
  const compared = new ComparedRun(services, remembered, shown, list);
  const captures = new Captures();
  const annotations = new TextAnnotations(services);
  let restored: Promise<void> = Promise.resolve();
  const recordedSources = new RecordedSources(services, shown, () => restored);
  const retention = new Retention(services, list, shown);
  const profiling = { remembered, shown, compared, captures, retention, list };
  const disposable = vscode.Disposable.from(
    shown,
    list,
    compared,
    captures,
    annotations,
    recordedSources,
    registerRuns(services, list, shown, compared, remembered, isPageInSight),
    registerProfileScript(services, profiling),
    offerForOpenScript(list, remembered),
    registerPreflight(services, profiling),
    registerCaptureRunningJob(services, { remembered, shown }),
    registerMonitor(services, list),
    registerProfileCell(services, shown),
    registerAnnotationMode(services, annotations, shown),
    registerScope(services),
    registerStatusBar(shown, captures),
    registerGoToLine(services),
    registerSourceChanges(services, compared),
    registerCopyAsMarkdown(services, annotations),
    registerExportTimeline(services, shown),
    registerLanguageModelTools(services, shown),
    registerMcpServer(services),
  );
  restored = shown.restore();
  return { shown, compared, lineAtCursor: () => lineAtCursor(annotations), disposable };
}

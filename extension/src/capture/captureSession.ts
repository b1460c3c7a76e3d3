import * as vscode from 'vscode';
import { cancellationOf } from '../cancellation';
import { DaemonStoppedError, type ProgressReport } from '../daemon/connection';
import { requestThroughRestarts } from '../daemon/persistence';
import { revealLine } from '../lines/goToLine';
import { commandButton, offer, withNotification } from '../userMessages';
import { openCommand } from '../panels/panelList';
import type { FollowedCapture, OpenedRun } from '../protocol';
import type { Remembered } from '../remembered';
import { sentenceOf } from '../runs/openRun';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';
import { runDirectory } from './captureCommand';
import type { CaptureRequest } from './captureCommand';
import { sentenceOfExit } from './captureFailure';
import type { CaptureProcess } from './captureTask';
import { CaptureTask } from './captureTask';

/** What a capture works with. */
export interface CaptureParts {
  readonly shown: ShownRun;
  readonly remembered: Remembered;
}

/** A capture whose process was started. */
export interface StartedCapture {
  readonly title: string;
  /** Its run directory. */
  readonly out: string;
  readonly process: CaptureProcess;
}

/** Captures a script and shows its lines: from the start of its process to the sentence at the end. */
export async function runCapture(services: Services, parts: CaptureParts, request: CaptureRequest): Promise<boolean> {
  const python = await services.daemon.python();
  const out = runDirectory(request, new Date());
  const { title } = request;
  const before = editorState();
  const task = await CaptureTask.start(python, request, out);
  void task.started.then((pid) => parts.remembered.setCapture({ path: out, title, pid: pid ?? null }));
  return finishCapture(services, parts, { title, out, process: task }, before);
}

/**
 * Follows a capture to its end and shows its lines. Remembered as one that has not ended until that was told: where the
 * window is reloaded meanwhile, the next one goes on with it. Resolves with whether there is a profile.
 */
export async function finishCapture(
  services: Services,
  { shown, remembered }: CaptureParts,
  capture: StartedCapture,
  before = editorState(),
): Promise<boolean> {
  const { title, out, process } = capture;
  void process.exited.finally(() => process.dispose());
  const { followed, isCancelled } = await followWithProgress(services, capture);
  if (followed.stage === 'captured' || followed.out_of_memory) {
    try {
      const run = await openWithProgress(shown, title, out);
      if (run.out_of_memory !== null) {
        await tellOutOfMemory(run.out_of_memory);
      } else {
        await tellResult(run, before);
        if (!isCancelled) {
          void tellExit(services, shown, capture);
        }
      }
    } catch (error) {
      if (!(error instanceof DaemonStoppedError)) {
        await remembered.forgetCapture(out);
      }
      throw error;
    }
  } else if (isCancelled) {
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} was stopped before anything was captured.', title));
  } else {
    tellWithTerminal(vscode.window.showErrorMessage, followed.failure ?? sentenceOfExit(await process.exited, title));
  }
  await remembered.forgetCapture(out);
  return followed.stage === 'captured';
}

/**
 * Waits for the profile, telling how far it is. Cancel interrupts the script, Cancel again ends it. Resolves with how
 * the capture ended, and whether the user had asked for its end.
 */
async function followWithProgress(services: Services, capture: StartedCapture) {
  const { title, process } = capture;
  let isCancelled = false;
  let report: (progress: ProgressReport) => void = () => undefined;
  const following = follow(services, capture, (progress) => report(progress));
  const ended = following.then(
    () => undefined,
    () => undefined,
  );
  const show = (heading: string, message: string, onCancel: () => void): Thenable<void> =>
    withNotification(heading, async (onProgress, token) => {
      report = onProgress;
      report({ message });
      await Promise.race([ended, cancellationOf(token).catch(() => undefined)]);
      if (token.isCancellationRequested) {
        onCancel();
      }
    });
  void show(vscode.l10n.t('Profiling {0}', title), vscode.l10n.t('starting'), () => {
    isCancelled = true;
    process.interrupt();
    const message = vscode.l10n.t('saving what was captured');
    void show(vscode.l10n.t('Stopping {0}', title), message, () => process.terminate());
  });
  return { followed: await following, isCancelled };
}

/** The daemon's answer; where the process ends without a run directory there is nothing that it could follow. */
async function follow(
  services: Services,
  { title, out, process }: StartedCapture,
  onProgress: (report: ProgressReport) => void,
): Promise<FollowedCapture> {
  const stop = new vscode.CancellationTokenSource();
  const parameters = { path: out, workDoneToken: null };
  const answer = requestThroughRestarts(services.daemon, 'scopelight/followCapture', parameters, {
    token: stop.token,
    onProgress,
  });
  const endedEarly = process.exited.then(async (exitCode): Promise<FollowedCapture> => {
    if (await hasRun(out)) {
      return answer;
    }
    return { path: out, stage: 'failed', failure: sentenceOfExit(exitCode, title), out_of_memory: false };
  });
  try {
    return await Promise.race([answer, endedEarly]);
  } finally {
    // Whichever lost must not be reported as unhandled when it is cancelled.
    answer.catch(() => undefined);
    endedEarly.catch(() => undefined);
    stop.cancel();
    stop.dispose();
  }
}

function openWithProgress(shown: ShownRun, title: string, out: string): Thenable<OpenedRun> {
  return withNotification(vscode.l10n.t('Profiling {0}', title), (onProgress, token) => {
    onProgress({ message: vscode.l10n.t('analysing') });
    return shown.open(out, { token, onProgress });
  });
}

async function tellResult(run: OpenedRun, before: string): Promise<void> {
  const whyEmpty = sentenceOf(run);
  if (whyEmpty !== '') {
    void vscode.window.showWarningMessage(whyEmpty);
    return;
  }
  const hottest = run.hottest;
  const file = hottest?.file ?? null;
  if (hottest === null || file === null) {
    void vscode.window.showInformationMessage(run.summary);
    return;
  }
  await reveal(file, hottest.line, before === editorState());
  const show = { label: vscode.l10n.t('Show'), press: () => revealLine(file, hottest.line, { preview: true }) };
  void offer(vscode.window.showInformationMessage, run.summary, [show]);
}

/** Brings the line into view. Who has gone on working is not taken away: only a visible file is scrolled then. */
async function reveal(file: string, line: number, isWaiting: boolean): Promise<void> {
  if (isWaiting) {
    try {
      await revealLine(file, line, { preview: true, preserveFocus: true });
    } catch {
      // A file that is not on this machine: the sentence names its line.
    }
    return;
  }
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === file);
  const place = new vscode.Range(line - 1, 0, line - 1, 0);
  editor?.revealRange(place, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** The text that is edited, in its version. Another one after a while: the user has gone on working. */
function editorState(): string {
  const document = vscode.window.activeTextEditor?.document;
  return `${document?.uri.toString() ?? ''} ${document?.version ?? ''}`;
}

/** A script that failed after its lines were measured must not look like one that went well. */
async function tellExit(services: Services, shown: ShownRun, capture: StartedCapture): Promise<void> {
  const { title, out } = capture;
  const exitCode = await capture.process.exited;
  if (exitCode === undefined) {
    return;
  }
  try {
    // Also of one that went well by its exit code: a thread of it may have run out.
    if (await diedOutOfMemory(services, out)) {
      const run = await shown.open(out);
      if (run.out_of_memory !== null) {
        await tellOutOfMemory(run.out_of_memory);
        return;
      }
    }
  } catch (error) {
    services.log.warn(`How ${title} ended could not be asked: ${String(error)}`);
  }
  if (exitCode === 0) {
    return;
  }
  const sentence = vscode.l10n.t('{0} ended with exit code {1}; the lines are of what ran before.', title, exitCode);
  tellWithTerminal(vscode.window.showWarningMessage, sentence);
}

/** Whether the run ended for want of memory, which is known only once its script has ended. */
async function diedOutOfMemory(services: Services, out: string): Promise<boolean> {
  const { runs } = await services.daemon.request('scopelight/runs', {});
  return runs.some(({ path, out_of_memory }) => path === out && out_of_memory);
}

/** Opens the panel that names the lines that took the memory, and says what happened. */
async function tellOutOfMemory(sentence: string): Promise<void> {
  await vscode.commands.executeCommand(openCommand('memoryProfile'));
  tellWithTerminal(vscode.window.showErrorMessage, sentence);
}

/** Says what went wrong; the terminal has more of it. */
function tellWithTerminal(show: Parameters<typeof offer>[0], sentence: string): void {
  void offer(show, sentence, [commandButton(vscode.l10n.t('Show Terminal'), 'workbench.action.terminal.focus')]);
}

/** Whether a capture has begun to fill its run directory. */
export async function hasRun(out: string): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.joinPath(vscode.Uri.file(out), 'run.json'));
    return true;
  } catch {
    return false;
  }
}

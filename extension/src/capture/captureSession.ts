import * as vscode from 'vscode';
import { cancellationOf } from '../cancellation';
import { DaemonStoppedError, type ProgressReport } from '../daemon/connection';
import { requestThroughRestarts } from '../daemon/persistence';
import { withNotification } from '../userMessages';
import type { FollowedCapture, OpenedRun } from '../protocol';
import type { Remembered } from '../remembered';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';
import { runDirectory } from './captureCommand';
import type { CaptureRequest } from './captureCommand';
import { editorState, tellExit, tellOutOfMemory, tellResult, tellWithTerminal } from './captureEnd';
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

/** Whether a capture has begun to fill its run directory. */
export async function hasRun(out: string): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.joinPath(vscode.Uri.file(out), 'run.json'));
    return true;
  } catch {
    return false;
  }
}

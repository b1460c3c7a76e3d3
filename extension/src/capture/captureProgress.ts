import * as vscode from 'vscode';
import { cancellationOf } from '../cancellation';
import type { ProgressReport } from '../daemon/connection';
import { requestThroughRestarts } from '../daemon/persistence';
import { registerCommand, UserError } from '../failure';
import { withNotification } from '../userMessages';
import type { FollowedCapture } from '../protocol';
import type { Remembered } from '../remembered';
import { isRunNode } from '../runs/pickRun';
import type { RunsList } from '../runs/runsList';
import { runName } from '../runs/scriptNames';
import type { Services } from '../services';
import { sentenceOfExit } from './captureFailure';
import { headingOf } from './captures';
import type { CaptureProcess } from './captureTask';

/** A capture whose process was started. */
export interface StartedCapture {
  readonly title: string;
  /** Whether it is not profiled, but compiled for a TPU. */
  readonly isPreflight?: boolean;
  /** Its run directory. */
  readonly out: string;
  readonly process: CaptureProcess;
  /** Whether it is one of several that are shown together at their end: what it found is not told of it alone. */
  readonly isOneOfSeveral?: boolean;
}

/**
 * Waits for the profile, telling how far it is. Cancel interrupts the script, Cancel again ends it. Resolves with how
 * the capture ended, and whether the user had asked for its end.
 */
export async function followWithProgress(services: Services, capture: StartedCapture) {
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
  void show(headingOf(capture), vscode.l10n.t('starting'), () => {
    isCancelled = true;
    process.interrupt();
    const message =
      capture.isPreflight === true
        ? vscode.l10n.t('keeping what was compiled')
        : vscode.l10n.t('saving what was captured');
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
  const parameters = { path: out, capture_now_command: captureNowCommand(out), workDoneToken: null };
  const answer = requestThroughRestarts(services.daemon, 'scopelight/followCapture', parameters, {
    token: stop.token,
    onProgress,
  });
  const endedEarly = process.exited.then(async (exitCode): Promise<FollowedCapture> => {
    if (await hasRun(out)) {
      return answer;
    }
    return { path: out, stage: 'failed', failure: sentenceOfExit(exitCode, title), out_of_memory: false, error: null };
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

/** The command, as links have it, that has a capture open its window at once. */
function captureNowCommand(out: string): string {
  return `scopelight.captureNow?${encodeURIComponent(JSON.stringify([out]))}`;
}

/**
 * The command `scopelight.captureNow`, of the progress of a capture, of the palette, where the latest is meant, and of runs
 * that wait for their window: what another than this window began nobody follows here, so it is followed from then on.
 */
export function registerCaptureNow(services: Services, remembered: Remembered, list: RunsList): vscode.Disposable {
  return registerCommand(services, 'scopelight.captureNow', async (given) => {
    const ours = remembered.captures.map(({ path }) => path);
    const path = typeof given === 'string' ? given : isRunNode(given) ? given.run.path : ours.at(-1);
    if (path !== undefined && (typeof given === 'string' || ours.includes(path))) {
      await services.daemon.request('scopelight/captureNow', { path });
      return;
    }
    const runs = path === undefined ? await list.refresh() : [];
    const run = isRunNode(given) ? given.run : runs.find(({ state }) => state === 'running');
    if (run === undefined) {
      throw new UserError(vscode.l10n.t('No capture waits for its window: profile a script first.'));
    }
    await vscode.commands.executeCommand('scopelight.captureAgainNow', { kind: 'run', run, name: runName(run, runs) });
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

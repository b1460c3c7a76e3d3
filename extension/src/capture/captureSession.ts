import * as vscode from 'vscode';
import { DaemonStoppedError } from '../daemon/connection';
import type { Remembered } from '../remembered';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';
import { runDirectory } from './captureCommand';
import type { CaptureRequest } from './captureCommand';
import { editorState, openWithProgress, tellExit, tellOutOfMemory, tellResult, tellWithTerminal } from './captureEnd';
import { remediesOfExit, sentenceOfExit } from './captureFailure';
import { followWithProgress } from './captureProgress';
import type { StartedCapture } from './captureProgress';
import { CaptureTask } from './captureTask';
import { type EndedRun, type LookedAt, tellPrediction } from './predictionEnd';
import { runAsModuleButton } from './runAsModule';
import { tellNothingCaptured } from './scriptError';

/** What a capture works with. */
export interface CaptureParts {
  readonly shown: ShownRun;
  readonly remembered: Remembered;
}

/** What is looked at. The run that was shown before a reload is, until it is opened again. */
function lookedAt({ shown, remembered }: CaptureParts): LookedAt {
  return { text: editorState(), run: shown.current?.path ?? remembered.shownRun };
}

/** How a capture ended. */
export interface EndedCapture {
  /** Its run directory. */
  readonly out: string;
  /** Whether there is a profile. */
  readonly isCaptured: boolean;
  /** Whether the user had asked for its end. */
  readonly isCancelled: boolean;
}

/**
 * Captures a script and shows its lines: from the start of its process to the sentence at the end. What is found of one
 * of several is left to whoever shows all of them.
 */
export async function runCapture(
  services: Services,
  parts: CaptureParts,
  request: CaptureRequest,
  isOneOfSeveral = false,
): Promise<EndedCapture> {
  const python = await services.daemon.python();
  const out = runDirectory(request, new Date());
  const { title } = request;
  const before = lookedAt(parts);
  const task = await CaptureTask.start(python, request, out);
  if (request.making !== undefined) {
    await parts.remembered.setMaking(out, request.making);
  }
  const isPreflight = request.preflight !== undefined;
  void task.started.then((pid) => parts.remembered.setCapture({ path: out, title, pid: pid ?? null, isPreflight }));
  return finishCapture(services, parts, { title, isPreflight, out, process: task, isOneOfSeveral }, before);
}

/**
 * Follows a capture to its end and shows its lines. Remembered as one that has not ended until that was told: where the
 * window is reloaded meanwhile, the next one goes on with it.
 */
export async function finishCapture(
  services: Services,
  { shown, remembered }: CaptureParts,
  capture: StartedCapture,
  before = lookedAt({ shown, remembered }),
): Promise<EndedCapture> {
  const { title, out, process } = capture;
  void process.exited.finally(() => process.dispose());
  const { followed, isCancelled } = await followWithProgress(services, capture);
  const failed = { out, target: remembered.making(out)?.target };
  if (followed.stage === 'captured' && capture.isOneOfSeveral === true) {
    if (!isCancelled) {
      void tellExit(services, shown, capture, failed);
    }
  } else if (followed.stage === 'captured' || followed.out_of_memory) {
    try {
      if (capture.isPreflight === true) {
        await tellPrediction(services, shown, { capture, made: failed, isCancelled }, before);
      } else {
        await tellMeasured(services, shown, { capture, made: failed, isCancelled }, before);
      }
    } catch (error) {
      if (!(error instanceof DaemonStoppedError)) {
        await remembered.forgetCapture(out);
      }
      throw error;
    }
  } else if (isCancelled) {
    void vscode.window.showInformationMessage(
      capture.isPreflight === true
        ? vscode.l10n.t('{0} was stopped before anything was compiled.', title)
        : vscode.l10n.t('{0} was stopped before anything was captured.', title),
    );
  } else if (followed.error !== null) {
    const asModule = await runAsModuleButton(remembered, out, followed.error);
    tellNothingCaptured(capture, followed.error, failed, asModule);
  } else {
    // The end of the process, which tells what mends it, comes a moment after the sentence that it leaves.
    const exitCode = await process.exited;
    const sentence = followed.failure ?? sentenceOfExit(exitCode, title);
    tellWithTerminal(vscode.window.showErrorMessage, sentence, remediesOfExit(exitCode, failed));
  }
  await remembered.forgetCapture(out);
  return { out, isCaptured: followed.stage === 'captured', isCancelled };
}

/** Shows what was measured, and says it; then how the script went on to end. */
async function tellMeasured(
  services: Services,
  shown: ShownRun,
  { capture, made, isCancelled }: EndedRun,
  before: LookedAt,
): Promise<void> {
  const run = await openWithProgress(shown, capture);
  if (run.out_of_memory !== null) {
    await tellOutOfMemory(run.out_of_memory, made);
    return;
  }
  await tellResult(run, made, before.text);
  if (!isCancelled) {
    void tellExit(services, shown, capture, made);
  }
}

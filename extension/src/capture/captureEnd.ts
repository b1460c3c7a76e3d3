// The end of a capture: what it found is said and shown.

import * as vscode from 'vscode';
import { revealLine } from '../lines/goToLine';
import { OPEN_BESIDE, openCommand } from '../panels/panelList';
import type { OpenedRun, RunRecord } from '../protocol';
import { sentenceOf } from '../runs/openRun';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';
import { showsHotLines, showsOverview } from '../settings';
import { type Button, commandButton, offer, withNotificationUnlessSoon } from '../userMessages';
import { argumentsButton, type FailedRun, remediesOfExit } from './captureFailure';
import type { StartedCapture } from './captureProgress';
import { headingOf } from './captures';
import { sentenceOfEnd } from './endings';
import { leadsOf } from './leads';
import { tellEndedAfter } from './scriptError';

/**
 * Shows what a capture found, and says it: the list of its lines, the hottest of them in the text, and beside that the
 * page of the whole run. `before` is what was edited as the capture began; without `made`, what the run is of, nothing is
 * said, since something else was.
 */
export async function tellResult(run: OpenedRun, made: FailedRun | null, before: string): Promise<void> {
  await showHotLines();
  const whyEmpty = sentenceOf(run);
  const leads = leadsOf(run);
  if (whyEmpty !== '') {
    if (made !== null) {
      const sentence = leads.length > 0 ? run.summary : whyEmpty;
      void offer(vscode.window.showWarningMessage, sentence, [...leads, argumentsButton(made)]);
    }
    return;
  }
  const isWaiting = before === editorState();
  const {
    file = null,
    line = 0,
    recorded_file: recordedFile = null,
    recorded_line: recordedLine = 0,
  } = run.hottest ?? {};
  if (file !== null) {
    await reveal(file, line, isWaiting);
  }
  const buttons = [...leads, ...(recordedFile === null ? [] : [lineButton(recordedFile, recordedLine)])];
  if (showsOverview()) {
    if (isWaiting) {
      await vscode.commands.executeCommand(OPEN_BESIDE, 'overview');
    } else {
      buttons.push(commandButton(vscode.l10n.t('Show Overview'), openCommand('overview')));
    }
  }
  if (made === null) {
    return;
  }
  if (run.predicted_by !== null) {
    const both = [run.predicted_by, run.path];
    buttons.push(commandButton(vscode.l10n.t('Beside the Prediction'), 'scopelight.comparePredictions', both));
  }
  void offer(vscode.window.showInformationMessage, run.summary, buttons);
}

function lineButton(file: string, line: number): Button {
  return commandButton(vscode.l10n.t('Show'), 'scopelight.goToLine', file, line);
}

/** Brings the list of lines into view where the user wants it; the keyboard stays where it is. */
export async function showHotLines(): Promise<void> {
  if (showsHotLines()) {
    await vscode.commands.executeCommand('scopelight.hotLines.focus', { preserveFocus: true });
  }
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
export function editorState(): string {
  const document = vscode.window.activeTextEditor?.document;
  return `${document?.uri.toString() ?? ''} ${document?.version ?? ''}`;
}

/** Opens the run of a capture, telling how far that is where it takes long. */
export function openWithProgress(shown: ShownRun, capture: StartedCapture): Promise<OpenedRun> {
  return withNotificationUnlessSoon(headingOf(capture), (onProgress, token) => {
    onProgress({ message: vscode.l10n.t('analysing') });
    return shown.openCaptured(capture.out, { token, onProgress });
  });
}

/**
 * A script that failed after its lines were measured must not look like one that went well. Resolves with whether there
 * was something to tell. `first` are buttons before those of the failure.
 */
export async function tellExit(
  services: Services,
  shown: ShownRun,
  capture: StartedCapture,
  made: FailedRun,
  first: readonly Button[] = [],
): Promise<boolean> {
  const { title, out } = capture;
  const exitCode = await capture.process.exited;
  if (exitCode === undefined) {
    return false;
  }
  let ended: RunRecord | undefined;
  try {
    // Also of one that went well by its exit code: a thread of it may have run out.
    ended = await recordOf(services, out);
    if (ended?.out_of_memory === true && capture.isPreflight !== true) {
      const run = await shown.open(out);
      if (run.out_of_memory !== null) {
        await tellOutOfMemory(run.out_of_memory, made);
        return true;
      }
    }
  } catch (error) {
    services.log.warn(`How ${title} ended could not be asked: ${String(error)}`);
  }
  if (exitCode === 0) {
    return false;
  }
  const error = ended?.error ?? null;
  if (error !== null) {
    tellEndedAfter(capture, error, made, first);
  } else {
    tellWithTerminal(vscode.window.showWarningMessage, sentenceOfEnd(exitCode, capture), [
      ...first,
      ...remediesOfExit(exitCode, made),
    ]);
  }
  return true;
}

/** What is known of a run whose script has ended. */
async function recordOf(services: Services, out: string): Promise<RunRecord | undefined> {
  const { runs } = await services.daemon.request('scopelight/runs', {});
  return runs.find(({ path }) => path === out);
}

/** Opens the panel that names the lines that took the memory, and says what happened. */
export async function tellOutOfMemory(sentence: string, made: FailedRun): Promise<void> {
  await vscode.commands.executeCommand(openCommand('memoryProfile'));
  tellWithTerminal(vscode.window.showErrorMessage, sentence, [argumentsButton(made)]);
}

/** Says what went wrong; the terminal has more of it. */
export function tellWithTerminal(
  show: Parameters<typeof offer>[0],
  sentence: string,
  remedies: readonly Button[] = [],
): void {
  const terminal = commandButton(vscode.l10n.t('Show Terminal'), 'workbench.action.terminal.focus');
  void offer(show, sentence, [...remedies, terminal]);
}

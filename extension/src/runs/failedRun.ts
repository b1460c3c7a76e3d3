// A run that cannot be opened: why, with its short name, and what mends it.

import * as vscode from 'vscode';
import { remediesOfExit } from '../capture/captureFailure';
import { tellNothingCaptured } from '../capture/scriptError';
import { DaemonError } from '../daemon/connection';
import type { RunRecord } from '../protocol';
import type { Remembered } from '../remembered';
import { offer } from '../userMessages';

/** Says why a run of the list cannot be opened; throws what was the matter where the run itself does not tell. */
export function tellUnopened(
  run: RunRecord,
  name: string,
  remembered: Pick<Remembered, 'making'>,
  error: unknown,
): void {
  if (!(error instanceof DaemonError)) {
    throw error;
  }
  const made = { out: run.path, target: remembered.making(run.path)?.target };
  if (run.error !== null) {
    tellNothingCaptured({ title: name, isPreflight: run.predicted_for !== null }, run.error, made);
  } else if (run.state === 'failed' && run.failure !== null) {
    const sentence = vscode.l10n.t('Nothing was captured of {0}: {1}', name, run.failure);
    void offer(vscode.window.showErrorMessage, sentence, remediesOfExit(run.exit_code ?? undefined, made));
  } else {
    // The folder is named as people know it, for a whole path fills the message.
    throw new DaemonError(error.message.replaceAll(run.path, vscode.workspace.asRelativePath(run.path)));
  }
}

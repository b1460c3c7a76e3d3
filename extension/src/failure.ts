import * as vscode from 'vscode';
import { DaemonError } from './daemon/connection';
import { type Button, logButton, offer } from './userMessages';
import type { Services } from './services';

/** A sentence that tells the user what is wrong and what to do, with buttons that do it. */
export class UserError extends Error {
  constructor(
    message: string,
    readonly remedies: readonly Button[] = [],
  ) {
    super(message);
  }
}

/** Shows what went wrong as one sentence; the traceback goes to the log. To cancel is no failure. */
export function tellFailure(error: unknown, { log }: Pick<Services, 'log'>): void {
  if (error instanceof vscode.CancellationError) {
    return;
  }
  if (error instanceof UserError) {
    void offer(vscode.window.showErrorMessage, error.message, error.remedies);
    return;
  }
  log.error(error instanceof Error ? error : String(error));
  const isDaemons = error instanceof DaemonError;
  const remedies = isDaemons && error.remedies.length > 0 ? error.remedies : [logButton(log)];
  const sentence = isDaemons
    ? error.message
    : vscode.l10n.t('Scopelight failed because of a fault of its own: the log says where.');
  void offer(vscode.window.showErrorMessage, sentence, remedies);
}

/** Registers a command whose failures are told. */
export function registerCommand(
  services: Pick<Services, 'log'>,
  command: string,
  run: (...args: unknown[]) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(command, async (...args: unknown[]) => {
    try {
      await run(...args);
    } catch (error) {
      tellFailure(error, services);
    }
  });
}

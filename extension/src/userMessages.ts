// Messages with buttons, and notifications that tell how far long work is.

import * as vscode from 'vscode';
import type { ProgressReport } from './daemon/connection';

/** A button of a message, and what it does. */
export interface Button {
  readonly label: string;
  readonly press: () => unknown;
}

type ShowMessage = (sentence: string, ...labels: string[]) => Thenable<string | undefined>;

/** Shows a message and does what the chosen button does; resolves when that is done, or nothing was chosen. */
export async function offer(show: ShowMessage, sentence: string, buttons: readonly Button[]): Promise<void> {
  const chosen = await show(withoutLinks(sentence), ...buttons.map(({ label }) => label));
  await buttons.find(({ label }) => label === chosen)?.press();
}

/** What a script or a profile says must not become a link, which could run any command. */
function withoutLinks(sentence: string): string {
  return sentence.replaceAll('](', '] (');
}

export function commandButton(label: string, command: string, ...args: unknown[]): Button {
  return { label, press: () => vscode.commands.executeCommand(command, ...args) };
}

export function logButton(log: Pick<vscode.LogOutputChannel, 'show'>): Button {
  return { label: vscode.l10n.t('Show Log'), press: () => log.show() };
}

/** What is over within this time needs no word of how far it is. */
const QUIET_MILLISECONDS = 300;

/**
 * As `withNotification`, for what mostly takes no time. Of many notifications within a moment the editor shows a few only,
 * and what the work ends with must not be the one that is left out.
 */
export async function withNotificationUnlessSoon<Result>(
  title: string,
  work: (onProgress: (report: ProgressReport) => void, token: vscode.CancellationToken) => Thenable<Result>,
): Promise<Result> {
  const source = new vscode.CancellationTokenSource();
  let latest: ProgressReport = {};
  let report = (progress: ProgressReport): void => {
    latest = progress;
  };
  const working = work((progress) => report(progress), source.token);
  const isOver = working.then(
    () => true,
    () => true,
  );
  const isLong = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), QUIET_MILLISECONDS));
  if (!(await Promise.race([isOver, isLong]))) {
    await withNotification(title, async (onProgress, token) => {
      token.onCancellationRequested(() => source.cancel());
      report = onProgress;
      report(latest);
      await isOver;
    });
  }
  return working;
}

/** Shows how far `work` is in a notification, by which it can be cancelled. */
export function withNotification<Result>(
  title: string,
  work: (onProgress: (report: ProgressReport) => void, token: vscode.CancellationToken) => Thenable<Result>,
): Thenable<Result> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, (progress, token) =>
    work(({ message }) => progress.report(message === undefined ? {} : { message }), token),
  );
}

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

/** How long work may take before it is worth a notification. */
const SOON_MS = 500;

/**
 * As `withNotification`, and shows none where the work is done soon: of many within a moment the editor shows a few only,
 * and what the work ends with must not be the one that is left out.
 */
export async function withNotificationUnlessSoon<Result>(
  title: string,
  work: (onProgress: (report: ProgressReport) => void, token: vscode.CancellationToken) => Thenable<Result>,
): Promise<Result> {
  const stop = new vscode.CancellationTokenSource();
  let last: ProgressReport = {};
  let show = (report: ProgressReport): void => {
    last = report;
  };
  const working = Promise.resolve(work((report) => show(report), stop.token));
  const ended = working.then(
    () => true,
    () => true,
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLong = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), SOON_MS)));
  if (!(await Promise.race([ended, isLong]))) {
    void withNotification(title, async (onProgress, token) => {
      show = onProgress;
      show(last);
      token.onCancellationRequested(() => stop.cancel());
      await ended;
    });
  }
  clearTimeout(timer);
  return working.finally(() => stop.dispose());
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

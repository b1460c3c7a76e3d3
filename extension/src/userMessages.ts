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

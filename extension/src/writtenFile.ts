// Files that are written for people: which one, and what can be done with it then.

import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Button, commandButton } from './userMessages';

/** Asks for the file to write, named so in the workspace; undefined where the person gives up. */
export function askFile(
  title: string,
  name: string,
  filters: Readonly<Record<string, string[]>>,
): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(os.homedir());
  return vscode.window.showSaveDialog({ title, defaultUri: vscode.Uri.joinPath(folder, name), filters });
}

/** What a file that is made of a profile is called after. */
export function profileName(profile: string): string {
  return path.basename(profile).replace(/(\.xplane)?\.pb$/, '');
}

export function fileButtons(file: string): readonly Button[] {
  return [
    commandButton(vscode.l10n.t('Reveal File'), 'revealFileInOS', vscode.Uri.file(file)),
    { label: vscode.l10n.t('Copy Path'), press: () => vscode.env.clipboard.writeText(file) },
  ];
}

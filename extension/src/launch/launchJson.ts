import * as vscode from 'vscode';
import { type Button } from '../userMessages';

/** The button that opens the file in which the configurations of a folder stand; `folder` is its URI. */
export function launchJsonButton(folder: string): Button {
  return { label: vscode.l10n.t('Open launch.json'), press: () => openLaunchJson(folder) };
}

async function openLaunchJson(folder: string): Promise<void> {
  const file = vscode.Uri.joinPath(vscode.Uri.parse(folder), '.vscode', 'launch.json');
  const isThere = await vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  // Configurations may stand in the file of the workspace as well: the editor knows where.
  await (isThere
    ? vscode.commands.executeCommand('vscode.open', file)
    : vscode.commands.executeCommand('workbench.action.debug.configure'));
}

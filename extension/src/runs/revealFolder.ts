import * as vscode from 'vscode';

/** Shows a run or an experiment among the files of its machine; copies its path where nothing there does. */
export async function revealFolder(runPath: string): Promise<void> {
  const uri = vscode.Uri.file(runPath);
  if (vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop) {
    await vscode.commands.executeCommand('revealFileInOS', uri);
    return;
  }
  // The system's file browser is on another machine than the run.
  if (vscode.workspace.getWorkspaceFolder(uri) !== undefined) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  await vscode.env.clipboard.writeText(runPath);
  void vscode.window.showInformationMessage(vscode.l10n.t('The path of the run was copied: {0}', runPath));
}

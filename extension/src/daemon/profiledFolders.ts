import * as vscode from 'vscode';
import type { Services } from '../services';

const RUNS_FOLDER = '.scopelight';

/**
 * Calls `start` when a Python file is open in a workspace folder that was profiled before: then the daemon will be asked
 * for soon. Several files that are open at first may each call it.
 */
export function startWithProfiledFolders({ log }: Pick<Services, 'log'>, start: () => void): vscode.Disposable {
  const opened = vscode.workspace.onDidOpenTextDocument((document) => void look(document));
  for (const document of vscode.workspace.textDocuments) void look(document);
  return opened;

  async function look(document: vscode.TextDocument): Promise<void> {
    if (document.languageId !== 'python') return;
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    if (folder === undefined) return;
    try {
      await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder.uri, RUNS_FOLDER));
    } catch {
      log.trace(`${folder.uri.fsPath} was not profiled yet.`);
      return;
    }
    opened.dispose();
    start();
  }
}

import * as vscode from 'vscode';
import { registerCommand, UserError } from '../failure';
import type { LocatedLine } from '../protocol';
import type { Services } from '../services';

/** How long the sentence about a line that is gone stays in the status bar. */
const GONE_SENTENCE_MILLISECONDS = 8000;

/** Opens a file at a line (1-based, of the present text) in the middle of the editor. */
export async function revealLine(file: string, line: number, options: vscode.TextDocumentShowOptions): Promise<void> {
  let document: vscode.TextDocument;
  try {
    document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  } catch {
    throw new UserError(
      vscode.l10n.t('{0} cannot be opened: the profile names it, but it is not on this machine, or not text.', file),
    );
  }
  const place = document.lineAt(Math.min(Math.max(line, 1), document.lineCount) - 1);
  const start = new vscode.Position(place.lineNumber, place.firstNonWhitespaceCharacterIndex);
  const editor = await vscode.window.showTextDocument(document, {
    ...options,
    selection: new vscode.Selection(start, start),
  });
  editor.revealRange(place.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** The command `scopelight.goToLine`: `file` and `line` as the run recorded them. */
export function registerGoToLine(services: Services): vscode.Disposable {
  return registerCommand(services, 'scopelight.goToLine', async (file, line) => {
    if (typeof file !== 'string' || typeof line !== 'number') {
      return;
    }
    const located: LocatedLine = await services.daemon.request('scopelight/locateLine', { file, line });
    await revealLine(located.file, located.line, { preview: true });
    if (located.state === 'gone') {
      vscode.window.setStatusBarMessage(
        vscode.l10n.t('Line {0} of the run is gone; this is the nearest one left.', line),
        GONE_SENTENCE_MILLISECONDS,
      );
    }
  });
}

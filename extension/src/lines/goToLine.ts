import * as vscode from 'vscode';
import { registerCommand, tellFailure, UserError } from '../failure';
import type { PlaceState } from '../protocol';
import type { Services } from '../services';
import { isRecordedLine, type RecordedLine } from './annotatedLine';
import { locateFolder, offerToLocate } from './locateFolder';
import { recordedCopy, recordedUri } from './recordedSource';
import { isCell, openCell, revealCell } from '../notebooks/cells';

/** How long the sentence about a line that is gone stays in the status bar. */
const GONE_SENTENCE_MILLISECONDS = 8000;

/** Opens a file, or a cell by its URI, at a line (1-based, of the present text) in the middle of the editor. */
export function revealLine(file: string, line: number, options: vscode.TextDocumentShowOptions): Promise<void> {
  return isCell(file)
    ? revealCell(vscode.Uri.parse(file), line, options)
    : reveal(vscode.Uri.file(file), line, options);
}

/** The same for who was told of the line before: where its file is not here any more, it is looked for as recorded. */
export async function showLine(file: string, line: number): Promise<void> {
  try {
    await revealLine(file, line, { preview: true });
  } catch {
    await vscode.commands.executeCommand('scopelight.goToLine', file, line);
  }
}

/** The commands that lead to lines of the run that is shown, named as it recorded them. */
export function registerGoToLine(services: Services): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(services, 'scopelight.goToLine', async (first, second) => {
      const place = isRecordedLine(first) ? first : { file: first, line: second };
      if (isRecordedLine(place)) {
        await goToLine(services, place);
      }
    }),
    registerCommand(services, 'scopelight.locateFolder', async () => {
      const editor = vscode.window.activeTextEditor;
      const copy = editor && recordedCopy(editor.document.uri);
      if (editor !== undefined && copy !== undefined) {
        const place = { file: copy.file, line: editor.selection.active.line + 1 };
        await locateFolder(services, place, () => goToLine(services, place));
      }
    }),
  );
}

/** Opens the file of a recorded line, else the run's copy of it, else says why there is nothing to open. */
async function goToLine(services: Services, { file, line }: RecordedLine): Promise<void> {
  const found = await services.daemon.request('scopelight/locateLine', { file, line });
  if (found.source === 'file') {
    await revealLine(found.file, found.line, { preview: true });
    tellGone(found.state, line);
  } else if (found.source === 'cell' && found.cell !== null) {
    await revealCell(await openCell(found.file, found.cell), found.line, { preview: true });
    tellGone(found.state, line);
  } else if (found.source === 'copy' && found.run !== null) {
    await reveal(recordedUri({ run: found.run, file: found.file }), found.line, { preview: true });
  } else if (found.source === 'absent') {
    // Who waits for the command to end does not wait for an answer.
    offerToLocate(services, found.reason ?? '', { file, line }, () => goToLine(services, { file, line })).catch(
      (error: unknown) => tellFailure(error, services),
    );
  } else {
    void vscode.window.showInformationMessage(found.reason ?? '');
  }
}

function tellGone(state: PlaceState, line: number): void {
  if (state === 'gone') {
    vscode.window.setStatusBarMessage(
      vscode.l10n.t('Line {0} of the run is gone; this is the nearest one left.', line),
      GONE_SENTENCE_MILLISECONDS,
    );
  }
}

async function reveal(uri: vscode.Uri, line: number, options: vscode.TextDocumentShowOptions): Promise<void> {
  let document: vscode.TextDocument;
  try {
    document = await vscode.workspace.openTextDocument(uri);
  } catch {
    throw new UserError(
      vscode.l10n.t(
        '{0} cannot be opened: the profile names it, but it is not on this machine, or not text.',
        uri.fsPath,
      ),
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

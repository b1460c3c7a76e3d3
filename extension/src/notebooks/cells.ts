import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../failure';

/** Of the documents of a notebook's cells; the daemon names cells that are open by their URIs. */
export const CELL_SCHEME = 'vscode-notebook-cell';

/** Whether what the daemon says of a place is a cell that is open, and no file. */
export function isCell(file: string): boolean {
  return file.startsWith(`${CELL_SCHEME}:`);
}

/** Opens a notebook: the URI of its cell of a number, counted from 1. */
export async function openCell(notebook: string, number: number): Promise<vscode.Uri> {
  const uri = vscode.Uri.parse(notebook);
  let opened: vscode.NotebookDocument;
  try {
    opened = await vscode.workspace.openNotebookDocument(uri);
  } catch {
    throw new UserError(vscode.l10n.t('{0} cannot be opened as a notebook.', path.basename(uri.fsPath)));
  }
  return opened.cellAt(number - 1).document.uri;
}

/** Shows a cell in its notebook, with the cursor at a line from 1: the editor opens the notebook of a cell by itself. */
export async function revealCell(
  cell: vscode.Uri,
  line: number,
  options: vscode.TextDocumentShowOptions,
): Promise<void> {
  const selection = new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.commands.executeCommand('vscode.open', cell, { ...options, selection });
}

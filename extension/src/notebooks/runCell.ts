// Running cells by the kernel that their notebook has, whoever provides it.

import * as vscode from 'vscode';

/** Where nobody writes the number of a run into its cell, so long it is waited for. */
const NUMBERED_MS = 10_000;

/** How a cell ended: whether it ran to its end; undefined where its kernel does not say. */
export type CellEnd = boolean | undefined;

/** Runs a cell as its user would; rejects with `CancellationError` where it is not waited for, or the cell is gone. */
export async function runCell(cell: vscode.NotebookCell, token: vscode.CancellationToken): Promise<CellEnd> {
  const parts: vscode.Disposable[] = [];
  const before = cell.executionSummary?.timing?.endTime;
  const uri = cell.document.uri.toString();
  // It may be null, too.
  let hasBegun = typeof cell.executionSummary?.success !== 'boolean';
  const ended = new Promise<CellEnd>((resolve, reject) => {
    const giveUp = (): void => reject(new vscode.CancellationError());
    parts.push(
      token.onCancellationRequested(giveUp),
      vscode.workspace.onDidChangeNotebookDocument(({ cellChanges, contentChanges }) => {
        const changes = cellChanges.filter((change) => change.cell.document.uri.toString() === uri);
        for (const { success, timing } of changes.flatMap(({ executionSummary }) => executionSummary ?? [])) {
          // What it says of the time before stands there until the cell has begun.
          if ((hasBegun && typeof success === 'boolean') || (timing !== undefined && timing.endTime !== before)) {
            resolve(success);
          }
          hasBegun ||= typeof success !== 'boolean';
        }
        if (contentChanges.some(({ removedCells }) => removedCells.includes(cell))) {
          giveUp();
        }
      }),
    );
  });
  try {
    const range = { start: cell.index, end: cell.index + 1 };
    const run = { ranges: [range], document: cell.notebook.uri, autoReveal: false };
    // A kernel that never starts never says that the cell has ended.
    void vscode.commands.executeCommand('notebook.cell.execute', run);
    return await ended;
  } finally {
    vscode.Disposable.from(...parts).dispose();
  }
}

/** Runs code in a cell of its own at the end of a notebook, which goes again whatever became of it. */
export async function runTemporaryCell(
  notebook: vscode.NotebookDocument,
  code: string,
  token: vscode.CancellationToken,
): Promise<{ readonly end: CellEnd; readonly printed: string; readonly error: string }> {
  const at = notebook.cellCount;
  const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, code, 'python');
  await edit(notebook, vscode.NotebookEdit.insertCells(at, [cell]));
  const inserted = notebook.cellAt(at);
  try {
    const end = await runCell(inserted, token);
    return { end, ...said(inserted) };
  } finally {
    await beNumbered(inserted);
    // Another one may have been put before it meanwhile; one that its user has removed has no place.
    if (notebook.getCells().includes(inserted)) {
      const range = new vscode.NotebookRange(inserted.index, inserted.index + 1);
      await edit(notebook, vscode.NotebookEdit.deleteCells(range));
    }
  }
}

/**
 * Waits until the number of a cell's last run stands in its metadata, where the editor's own support of Jupyter's
 * notebooks puts it, asking for that once more whenever it hears of the end again. The editor that is asked to number a
 * cell that is gone tells nobody of what happens in the notebook from then on, also not of the end of other cells.
 */
async function beNumbered(cell: vscode.NotebookCell): Promise<void> {
  const parts: vscode.Disposable[] = [];
  try {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isToBeNumbered(cell)) {
          resolve();
        }
      };
      const timer = setTimeout(resolve, NUMBERED_MS);
      parts.push(vscode.workspace.onDidChangeNotebookDocument(look), new vscode.Disposable(() => clearTimeout(timer)));
      look();
    });
  } finally {
    vscode.Disposable.from(...parts).dispose();
  }
}

function isToBeNumbered(cell: vscode.NotebookCell): boolean {
  const { executionOrder, success } = cell.executionSummary ?? {};
  const { metadata } = cell.notebook.metadata as { metadata?: { language_info?: { name?: string } } };
  return (
    // Others are left as they are.
    metadata?.language_info?.name !== undefined &&
    executionOrder !== undefined &&
    typeof success === 'boolean' &&
    cell.metadata['execution_count'] !== executionOrder &&
    cell.notebook.getCells().includes(cell)
  );
}

async function edit(notebook: vscode.NotebookDocument, change: vscode.NotebookEdit): Promise<void> {
  const edits = new vscode.WorkspaceEdit();
  edits.set(notebook.uri, [change]);
  await vscode.workspace.applyEdit(edits);
}

/** What a cell has printed, and the error that ended it. */
function said({ outputs }: vscode.NotebookCell): { printed: string; error: string } {
  const texts = (mime: string): string =>
    outputs
      .flatMap(({ items }) => items)
      .filter((item) => item.mime === mime)
      .map(({ data }) => new TextDecoder().decode(data))
      .join('');
  const failure = texts('application/vnd.code.notebook.error');
  return { printed: texts('application/vnd.code.notebook.stdout').trim(), error: failure && messageOf(failure) };
}

function messageOf(failure: string): string {
  try {
    const { message } = JSON.parse(failure) as { message?: unknown };
    return typeof message === 'string' ? message : '';
  } catch {
    return failure;
  }
}

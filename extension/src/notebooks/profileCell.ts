// Profiling a cell of a notebook where it runs: in the kernel that the notebook has.

import path from 'node:path';
import * as vscode from 'vscode';
import { runDirectory } from '../capture/captureCommand';
import { showHotLines } from '../capture/captureEnd';
import { bundledAgent } from '../daemon/bundledWheels';
import { registerCommand, UserError } from '../failure';
import { openRun } from '../runs/openRun';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';
import { offer, withNotification } from '../userMessages';
import { askingCode } from './askKernel';
import { runCell, runTemporaryCell } from './runCell';

const NOTEBOOKS = 'jupyter-notebook';

/** The command that profiles a cell, and what offers it below each. */
export function registerProfileCell(services: Services, shown: ShownRun): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(services, 'scopelight.profileCell', async (asked) => {
      const cell = cellOf(asked);
      await services.daemon.beInstalled();
      const conductor = await services.daemon.python();
      const title = vscode.l10n.t('Profiling {0}', nameOf(cell));
      const run = await withNotification(title, (_, token) => profile(services, cell, conductor, token));
      const opened = await openRun(shown, run);
      await showHotLines();
      if (opened.summary !== '') {
        void offer(vscode.window.showInformationMessage, opened.summary, []);
      }
    }),
    vscode.notebooks.registerNotebookCellStatusBarItemProvider(NOTEBOOKS, {
      provideCellStatusBarItems: (cell) => {
        if (!isPython(cell) || !vscode.workspace.isTrusted) {
          return [];
        }
        const label = vscode.l10n.t('Profile Cell');
        const item = new vscode.NotebookCellStatusBarItem(
          `$(flame) ${label}`,
          vscode.NotebookCellStatusBarAlignment.Left,
        );
        item.command = { title: label, command: 'scopelight.profileCell', arguments: [cell] };
        item.tooltip = vscode.l10n.t('Run the cell, and see which lines its time goes to');
        return [item];
      },
    }),
  );
}

/** Runs a cell under capture; the run directory. Its text stays what it is, and so does what its kernel calls it. */
async function profile(
  { context }: Services,
  cell: vscode.NotebookCell,
  conductor: string,
  token: vscode.CancellationToken,
): Promise<string> {
  const { version } = context.extension.packageJSON as { version: string };
  const agent = bundledAgent(context.extensionPath, version);
  const made = { name: cell.notebook.uri.fsPath, isModule: false, folder: folderOf(cell.notebook) };
  const code = askingCode({ agent, out: runDirectory(made, new Date()), conductor });
  const { printed, error } = await runTemporaryCell(cell.notebook, code, token);
  const run = printed.split('\n').at(-1) ?? '';
  if (error !== '' || !path.isAbsolute(run)) {
    throw new UserError(
      vscode.l10n.t('The kernel of this notebook cannot profile its cells: {0}', error || printed || 'Python?'),
    );
  }
  await runCell(cell, token);
  return run;
}

/** The cell that a menu is of, or the first of those that are selected. */
function cellOf(asked: unknown): vscode.NotebookCell {
  const editor = vscode.window.activeNotebookEditor;
  const cell = isCellObject(asked) ? asked : editor?.notebook.cellAt(editor.selection.start);
  if (cell === undefined || !isPython(cell)) {
    throw new UserError(vscode.l10n.t('Select a cell of Python in a notebook first.'));
  }
  return cell;
}

function isCellObject(asked: unknown): asked is vscode.NotebookCell {
  const { notebook, document } = (asked ?? {}) as Partial<vscode.NotebookCell>;
  return notebook !== undefined && document !== undefined;
}

function isPython({ kind, document }: vscode.NotebookCell): boolean {
  return kind === vscode.NotebookCellKind.Code && document.languageId === 'python';
}

/** As the run's lines are named: `train.ipynb, cell 3`. */
function nameOf({ notebook, index }: vscode.NotebookCell): string {
  return vscode.l10n.t('{0}, cell {1}', path.basename(notebook.uri.fsPath), index + 1);
}

/** The workspace folder of a notebook, else its own. */
function folderOf({ uri, isUntitled }: vscode.NotebookDocument): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri) ?? vscode.workspace.workspaceFolders?.[0];
  if (folder !== undefined) {
    return folder.uri.fsPath;
  }
  if (isUntitled) {
    throw new UserError(vscode.l10n.t('Save the notebook first: the run is kept beside it.'));
  }
  return path.dirname(uri.fsPath);
}

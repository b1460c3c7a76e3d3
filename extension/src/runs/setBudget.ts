// Set Budget from This Run: what a run took, with headroom, written as budgets of the project.

import path from 'node:path';
import * as vscode from 'vscode';
import { registerCommand } from '../failure';
import { isRecordedLine } from '../lines/annotatedLine';
import type { BudgetEdits, ProposedBudget, ProposedBudgets } from '../protocol';
import type { Services } from '../services';
import { pathOf, pickPath, type RunsShown } from './pickRun';

interface BudgetItem extends vscode.QuickPickItem {
  readonly budget?: ProposedBudget;
}

/**
 * Registers `Set Budget from This Run…`: of the run of the node, else of the one that is shown. Budgets of the function at
 * the cursor, or at the place that a code action names, are offered first.
 */
export function registerSetBudget(services: Services, runs: RunsShown): vscode.Disposable {
  return registerCommand(services, 'scopelight.setBudget', async (argument) => {
    const run =
      pathOf(argument) ??
      runs.shown.current?.path ??
      (await pickPath(runs, vscode.l10n.t('The run that budgets are made from'), ({ state }) => state !== 'running'));
    if (run === undefined) {
      return;
    }
    const place = isRecordedLine(argument) ? { file: argument.file, line: argument.line } : placeAtCursor();
    const proposed = await services.daemon.request('scopelight/proposeBudgets', { path: run, ...place });
    const chosen = await choose(proposed);
    if (chosen === undefined || chosen.length === 0) {
      return;
    }
    const budgets = chosen.map(({ name, place, limit }) => ({ name, place, limit }));
    await write(await services.daemon.request('scopelight/setBudgets', { config: proposed.config, budgets }));
  });
}

/** The file and the line of the cursor in a script; nothing in any other editor. */
function placeAtCursor(): { file: string; line: number } | { file: null; line: null } {
  const editor = vscode.window.activeTextEditor;
  const isScript = editor?.document.uri.scheme === 'file' && editor.document.languageId === 'python';
  return isScript
    ? { file: editor.document.uri.fsPath, line: editor.selection.active.line + 1 }
    : { file: null, line: null };
}

async function choose({ budgets, run, config }: ProposedBudgets): Promise<readonly ProposedBudget[] | undefined> {
  const items: BudgetItem[] = [];
  let place: string | null | undefined;
  for (const budget of budgets) {
    if (budget.place !== place) {
      place = budget.place;
      const label = place ?? vscode.l10n.t('The whole run');
      items.push({ label, kind: vscode.QuickPickItemKind.Separator });
    }
    const { title: label, description, detail, is_first_choice: picked } = budget;
    items.push({ label, description, detail, picked, budget });
  }
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Set Budget from {0}', run),
    placeHolder: vscode.l10n.t('What {0} is to allow at most', path.basename(config)),
    canPickMany: true,
  });
  return chosen?.flatMap(({ budget }) => budget ?? []);
}

/** Writes the budgets, and shows them. A file that had no edits before is saved, so that checks read the same. */
async function write({ config, is_new, edits, line }: BudgetEdits): Promise<void> {
  const uri = vscode.Uri.file(config);
  const wasDirty = vscode.workspace.textDocuments.some((each) => each.uri.fsPath === uri.fsPath && each.isDirty);
  const edit = new vscode.WorkspaceEdit();
  if (is_new) {
    edit.createFile(uri, { ignoreIfExists: true });
  }
  for (const { start_line, start_character, end_line, end_character, text } of edits) {
    edit.replace(uri, new vscode.Range(start_line, start_character, end_line, end_character), text);
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  if (!wasDirty) {
    await document.save();
  }
  const at = new vscode.Position(Math.min(line, document.lineCount) - 1, 0);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}

// Deletes a run, or an experiment with its rounds: asked before it goes to the trash, and again where there is none.

import path from 'node:path';
import * as vscode from 'vscode';
import { experimentTitle } from '../comparison/experimentText';
import type { ListedExperiment, RunRecord } from '../protocol';
import type { RunsShown } from './pickRun';
import { revealFolder } from './revealFolder';
import { deleteForEver, moveToTrash } from './trash';

/** A folder that may be deleted, and the two questions before. */
interface Deletable {
  readonly path: string;
  readonly question: string;
  readonly withoutTrash: string;
  readonly detail: string;
}

export function wordsOfRun(run: RunRecord, title: string): Deletable {
  return {
    path: run.path,
    question: run.pinned
      ? vscode.l10n.t('Delete the pinned run “{0}”?', title)
      : vscode.l10n.t('Delete the run “{0}”?', title),
    withoutTrash: vscode.l10n.t('The run “{0}” cannot be moved to a trash. Delete it permanently?', title),
    detail: run.path,
  };
}

export function wordsOfExperiment(experiment: ListedExperiment): Deletable {
  const title = experimentTitle(experiment);
  const { rounds } = experiment;
  const runs =
    rounds === 1
      ? vscode.l10n.t('Its round of both sides goes with it.')
      : vscode.l10n.t('Its {0} rounds of both sides go with it.', rounds);
  return {
    path: experiment.path,
    question: vscode.l10n.t('Delete the experiment “{0}”?', title),
    withoutTrash: vscode.l10n.t('The experiment “{0}” cannot be moved to a trash. Delete it permanently?', title),
    detail: rounds === 0 ? experiment.path : `${runs}\n${experiment.path}`,
  };
}

/** Deletes a folder when the user has agreed; what is shown of it is shown no more. */
export async function deleteFolder(
  folder: Deletable,
  { list, shown }: Pick<RunsShown, 'list' | 'shown'>,
): Promise<void> {
  const { detail, question, withoutTrash } = folder;
  const toTrash = vscode.l10n.t('Move to Trash');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, toTrash)) !== toTrash) {
    return;
  }
  const left = await moveToTrash([folder.path]);
  if (left.length > 0) {
    // The first button is the one that Enter presses, and a second Enter must not cost the run. To keep it there is
    // the button Cancel, which the editor adds.
    const show = vscode.l10n.t('Show Its Folder');
    const remove = vscode.l10n.t('Delete Permanently');
    const chosen = await vscode.window.showWarningMessage(withoutTrash, { modal: true, detail }, show, remove);
    if (chosen === show) {
      await revealFolder(folder.path);
    }
    if (chosen !== remove) {
      return;
    }
    await deleteForEver(left);
  }
  const present = shown.current?.path;
  if (present === folder.path || present?.startsWith(folder.path + path.sep) === true) {
    await shown.clear();
  }
  await list.refresh();
}

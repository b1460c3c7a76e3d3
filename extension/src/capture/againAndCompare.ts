// Profile Again and Compare: which run is meant where none is shown, and what is said of the two that are compared.

import * as vscode from 'vscode';
import { compareAndShow } from '../comparison/compareCommands';
import type { ComparedRun } from '../comparison/comparedRun';
import { activeScript } from '../launch/pickTarget';
import type { ComparedWith, RunRecord } from '../protocol';
import type { Remembered } from '../remembered';
import { isCaptured, type RunsList } from '../runs/runsList';
import { scriptOf } from '../runs/scriptNames';

/** Of a commit with edits that were not committed. */
const EDITED = '*';

/** Has the command be offered where the script that is open has a run, though none is shown. */
export function offerForOpenScript(
  list: Pick<RunsList, 'known' | 'onDidChange'>,
  remembered: Pick<Remembered, 'making'>,
): vscode.Disposable {
  const tell = (): void => {
    const isThere = runOfOpenScript(list.known, remembered) !== undefined;
    void vscode.commands.executeCommand('setContext', 'scopelight.hasRunOfOpenScript', isThere);
  };
  tell();
  return vscode.Disposable.from(list.onDidChange(tell), vscode.window.onDidChangeActiveTextEditor(tell));
}

/** The newest run of the script that is open; undefined where it has none that can be compared. */
export function runOfOpenScript(
  runs: readonly RunRecord[],
  remembered: Pick<Remembered, 'making'>,
): RunRecord | undefined {
  const script = activeScript();
  return script === undefined
    ? undefined
    : runs.find((run) => isCaptured(run) && fileOfRun(run, remembered) === script);
}

/** The file that was run, of a module as it was asked for here. */
function fileOfRun(run: RunRecord, remembered: Pick<Remembered, 'making'>): string | undefined {
  const target = remembered.making(run.path)?.target;
  return scriptOf(run) ?? (target?.kind === 'module' ? target.path : undefined);
}

/** Compares a run with the one that it was made again of, and says where what was committed or edited is another. */
export async function compareAgain(compared: ComparedRun, run: string, before: string): Promise<void> {
  const sentence = revisionsText(await compareAndShow(compared, run, before));
  if (sentence !== undefined) {
    void vscode.window.showInformationMessage(sentence);
  }
}

/** In what the commits of two runs differ; undefined where they do not, as far as that is known. */
function revisionsText({ before_revision: one, after_revision: other }: ComparedWith): string | undefined {
  if (one === null || other === null || one === other) {
    return undefined;
  }
  const commit = commitOf(one);
  if (commit !== commitOf(other)) {
    return vscode.l10n.t('The runs that are compared are of different commits: {0} → {1}.', one, other);
  }
  return other.endsWith(EDITED)
    ? vscode.l10n.t('The runs that are compared are of the same commit, {0}, with edits since the first.', commit)
    : vscode.l10n.t('The runs that are compared are of the same commit, {0}; the first was of edits to it.', commit);
}

function commitOf(revision: string): string {
  return revision.endsWith(EDITED) ? revision.slice(0, -EDITED.length) : revision;
}

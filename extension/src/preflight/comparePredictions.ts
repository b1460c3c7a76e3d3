// Compare Predictions…: runs that are there, side by side.

import * as vscode from 'vscode';
import { registerCommand } from '../failure';
import type { RunRecord } from '../protocol';
import { isRunNode } from '../runs/pickRun';
import { runDescription, runTitle } from '../runs/runText';
import { isComparable, type RunsList } from '../runs/runsList';
import { runName } from '../runs/scriptNames';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';
import type { Comparisons } from './comparisons';

interface RunItem extends vscode.QuickPickItem {
  readonly path: string;
}

/** What there is to choose from. */
interface Parts {
  readonly list: RunsList;
  readonly shown: Pick<ShownRun, 'current'>;
}

/** The commands: of the shown run beside what was predicted of it, of runs that are selected in the tree, of paths that a message has, else of those that are ticked. */
export function registerComparePredictions(
  services: Pick<Services, 'log'>,
  parts: Parts,
  comparisons: Pick<Comparisons, 'open'>,
): vscode.Disposable {
  const beside = registerCommand(services, 'scopelight.besidePrediction', async () => {
    const run = parts.shown.current;
    if (run !== null && run.predicted_by !== null) {
      await comparisons.open([run.predicted_by, run.path]);
    }
  });
  const compare = registerCommand(services, 'scopelight.comparePredictions', async (given, selected) => {
    const nodes = Array.isArray(selected) ? selected.filter(isRunNode).map(({ run }) => run) : [];
    const paths = Array.isArray(given)
      ? given.filter((each) => typeof each === 'string')
      : nodes.length > 1
        ? inColumns(nodes)
        : await pickRuns(parts, isRunNode(given) ? given.run.path : parts.shown.current?.path);
    if (paths.length > 0) {
      await comparisons.open(paths);
    }
  });
  return vscode.Disposable.from(beside, compare);
}

/** Predictions first, each kind of run in the order in which it was made. */
function inColumns(runs: readonly RunRecord[]): readonly string[] {
  const sorted = runs.toSorted((one, other) => (one.created ?? '').localeCompare(other.created ?? ''));
  return [
    ...sorted.filter((run) => run.predicted_for !== null),
    ...sorted.filter((run) => run.predicted_for === null),
  ].map(({ path }) => path);
}

async function pickRuns({ list, shown }: Parts, ticked: string | undefined): Promise<readonly string[]> {
  const runs = await list.refresh();
  const now = new Date();
  const items = runs.filter(isComparable).map((run): RunItem => ({
    label: runTitle(run, runName(run, runs)),
    description: runDescription(run, run.path === shown.current?.path, now),
    path: run.path,
    picked: run.path === ticked,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Compare Predictions'),
    placeHolder: vscode.l10n.t('The runs to set side by side, predicted or measured on a TPU'),
    canPickMany: true,
    matchOnDescription: true,
  });
  const chosen = new Set(picked?.map(({ path }) => path));
  return inColumns(runs.filter(({ path }) => chosen.has(path)));
}

// Compare with…, Stop Comparing, and what opens an experiment: what is compared, chosen by whoever wants to see it.

import * as vscode from 'vscode';
import { registerCommand } from '../failure';
import { openCommand } from '../panels/panelList';
import type { ComparedWith, ListedExperiment, RunRecord } from '../protocol';
import type { Services } from '../services';
import { withNotificationUnlessSoon } from '../userMessages';
import type { ComparedRun } from './comparedRun';
import { canBeCompared, experimentDescription, experimentTitle } from './experimentText';
import {
  isExperimentNode,
  isProfileNode,
  isRunNode,
  pathOf,
  pickRun,
  profileItems,
  type RunsShown,
} from '../runs/pickRun';
import { relativeTime, runDescription, runTitle } from '../runs/runText';
import { isCaptured } from '../runs/runsList';
import { runName, scriptOf } from '../runs/scriptNames';

/** What a run is compared with: another, or with nothing else the experiment that is both. */
interface SideItem extends vscode.QuickPickItem {
  readonly side?: { readonly run?: string; readonly before: string | null } | 'folder';
}

export function registerCompareCommands(
  services: Pick<Services, 'log'>,
  runs: RunsShown,
  compared: ComparedRun,
): vscode.Disposable {
  const { list, shown } = runs;
  return vscode.Disposable.from(
    registerCommand(services, 'scopelight.compareWith', async (node, selected) => {
      const two = await selectedTwo(selected, list.get());
      if (two !== undefined) {
        await compareAndShow(compared, two[1], two[0]);
        return;
      }
      const run = pathOf(node) ?? shown.current?.path ?? (await pickAny(runs));
      const side = run === undefined ? undefined : await pickBefore(runs, run);
      if (run !== undefined && side !== undefined) {
        await compareAndShow(compared, side.run ?? run, side.before);
      }
    }),
    registerCommand(services, 'scopelight.openExperiment', async (argument) => {
      const folder = isExperimentNode(argument) ? argument.experiment.path : argument;
      if (typeof folder === 'string') {
        await compareAndShow(compared, folder, null);
      }
    }),
    registerCommand(services, 'scopelight.stopComparing', () => compared.stop()),
  );
}

/** Compares, telling how far that is where it takes long, and opens the panel with what changed. */
export async function compareAndShow(
  compared: Pick<ComparedRun, 'compare'>,
  run: string,
  before: string | null,
): Promise<ComparedWith> {
  const found = await withNotificationUnlessSoon(vscode.l10n.t('Comparing'), (onProgress, token) =>
    compared.compare(run, before, { token, onProgress }),
  );
  await vscode.commands.executeCommand(openCommand('comparison'));
  return found;
}

/** Two runs that are selected in the tree, the older first; undefined where it is another number of them. */
async function selectedTwo(
  selected: unknown,
  known: Promise<readonly RunRecord[]>,
): Promise<readonly [string, string] | undefined> {
  const paths = Array.isArray(selected) ? selected.filter((each) => isRunNode(each) || isProfileNode(each)) : [];
  if (paths.length !== 2) {
    return undefined;
  }
  const runs = await known;
  const created = (each: unknown): string => runs.find(({ path }) => path === pathOf(each))?.created ?? '';
  const [one, other] = paths.toSorted((a, b) => created(a).localeCompare(created(b))).map(pathOf);
  return one === undefined || other === undefined ? undefined : [one, other];
}

async function pickAny(runs: RunsShown): Promise<string | undefined> {
  return (await pickRun(runs, vscode.l10n.t('The run to compare with another'), isCaptured))?.run.path;
}

async function pickBefore(
  parts: RunsShown,
  run: string,
): Promise<{ readonly run?: string; readonly before: string | null } | undefined> {
  const { list } = parts;
  const runs = await list.refresh();
  const record = runs.find(({ path }) => path === run);
  const others = runs.filter((each) => isCaptured(each) && each.path !== run);
  const isOfScript = (each: RunRecord): boolean => record !== undefined && isOneScript(each, record);
  const item = (each: RunRecord): SideItem => ({
    label: runTitle(each, runName(each, runs)),
    description: sideDescription(each),
    side: { before: each.path },
  });
  const opened = profileItems(parts)
    .filter(({ path }) => path !== run)
    .map(({ label, description, path }): SideItem => ({
      label,
      ...(description === undefined ? {} : { description }),
      side: { before: path },
    }));
  const items: SideItem[] = [
    ...section(vscode.l10n.t('Runs of this script'), others.filter(isOfScript).map(item)),
    ...section(
      vscode.l10n.t('Experiments: rounds of both sides'),
      list.experiments.filter(canBeCompared).map(experimentItem),
    ),
    ...section(vscode.l10n.t('Other runs'), others.filter((each) => !isOfScript(each)).map(item)),
    ...section(vscode.l10n.t('Opened profiles'), opened),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: vscode.l10n.t('A Folder…'),
      description: vscode.l10n.t('a run, or several rounds of one'),
      side: 'folder',
    },
  ];
  const title = record === undefined ? vscode.l10n.t('Compare') : titleOf(record, runs);
  const placeHolder = vscode.l10n.t('What was before it');
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
  if (picked?.side !== 'folder') {
    return picked?.side;
  }
  const folder = await askFolder();
  return folder === undefined ? undefined : { before: folder };
}

function titleOf(record: RunRecord, runs: readonly RunRecord[]): string {
  return vscode.l10n.t('Compare {0}', runTitle(record, runName(record, runs)));
}

function section(title: string, items: readonly SideItem[]): readonly SideItem[] {
  return items.length === 0 ? [] : [{ label: title, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function experimentItem(experiment: ListedExperiment): SideItem {
  return {
    label: experimentTitle(experiment),
    description: experimentDescription(experiment, new Date()),
    side: { run: experiment.path, before: null },
  };
}

/** When it was made, of which commit, and what else tells it apart: `2 min. ago · 3f2a1b0c · 5 steps · 4 × TPU v6e`. */
function sideDescription(run: RunRecord): string {
  const now = new Date();
  const [time, ...others] = runDescription(run, false, now).split(' · ');
  const when = run.created === null ? null : relativeTime(new Date(run.created), now, vscode.env.language);
  return [time, ...(time === when ? [run.revision] : []), ...others, ...(time === when ? [] : [run.revision])]
    .filter((fact) => fact !== null && fact !== undefined && fact !== '')
    .join(' · ');
}

function isOneScript(one: RunRecord, other: RunRecord): boolean {
  return one.script !== null && one.is_module === other.is_module
    ? (scriptOf(one) ?? one.script) === (scriptOf(other) ?? other.script)
    : false;
}

async function askFolder(): Promise<string | undefined> {
  const start = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Compare with'),
    openLabel: vscode.l10n.t('Compare'),
    canSelectFiles: true,
    canSelectFolders: true,
    ...(start === undefined ? {} : { defaultUri: start }),
  });
  return chosen?.[0]?.fsPath;
}

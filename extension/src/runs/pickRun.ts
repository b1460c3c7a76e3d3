// Which run or profile a command is for: the node that it was called with, else the one that is chosen.

import path from 'node:path';
import * as vscode from 'vscode';
import { experimentDescription, experimentTitle } from '../comparison/experimentText';
import type { ListedExperiment, RunRecord } from '../protocol';
import type { Remembered } from '../remembered';
import type { OpenedProfiles } from './openedProfiles';
import { profileDescription, runDescription, runTitle } from './runText';
import { runName } from './scriptNames';
import type { RunsList } from './runsList';
import type { ExperimentLeaf, ProfileLeaf, RunLeaf } from './runsTree';
import type { ShownRun } from './shownRun';

/** What the commands act on. */
export interface RunsShown {
  readonly list: RunsList;
  readonly shown: ShownRun;
  readonly profiles: OpenedProfiles;
  readonly remembered: Pick<Remembered, 'making'>;
  /** Whether a page of ours can be seen: it says by itself why there is nothing to show. */
  readonly isPageInSight: () => boolean;
}

interface PathItem extends vscode.QuickPickItem {
  readonly path: string;
}

async function runItems({ list, shown }: RunsShown, isOffered: (run: RunRecord) => boolean) {
  const now = new Date();
  const runs = await list.refresh();
  return runs.filter(isOffered).map((run) => ({
    label: runTitle(run, runName(run, runs)),
    name: runName(run, runs),
    description: runDescription(run, run.path === shown.current?.path, now),
    path: run.path,
    run,
  }));
}

export function profileItems({ profiles, shown }: RunsShown): readonly PathItem[] {
  const now = new Date();
  return profiles.all.map((profile) => ({
    label: path.basename(profile.path),
    description: profileDescription(profile, profile.path === shown.current?.path, now),
    path: profile.path,
  }));
}

export async function pick<Item extends PathItem>(
  items: readonly Item[] | Promise<readonly Item[]>,
  placeHolder: string,
): Promise<Item | undefined> {
  return vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
}

export async function pickRun(
  runs: RunsShown,
  placeHolder: string,
  isOffered: (run: RunRecord) => boolean,
): Promise<Pick<RunLeaf, 'run' | 'name'> | undefined> {
  return pick(runItems(runs, isOffered), placeHolder);
}

/** One that is over: those of a running one are being written. */
export async function pickExperiment(list: RunsList, placeHolder: string): Promise<ListedExperiment | undefined> {
  const now = new Date();
  await list.refresh();
  const items = list.experiments
    .filter(({ state }) => state !== 'running')
    .map((experiment) => ({
      label: experimentTitle(experiment),
      description: experimentDescription(experiment, now),
      path: experiment.path,
      experiment,
    }));
  return (await pick(items, placeHolder))?.experiment;
}

/** Of the runs and the opened profiles. */
export async function pickPath(
  runs: RunsShown,
  placeHolder: string,
  isOffered: (run: RunRecord) => boolean,
): Promise<string | undefined> {
  const items = async (): Promise<readonly PathItem[]> => [...(await runItems(runs, isOffered)), ...profileItems(runs)];
  return (await pick(items(), placeHolder))?.path;
}

export function isRunNode(node: unknown): node is RunLeaf {
  return typeof node === 'object' && node !== null && 'kind' in node && node.kind === 'run';
}

export function isProfileNode(node: unknown): node is ProfileLeaf {
  return typeof node === 'object' && node !== null && 'kind' in node && node.kind === 'profile';
}

export function isExperimentNode(node: unknown): node is ExperimentLeaf {
  return typeof node === 'object' && node !== null && 'kind' in node && node.kind === 'experiment';
}

export function pathOf(node: unknown): string | undefined {
  return isRunNode(node) ? node.run.path : isProfileNode(node) ? node.profile.path : undefined;
}

import path from 'node:path';
import { join } from 'shlex';
import * as vscode from 'vscode';
import { DaemonError } from '../daemon/connection';
import { Observable } from '../observable';
import type { ListedExperiment, LogDirectoryRecord, RunRecord } from '../protocol';
import type { OpenedProfile } from '../remembered';
import {
  type DirectoryNode,
  directoryItem,
  hostItem,
  type HostNode,
  hostNodes,
  isAddress,
  isOfRun,
  nameOf,
  sessionItem,
  type SessionNode,
  sessionNodes,
  sessionsOfRun,
} from './logDirectories';
import type { OpenedProfiles } from './openedProfiles';
import {
  problemItem,
  type ProblemNode,
  type RemoteDirectories,
  remoteItem,
  type RemoteNode,
} from './remoteDirectories';
import { argumentsByOption, type RunFact, runFacts, runTooltip } from './runFacts';
import { canBeCompared, experimentDescription, experimentTitle } from '../comparison/experimentText';
import { RowCommands } from './rowCommands';
import { profileDescription, runDescription, runTitle } from './runText';
import type { RunsList } from './runsList';
import { runName } from './scriptNames';
import type { ShownRun } from './shownRun';

/**
 * What the tree shows: runs with their sessions and facts, in a workspace of several folders the folders that hold them,
 * log directories of other tools, here and on servers, and below them the profiles that were opened from elsewhere.
 */
export type RunNode =
  | { readonly kind: 'folder'; readonly folder: vscode.WorkspaceFolder }
  | RunLeaf
  | FactLeaf
  | DirectoryNode
  | SessionNode
  | HostNode
  | RemoteNode
  | ProblemNode
  | ExperimentLeaf
  | { readonly kind: 'profiles' }
  | ProfileLeaf;

/** A run in the tree; what its commands receive. */
export interface RunLeaf {
  readonly kind: 'run';
  readonly run: RunRecord;
  /** What its script is called beside those of other runs. */
  readonly name: string;
}

/** Rounds of both sides of a script in the tree; what its commands receive. */
export interface ExperimentLeaf {
  readonly kind: 'experiment';
  readonly experiment: ListedExperiment;
}

/** A fact of a run, below it. */
interface FactLeaf {
  readonly kind: 'fact';
  readonly run: RunLeaf;
  readonly fact: RunFact;
  /** The arguments by option stand below the fact of all of them. */
  readonly parts: readonly RunFact[];
}

/** A profile that was opened; what its commands receive. */
export interface ProfileLeaf {
  readonly kind: 'profile';
  readonly profile: OpenedProfile;
}

/** The view Runs. */
export class RunsTree extends Observable implements vscode.TreeDataProvider<RunNode> {
  readonly onDidChangeTreeData = this.onDidChange;
  private readonly listed = new vscode.EventEmitter<void>();
  private readonly commands = new RowCommands();

  /** The editor asked what stands in the tree, and knows. */
  readonly onDidList = this.listed.event;

  constructor(
    private readonly list: RunsList,
    private readonly shown: ShownRun,
    private readonly profiles: OpenedProfiles,
    private readonly remote: RemoteDirectories,
  ) {
    super();
    this.parts.push(
      this.listed,
      this.commands,
      list.onDidChange(() => this.changed.fire()),
      shown.onDidChange(() => this.changed.fire()),
      profiles.onDidChange(() => this.changed.fire()),
      remote.onDidChange(() => this.changed.fire()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.changed.fire()),
    );
  }

  async getChildren(node?: RunNode): Promise<RunNode[]> {
    if (node?.kind === 'run') {
      return [...sessionsOfRun(node.run), ...factsOf(node)];
    }
    if (node?.kind === 'directory') {
      return sessionNodes(node.directory.sessions);
    }
    if (node?.kind === 'session') {
      return hostNodes(node);
    }
    if (node?.kind === 'remote') {
      const below = await this.remote.below(node);
      return 'kind' in below ? [below] : directoryNodes(below);
    }
    if (node?.kind === 'fact') {
      return node.parts.map((fact) => ({ kind: 'fact', run: node.run, fact, parts: [] }));
    }
    if (node?.kind === 'profiles') {
      return this.profiles.all.map((profile) => ({ kind: 'profile', profile }));
    }
    const runs = await this.known();
    if (node === undefined) {
      this.listed.fire();
    }
    if (runs === null) {
      return [];
    }
    const opened: RunNode[] = this.profiles.all.length > 0 ? [{ kind: 'profiles' }] : [];
    const profiles = [...directoryNodes(this.list.directories), ...this.remote.nodes, ...opened];
    const all = byTime(leaves(runs, runs), this.list.experiments);
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (node?.kind === 'folder') {
      return all.filter((each) => ownerOf(each, folders) === node.folder);
    }
    if (folders.length < 2) {
      return [...all, ...profiles];
    }
    const owners = new Set(all.map((each) => ownerOf(each, folders)));
    return [
      ...folders.filter((folder) => owners.has(folder)).map((folder): RunNode => ({ kind: 'folder', folder })),
      ...all.filter((each) => ownerOf(each, folders) === undefined),
      ...profiles,
    ];
  }

  getTreeItem(node: RunNode): vscode.TreeItem {
    const item = this.itemOf(node);
    if (item.command !== undefined) {
      item.command = this.commands.of(item.command);
    }
    return item;
  }

  private itemOf(node: RunNode): vscode.TreeItem {
    const shownPath = this.shown.current?.path;
    switch (node.kind) {
      case 'folder':
        return groupItem(node.folder.name, node.folder.uri.toString(), 'root-folder');
      case 'profiles':
        return groupItem(vscode.l10n.t('Opened Profiles'), 'profiles', 'folder-opened');
      case 'fact':
        return factItem(node);
      case 'directory':
        return directoryItem(node, this.shown.current);
      case 'session':
        return sessionItem(node, this.shown.current);
      case 'host':
        return hostItem(node, this.shown.current);
      case 'remote':
        return remoteItem(node);
      case 'problem':
        return problemItem(node);
      case 'run':
        return runItem(node.run, shownPath !== undefined && isOfRun(shownPath, node.run.path), node.name);
      case 'experiment':
        return experimentItem(node.experiment);
      case 'profile':
        return profileItem(node.profile, node.profile.path === (this.shown.current?.address ?? shownPath));
    }
  }

  /** What stands above a run or a profile; facts are never looked for from below. */
  getParent(node: RunNode): RunNode | undefined {
    if (node.kind === 'profile') {
      return { kind: 'profiles' };
    }
    const folders = vscode.workspace.workspaceFolders ?? [];
    const isOfFolder = node.kind === 'run' || node.kind === 'experiment';
    const folder = isOfFolder && folders.length > 1 ? ownerOf(node, folders) : undefined;
    return folder === undefined ? undefined : { kind: 'folder', folder };
  }

  /** The run that is shown; undefined where none is, or the list has it not. */
  async shownLeaf(): Promise<RunLeaf | ProfileLeaf | undefined> {
    const { path, address } = this.shown.current ?? {};
    if (path === undefined) {
      return undefined;
    }
    const runs = (await this.known()) ?? [];
    const run = runs.find((each) => isOfRun(path, each.path));
    const profile = this.profiles.all.find((each) => each.path === (address ?? path));
    return run !== undefined ? leaf(run, runs) : profile !== undefined ? { kind: 'profile', profile } : undefined;
  }

  /** Says anew how long ago each run was. */
  refresh(): void {
    this.changed.fire();
  }

  /** Null where the daemon does not answer: the view's welcome, or the daemon's own message, says why. */
  private async known(): Promise<readonly RunRecord[] | null> {
    try {
      return await this.list.get();
    } catch (error) {
      if (error instanceof DaemonError || error instanceof vscode.CancellationError) {
        return null;
      }
      throw error;
    }
  }
}

function directoryNodes(directories: readonly LogDirectoryRecord[]): DirectoryNode[] {
  return directories.map((directory) => ({ kind: 'directory', directory }));
}

function groupItem(label: string, id: string, icon: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}

/** How one run looks in the tree. */
export function runItem(run: RunRecord, isShown: boolean, name: string): vscode.TreeItem {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
  const description = runDescription(run, isShown, new Date());
  item.id = run.path;
  item.description = runDescription(run, isShown, new Date(), run.args);
  item.tooltip = runTooltip(run, name, vscode.env.language);
  item.iconPath = new vscode.ThemeIcon(iconOf(run, isShown));
  item.contextValue = contextOf(run);
  item.accessibilityInformation = { label: `${runTitle(run, name)}, ${description}` };
  if (run.state !== 'running') {
    item.command = { command: 'scopelight.openRun', title: vscode.l10n.t('Open Run'), arguments: [run.path] };
  }
  return item;
}

/** How the rounds of both sides of a script look in the tree: they are compared as one. */
function experimentItem(experiment: ListedExperiment): vscode.TreeItem {
  const title = experimentTitle(experiment);
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
  item.id = `experiment ${experiment.path}`;
  item.description = experimentDescription(experiment, new Date());
  item.tooltip = [experiment.problem, experiment.path].filter((fact) => fact !== null).join('\n');
  item.iconPath = new vscode.ThemeIcon(experiment.problem === null ? 'git-compare' : 'warning');
  item.contextValue = contextOfExperiment(experiment);
  item.accessibilityInformation = { label: `${title}, ${item.description}` };
  if (canBeCompared(experiment)) {
    const compare = vscode.l10n.t('Compare');
    item.command = { command: 'scopelight.openExperiment', title: compare, arguments: [experiment.path] };
  }
  return item;
}

/** How one opened profile looks in the tree. */
export function profileItem(profile: OpenedProfile, isShown: boolean): vscode.TreeItem {
  const name = isAddress(profile.path) ? nameOf(profile.path) : path.basename(profile.path);
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  const description = profileDescription(profile, isShown, new Date());
  item.id = `profile ${profile.path}`;
  // Files of many runs have one name: the folder tells them apart.
  item.description = description;
  item.tooltip = profile.path;
  item.iconPath = new vscode.ThemeIcon(isShown ? 'eye' : 'file');
  item.contextValue = 'profile';
  item.accessibilityInformation = { label: `${name}, ${description}` };
  item.command = { command: 'scopelight.openRun', title: vscode.l10n.t('Open Profile'), arguments: [profile.path] };
  return item;
}

/** What is known of a run, in rows that are as wide as the side bar. */
function factsOf(leaf: RunLeaf): FactLeaf[] {
  const { run } = leaf;
  const fact = (each: RunFact, parts: readonly RunFact[] = []): FactLeaf => ({
    kind: 'fact',
    run: leaf,
    fact: each,
    parts,
  });
  const all = { name: vscode.l10n.t('Arguments'), value: join([...run.args]) };
  const parts = argumentsByOption(run.args);
  const withArguments = run.args.length === 0 ? [] : [fact(all, parts.length > 1 ? parts : [])];
  return [...withArguments, ...runFacts(run, vscode.env.language).map((each) => fact(each))];
}

function factItem({ run, fact: { name, value }, parts }: FactLeaf): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(name, parts.length > 0 ? Collapsed : None);
  item.description = value;
  item.tooltip = new vscode.MarkdownString().appendText(value === '' ? name : `${name}: ${value}`);
  item.contextValue = 'fact';
  item.accessibilityInformation = { label: `${run.name}, ${name} ${value}` };
  return item;
}

function iconOf(run: RunRecord, isShown: boolean): string {
  if (run.problem !== null) {
    return 'warning';
  }
  if (run.state === 'running') {
    return 'loading~spin';
  }
  if (run.state === 'failed') {
    return 'error';
  }
  if (run.is_live && !isShown) {
    return 'record';
  }
  return isShown ? 'eye' : run.pinned ? 'pinned' : run.predicted_for === null ? 'flame' : 'telescope';
}

function contextOf(run: RunRecord): string {
  if (run.state === 'running') {
    return 'run.running';
  }
  if (run.is_live) {
    return 'run.live';
  }
  if (run.pinned) {
    return 'run.pinned';
  }
  return run.problem !== null || run.state === 'failed' ? 'run.failed' : 'run';
}

/** What the menu of its row has: there is nothing to compare of one without rounds, and none is deleted under its rounds. */
function contextOfExperiment(experiment: ListedExperiment): string {
  if (experiment.state === 'running') {
    return 'experiment.running';
  }
  return canBeCompared(experiment) ? 'experiment' : 'experiment.failed';
}

/** Runs and experiments, the newest first; of each in the order that they have. */
function byTime(runs: readonly RunLeaf[], experiments: readonly ListedExperiment[]): (RunLeaf | ExperimentLeaf)[] {
  const sorted: (RunLeaf | ExperimentLeaf)[] = [];
  const left = experiments.map((experiment): ExperimentLeaf => ({ kind: 'experiment', experiment }));
  for (const run of runs) {
    while (left[0] !== undefined && isNewer(left[0].experiment.created, run.run.created)) {
      sorted.push(...left.splice(0, 1));
    }
    sorted.push(run);
  }
  return [...sorted, ...left];
}

function isNewer(one: string | null, other: string | null): boolean {
  return one !== null && (other === null || Date.parse(one) > Date.parse(other));
}

function leaves(runs: readonly RunRecord[], all: readonly RunRecord[]): RunLeaf[] {
  return runs.map((run) => leaf(run, all));
}

function leaf(run: RunRecord, all: readonly RunRecord[]): RunLeaf {
  return { kind: 'run', run, name: runName(run, all) };
}

/** The innermost workspace folder that holds a run or an experiment. */
function ownerOf(
  node: RunLeaf | ExperimentLeaf,
  folders: readonly vscode.WorkspaceFolder[],
): vscode.WorkspaceFolder | undefined {
  const held = node.kind === 'run' ? node.run.path : node.experiment.path;
  return folders
    .filter(({ uri }) => held.startsWith(uri.fsPath + path.sep))
    .sort((one, other) => other.uri.fsPath.length - one.uri.fsPath.length)[0];
}

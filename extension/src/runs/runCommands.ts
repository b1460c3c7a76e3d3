import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ProgressReport } from '../daemon/connection';
import { registerCommand } from '../failure';
import { openCommand, panelsWithoutTimes } from '../panels/panelList';
import { type PanelId, panels } from '../panels/registry';
import type { OpenedRun, RunRecord } from '../protocol';
import type { Services } from '../services';
import type { OpenedProfiles } from './openedProfiles';
import { profileDescription, runDescription, runTitle } from './runText';
import type { RunsList } from './runsList';
import type { ProfileLeaf, RunLeaf } from './runsTree';
import type { ShownRun } from './shownRun';
import { deleteForEver, moveToTrash } from './trash';

/** What is over within this time needs no word of how far it is. */
const QUIET_MILLISECONDS = 300;

/** What the commands act on. */
export interface RunsShown {
  readonly list: RunsList;
  readonly shown: ShownRun;
  readonly profiles: OpenedProfiles;
  /** Whether a page of ours can be seen: it says by itself why there is nothing to show. */
  readonly isPageInSight: () => boolean;
}

/** The commands on runs and opened profiles: from the tree with its node, from the palette with a choice. */
export function registerRunCommands(services: Services, runs: RunsShown): vscode.Disposable {
  const { list, shown, profiles } = runs;
  /** The profiles of which it was told that nothing of them ran. */
  const told = new Set<string>();
  const ofRun = (
    command: string,
    placeHolder: string,
    isOffered: (run: RunRecord) => boolean,
    act: (run: RunRecord) => Promise<void>,
  ): vscode.Disposable =>
    registerCommand(services, command, async (node) => {
      const run = isRunNode(node) ? node.run : await pickRun(runs, placeHolder, isOffered);
      if (run !== undefined) {
        await act(run);
      }
    });
  const pin = async (run: RunRecord, pinned: boolean): Promise<void> => {
    await services.daemon.request('scopelight/pinRun', { path: run.path, pinned });
    await list.refresh();
  };

  return vscode.Disposable.from(
    registerCommand(services, 'scopelight.openRun', async (runPath) => {
      if (typeof runPath === 'string') {
        await openRun(shown, runPath);
      }
    }),
    registerCommand(services, 'scopelight.openProfile', async () => {
      const chosen = await askProfile();
      if (chosen !== undefined) {
        const opened = await openRun(shown, chosen);
        if (opened.never_ran && !told.has(opened.path) && !runs.isPageInSight()) {
          told.add(opened.path);
          tellOfPrograms(opened);
        }
        // A run of the workspace is in the list as it is.
        if (!(await list.get()).some(({ path }) => path === opened.path)) {
          await profiles.add(opened.path);
        }
      }
    }),
    registerCommand(services, 'scopelight.clear', () => shown.clear()),
    registerCommand(services, 'scopelight.selectRun', async (node) => {
      const isOffered = (run: RunRecord): boolean => run.state !== 'running';
      const path = pathOf(node) ?? (await pickPath(runs, vscode.l10n.t('The run to show'), isOffered));
      if (path !== undefined) {
        await openRun(shown, path);
      }
    }),
    registerCommand(services, 'scopelight.revealRun', async (node) => {
      const path = pathOf(node) ?? (await pickPath(runs, vscode.l10n.t('The run to reveal'), () => true));
      if (path !== undefined) {
        await reveal(path);
      }
    }),
    registerCommand(services, 'scopelight.forgetProfile', async (node) => {
      const placeHolder = vscode.l10n.t('The profile to take from the list; its files stay');
      const path = isProfileNode(node) ? node.profile.path : (await pick(profileItems(runs), placeHolder))?.path;
      if (path !== undefined) {
        await profiles.remove(path);
      }
    }),
    ofRun(
      'scopelight.deleteRun',
      vscode.l10n.t('The run to delete'),
      (run) => run.state !== 'running',
      (run) => deleteRun(run, list, shown),
    ),
    ofRun(
      'scopelight.pinRun',
      vscode.l10n.t('The run to keep'),
      (run) => !run.pinned && run.problem === null,
      (run) => pin(run, true),
    ),
    ofRun(
      'scopelight.unpinRun',
      vscode.l10n.t('The run that need not be kept'),
      (run) => run.pinned,
      (run) => pin(run, false),
    ),
  );
}

/** Opens a run; what takes long tells how far it is, and can be cancelled. */
async function openRun(shown: ShownRun, runPath: string): Promise<OpenedRun> {
  const source = new vscode.CancellationTokenSource();
  let latest: string | undefined;
  let report = (message: string): void => {
    latest = message;
  };
  const onProgress = ({ message }: ProgressReport): void => {
    if (message !== undefined) {
      report(message);
    }
  };
  const opening = shown.open(runPath, { token: source.token, onProgress });
  const isOver = opening.then(
    () => true,
    () => true,
  );
  if (!(await Promise.race([isOver, sleep(QUIET_MILLISECONDS, false)]))) {
    const title = vscode.l10n.t('Opening {0}', path.basename(runPath));
    const location = vscode.ProgressLocation.Notification;
    await vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
      token.onCancellationRequested(() => source.cancel());
      report = (message) => progress.report({ message });
      if (latest !== undefined) {
        report(latest);
      }
      await isOver;
    });
  }
  const run = await opening;
  await tell(run);
  return run;
}

interface WayToPanel {
  readonly label: string;
  readonly command: string;
}

/** Says what went wrong with a run, and leads to the panel that has more of it. */
async function tell(run: OpenedRun): Promise<void> {
  const { out_of_memory: ended, memory_alone: isMemoryAlone } = run;
  const profile = wayTo('memoryProfile');
  if (isMemoryAlone) {
    // There is nothing else of it, and why is of no interest to who opened a snapshot.
    await vscode.commands.executeCommand(profile.command);
  }
  if (ended !== null) {
    offer(vscode.window.showErrorMessage, ended, isMemoryAlone ? [] : [profile]);
  } else if (run.reason !== null && !isMemoryAlone && !run.never_ran) {
    offer(vscode.window.showWarningMessage, sentenceOf(run), []);
  }
}

/** Leads to the panels that have something of programs of which nothing ran. Nothing is wrong with them. */
function tellOfPrograms(run: OpenedRun): void {
  if (run.out_of_memory === null && run.reason !== null) {
    offer(vscode.window.showInformationMessage, sentenceOf(run), panelsWithoutTimes(run).map(wayTo));
  }
}

function sentenceOf({ reason, remedy }: OpenedRun): string {
  return [reason, remedy].filter(Boolean).join(' ');
}

/** The button of a message that leads to a panel. */
function wayTo(id: PanelId): WayToPanel {
  return { label: vscode.l10n.t('Show {0}', panels[id].title()), command: openCommand(id) };
}

/** A message with ways to panels. */
function offer(
  show: (sentence: string, ...labels: string[]) => Thenable<string | undefined>,
  sentence: string,
  ways: readonly WayToPanel[],
): void {
  // Messages have no code: what stands between backticks is written as it is.
  void show(sentence.replaceAll('`', ''), ...ways.map(({ label }) => label)).then((chosen) => {
    const way = ways.find(({ label }) => label === chosen);
    if (way !== undefined) {
      void vscode.commands.executeCommand(way.command);
    }
  });
}

async function askProfile(): Promise<string | undefined> {
  const start = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Open Profile'),
    openLabel: vscode.l10n.t('Open'),
    canSelectFiles: true,
    // A log directory of TensorBoard opens as well; where the system's dialog can choose only one kind, it is files.
    canSelectFolders: true,
    ...(start === undefined ? {} : { defaultUri: start }),
    filters: {
      [vscode.l10n.t('Profiles')]: ['pb', 'gz', 'json', 'prof', 'pprof'],
      [vscode.l10n.t('All files')]: ['*'],
    },
  });
  return chosen?.[0]?.fsPath;
}

interface PathItem extends vscode.QuickPickItem {
  readonly path: string;
}

async function runItems({ list, shown }: RunsShown, isOffered: (run: RunRecord) => boolean) {
  const now = new Date();
  return (await list.refresh()).filter(isOffered).map((run) => ({
    label: runTitle(run),
    description: runDescription(run, run.path === shown.current?.path, now),
    path: run.path,
    run,
  }));
}

function profileItems({ profiles, shown }: RunsShown): readonly PathItem[] {
  const now = new Date();
  return profiles.all.map((profile) => ({
    label: path.basename(profile.path),
    description: profileDescription(profile, profile.path === shown.current?.path, now),
    path: profile.path,
  }));
}

async function pick<Item extends PathItem>(
  items: readonly Item[] | Promise<readonly Item[]>,
  placeHolder: string,
): Promise<Item | undefined> {
  return vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
}

async function pickRun(
  runs: RunsShown,
  placeHolder: string,
  isOffered: (run: RunRecord) => boolean,
): Promise<RunRecord | undefined> {
  return (await pick(runItems(runs, isOffered), placeHolder))?.run;
}

/** Of the runs and the opened profiles. */
async function pickPath(
  runs: RunsShown,
  placeHolder: string,
  isOffered: (run: RunRecord) => boolean,
): Promise<string | undefined> {
  const items = async (): Promise<readonly PathItem[]> => [...(await runItems(runs, isOffered)), ...profileItems(runs)];
  return (await pick(items(), placeHolder))?.path;
}

async function deleteRun(run: RunRecord, list: RunsList, shown: ShownRun): Promise<void> {
  const title = runTitle(run);
  const toTrash = vscode.l10n.t('Move to Trash');
  const question = run.pinned
    ? vscode.l10n.t('Delete the pinned run “{0}”?', title)
    : vscode.l10n.t('Delete the run “{0}”?', title);
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail: run.path }, toTrash)) !== toTrash) {
    return;
  }
  const left = await moveToTrash([run.path]);
  if (left.length > 0) {
    // The first button is the one that Enter presses, and a second Enter must not cost the run.
    const keep = vscode.l10n.t('Keep');
    const remove = vscode.l10n.t('Delete Permanently');
    const sentence = vscode.l10n.t('The run “{0}” cannot be moved to a trash. Delete it permanently?', title);
    const options = { modal: true, detail: run.path };
    if ((await vscode.window.showWarningMessage(sentence, options, keep, remove)) !== remove) {
      return;
    }
    await deleteForEver(left);
  }
  if (run.path === shown.current?.path) {
    await shown.clear();
  }
  await list.refresh();
}

async function reveal(runPath: string): Promise<void> {
  const uri = vscode.Uri.file(runPath);
  if (vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop) {
    await vscode.commands.executeCommand('revealFileInOS', uri);
    return;
  }
  // The system's file browser is on another machine than the run.
  if (vscode.workspace.getWorkspaceFolder(uri) !== undefined) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  await vscode.env.clipboard.writeText(runPath);
  void vscode.window.showInformationMessage(vscode.l10n.t('The path of the run was copied: {0}', runPath));
}

function isRunNode(node: unknown): node is RunLeaf {
  return typeof node === 'object' && node !== null && 'kind' in node && node.kind === 'run';
}

function isProfileNode(node: unknown): node is ProfileLeaf {
  return typeof node === 'object' && node !== null && 'kind' in node && node.kind === 'profile';
}

function pathOf(node: unknown): string | undefined {
  return isRunNode(node) ? node.run.path : isProfileNode(node) ? node.profile.path : undefined;
}

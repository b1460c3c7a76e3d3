import * as vscode from 'vscode';
import { registerCommand } from '../failure';
import type { OpenedRun, RunRecord } from '../protocol';
import type { Services } from '../services';
import { deleteFolder, wordsOfExperiment, wordsOfRun } from './deleting';
import { tellUnopened } from './failedRun';
import { openRun, tellOfPrograms } from './openRun';
import {
  isExperimentNode,
  isProfileNode,
  isRunNode,
  pathOf,
  pick,
  pickExperiment,
  pickPath,
  pickRun,
  profileItems,
  type RunsShown,
} from './pickRun';
import { revealFolder } from './revealFolder';
import { runTitle } from './runText';
import { runName } from './scriptNames';

/** The commands on runs and opened profiles: from the tree with its node, from the palette with a choice. */
export function registerRunCommands(services: Services, runs: RunsShown): vscode.Disposable {
  const { list, shown, profiles } = runs;
  /** The profiles of which it was told that nothing of them ran. */
  const told = new Set<string>();
  const ofRun = (
    command: string,
    placeHolder: string,
    isOffered: (run: RunRecord) => boolean,
    act: (run: RunRecord, name: string) => Promise<void>,
  ): vscode.Disposable =>
    registerCommand(services, command, async (node) => {
      const chosen = isRunNode(node) ? node : await pickRun(runs, placeHolder, isOffered);
      if (chosen !== undefined) {
        await act(chosen.run, chosen.name);
      }
    });
  const open = async (path: string): Promise<void> => {
    try {
      await openRun(shown, path);
    } catch (error) {
      const known = await list.get();
      const run = known.find((each) => each.path === path);
      if (run === undefined) {
        throw error;
      }
      tellUnopened(run, runName(run, known), runs.remembered, error);
    }
  };
  const pin = async (run: RunRecord, pinned: boolean): Promise<void> => {
    await services.daemon.request('scopelight/pinRun', { path: run.path, pinned });
    await list.refresh();
  };

  return vscode.Disposable.from(
    registerCommand(services, 'scopelight.openRun', async (runPath) => {
      if (typeof runPath === 'string') {
        await open(runPath);
      }
    }),
    registerCommand(services, 'scopelight.openProfile', async () => {
      await services.daemon.beInstalled();
      const chosen = await askProfile();
      if (chosen !== undefined) {
        const opened = await openListed(runs, chosen);
        if (opened.never_ran && !told.has(opened.path) && !runs.isPageInSight()) {
          told.add(opened.path);
          tellOfPrograms(opened);
        }
      }
    }),
    registerCommand(services, 'scopelight.clear', () => shown.clear()),
    registerCommand(services, 'scopelight.selectRun', async (node) => {
      const isOffered = (run: RunRecord): boolean => run.state !== 'running';
      const path = pathOf(node) ?? (await pickPath(runs, vscode.l10n.t('The run to show'), isOffered));
      if (path !== undefined) {
        await open(path);
      }
    }),
    registerCommand(services, 'scopelight.revealRun', async (node) => {
      const path = isExperimentNode(node)
        ? node.experiment.path
        : (pathOf(node) ?? (await pickPath(runs, vscode.l10n.t('The run to reveal'), () => true)));
      if (path !== undefined) {
        await revealFolder(path);
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
      (run, name) => deleteFolder(wordsOfRun(run, runTitle(run, name)), runs),
    ),
    registerCommand(services, 'scopelight.deleteExperiment', async (node) => {
      const experiment = isExperimentNode(node)
        ? node.experiment
        : await pickExperiment(list, vscode.l10n.t('The experiment to delete'));
      if (experiment !== undefined) {
        await deleteFolder(wordsOfExperiment(experiment), runs);
      }
    }),
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

/** Opens a path or an address, and has it in the list. */
export async function openListed({ list, shown, profiles }: RunsShown, place: string): Promise<OpenedRun> {
  const opened = await openRun(shown, place);
  // A run of the workspace is in the list as it is; of an address the server is asked again when it is opened again.
  if (!(await list.get()).some(({ path }) => path === opened.path)) {
    await profiles.add(opened.address ?? opened.path);
  }
  return opened;
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

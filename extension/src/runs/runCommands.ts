import * as vscode from 'vscode';
import { registerCommand } from '../failure';
import type { OpenedRun, RunRecord } from '../protocol';
import type { Services } from '../services';
import { tellUnopened } from './failedRun';
import { openRun, tellOfPrograms } from './openRun';
import { isProfileNode, isRunNode, pathOf, pick, pickPath, pickRun, profileItems, type RunsShown } from './pickRun';
import { runTitle } from './runText';
import type { RunsList } from './runsList';
import { runName } from './scriptNames';
import type { ShownRun } from './shownRun';
import { deleteForEver, moveToTrash } from './trash';

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
      (run, name) => deleteRun(run, runTitle(run, name), list, shown),
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

/** Opens a path or an address, and has it in the list. */
export async function openListed({ list, shown, profiles }: RunsShown, place: string): Promise<OpenedRun> {
  const opened = await openRun(shown, place);
  // A run of the workspace is in the list as it is; of an address the server is asked again when it is opened again.
  if (!(await list.get()).some(({ path }) => path === opened.path)) {
    await profiles.add(opened.address ?? opened.path);
  }
  return opened;
}

async function deleteRun(run: RunRecord, title: string, list: RunsList, shown: ShownRun): Promise<void> {
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

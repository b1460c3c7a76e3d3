import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ProgressReport } from '../daemon/connection';
import { registerCommand } from '../failure';
import type { RunRecord } from '../protocol';
import type { Services } from '../services';
import { runDescription, runTitle } from './runText';
import type { RunsList } from './runsList';
import type { RunNode } from './runsTree';
import type { ShownRun } from './shownRun';
import { deleteForEver, moveToTrash } from './trash';

/** What is over within this time needs no word of how far it is. */
const QUIET_MILLISECONDS = 300;

/** The commands on runs: from the tree with its node, from the palette with a choice. */
export function registerRunCommands(services: Services, list: RunsList, shown: ShownRun): vscode.Disposable {
  const ofRun = (
    command: string,
    placeHolder: string,
    isOffered: (run: RunRecord) => boolean,
    act: (run: RunRecord) => Promise<void>,
  ): vscode.Disposable =>
    registerCommand(services, command, async (node) => {
      const run = isRunNode(node) ? node.run : await pickRun(list, shown, placeHolder, isOffered);
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
        await openRun(shown, chosen);
      }
    }),
    registerCommand(services, 'scopelight.clear', () => shown.clear()),
    ofRun(
      'scopelight.selectRun',
      vscode.l10n.t('The run to show'),
      (run) => run.state !== 'running',
      (run) => openRun(shown, run.path),
    ),
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
    ofRun('scopelight.revealRun', vscode.l10n.t('The run to reveal'), () => true, revealRun),
  );
}

/** Opens a run; what takes long tells how far it is, and can be cancelled. */
async function openRun(shown: ShownRun, runPath: string): Promise<void> {
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
  if (run.reason !== null) {
    void vscode.window.showWarningMessage([run.reason, run.remedy].filter(Boolean).join(' '));
  }
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
    filters: { [vscode.l10n.t('Profiles')]: ['pb', 'gz', 'json'], [vscode.l10n.t('All files')]: ['*'] },
  });
  return chosen?.[0]?.fsPath;
}

async function pickRun(
  list: RunsList,
  shown: ShownRun,
  placeHolder: string,
  isOffered: (run: RunRecord) => boolean,
): Promise<RunRecord | undefined> {
  const now = new Date();
  const items = list.refresh().then((runs) =>
    runs.filter(isOffered).map((run) => ({
      label: runTitle(run),
      description: runDescription(run, run.path === shown.current?.path, now),
      run,
    })),
  );
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  return picked?.run;
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

async function revealRun(run: RunRecord): Promise<void> {
  const uri = vscode.Uri.file(run.path);
  if (vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop) {
    await vscode.commands.executeCommand('revealFileInOS', uri);
    return;
  }
  // The system's file browser is on another machine than the run.
  if (vscode.workspace.getWorkspaceFolder(uri) !== undefined) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  await vscode.env.clipboard.writeText(run.path);
  void vscode.window.showInformationMessage(vscode.l10n.t('The path of the run was copied: {0}', run.path));
}

function isRunNode(node: unknown): node is Extract<RunNode, { kind: 'run' }> {
  return typeof node === 'object' && node !== null && 'kind' in node && node.kind === 'run';
}

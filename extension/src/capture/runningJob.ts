// Capturing jobs that run already, through their profiler servers or by an agent that is put into them.

import path from 'node:path';
import * as vscode from 'vscode';
import { registerCommand, UserError } from '../failure';
import type { CapturedJobs, LocalJob } from '../protocol';
import type { Remembered } from '../remembered';
import { openRun } from '../runs/openRun';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';
import { offer, withNotification } from '../userMessages';
import { showHotLines } from './captureEnd';
import { type ChosenJob, pickJob } from './jobsToCapture';

const DEFAULT_SECONDS = '2';
/** By how much the memory of a job on a CPU grows while it is traced, at most. */
const CPU_MEGABYTES_PER_SECOND = 130;

/** The command that captures jobs which run, here or elsewhere. */
export function registerCaptureRunningJob(
  services: Services,
  parts: { readonly remembered: Remembered; readonly shown: ShownRun },
): vscode.Disposable {
  const { remembered, shown } = parts;
  return registerCommand(services, 'scopelight.captureRunningJob', async () => {
    await services.daemon.beInstalled();
    const found = await services.daemon.request('scopelight/localJobs', {});
    const chosen = await pickJob(found, remembered.addresses);
    const seconds = chosen && (await askSeconds());
    if (chosen === undefined || seconds === undefined) {
      return;
    }
    const captured = await capture(services, chosen, folderOf(chosen, found.jobs), seconds);
    if (captured.path === null) {
      throw new UserError(captured.problems.join(' '));
    }
    if (chosen.kind === 'servers') {
      await remembered.addAddresses(chosen.addresses);
    }
    if (captured.problems.length > 0) {
      void offer(vscode.window.showWarningMessage, captured.problems.join(' '), []);
    }
    const run = await openRun(shown, captured.path);
    await showHotLines();
    if (run.summary !== '') {
      void offer(vscode.window.showInformationMessage, run.summary, []);
    }
  });
}

function capture(services: Services, chosen: ChosenJob, folder: string, seconds: number): Thenable<CapturedJobs> {
  return withNotification(titleOf(chosen), (onProgress, token) => {
    const common = { folder, seconds, workDoneToken: null };
    if (chosen.kind === 'process') {
      const parameters = { ...common, pid: chosen.job.pid };
      return services.daemon.request('scopelight/attachToJob', parameters, { token, onProgress });
    }
    const parameters = { ...common, addresses: [...chosen.addresses], trusts: chosen.trusts };
    return services.daemon.request('scopelight/captureServers', parameters, { token, onProgress });
  });
}

function titleOf(chosen: ChosenJob): string {
  if (chosen.kind === 'servers' && chosen.addresses.length > 1) {
    return vscode.l10n.t('Capturing {0} jobs', chosen.addresses.length);
  }
  const name = chosen.kind === 'process' ? path.basename(chosen.job.script) : (chosen.addresses[0] ?? '');
  return vscode.l10n.t('Capturing {0}', name);
}

async function askSeconds(): Promise<number | undefined> {
  const parse = (text: string): number | undefined => {
    const seconds = Number(text);
    return Number.isFinite(seconds) && seconds > 0 && seconds <= 86_400 ? seconds : undefined;
  };
  const prompt = vscode.l10n.t(
    'Seconds to capture. On a CPU each costs the job up to {0} MB of memory, which it keeps.',
    CPU_MEGABYTES_PER_SECOND,
  );
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Capture from Running Job'),
    value: DEFAULT_SECONDS,
    prompt,
    ignoreFocusOut: true,
    validateInput: (value) => (value === '' || parse(value) !== undefined ? undefined : prompt),
  });
  return text === undefined ? undefined : parse(text);
}

/** The workspace folder that a job runs in, else the first. */
function folderOf(chosen: ChosenJob, jobs: readonly LocalJob[]): string {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const job = chosen.kind === 'process' ? chosen.job : jobs.find(({ address }) => address === chosen.addresses[0]);
  const cwd = job?.cwd ?? null;
  const holding = cwd === null ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd));
  const folder = holding ?? folders[0];
  if (folder === undefined) {
    throw new UserError(vscode.l10n.t('Open a folder first: the run is kept in it.'));
  }
  return folder.uri.fsPath;
}

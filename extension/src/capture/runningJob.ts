// Capturing jobs that run already, through their profiler servers.

import path from 'node:path';
import * as vscode from 'vscode';
import { registerCommand, UserError } from '../failure';
import type { CapturedServers, LocalJob } from '../protocol';
import type { Remembered } from '../remembered';
import { openRun } from '../runs/openRun';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';
import { offer, withNotification } from '../userMessages';
import { showHotLines } from './captureEnd';

const DEFAULT_SECONDS = '2';
/** By how much the memory of a job on a CPU grows while it is traced, at most. */
const CPU_MEGABYTES_PER_SECOND = 130;

/** What is to be captured. */
interface Servers {
  readonly addresses: readonly string[];
  /** Whether they are asked although their jobs can freeze or end of it. */
  readonly trusts: boolean;
  /** The folder whose `.scopelight` receives the run. */
  readonly folder: string;
}

type Choice = vscode.QuickPickItem & { readonly answer: () => Promise<Omit<Servers, 'folder'> | undefined> };

/** The command that captures jobs which run, here or elsewhere. */
export function registerCaptureRunningJob(
  services: Services,
  parts: { readonly remembered: Remembered; readonly shown: ShownRun },
): vscode.Disposable {
  const { remembered, shown } = parts;
  return registerCommand(services, 'scopelight.captureRunningJob', async () => {
    await services.daemon.beInstalled();
    const { jobs } = await services.daemon.request('scopelight/localJobs', {});
    const chosen = await pickServers(jobs, remembered.addresses);
    const seconds = chosen && (await askSeconds());
    if (chosen === undefined || seconds === undefined) {
      return;
    }
    const captured = await capture(services, { ...chosen, folder: folderOf(jobs, chosen.addresses) }, seconds);
    if (captured.path === null) {
      throw new UserError(captured.problems.join(' '));
    }
    await remembered.addAddresses(chosen.addresses);
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

function capture(services: Services, servers: Servers, seconds: number): Thenable<CapturedServers> {
  const { addresses, trusts, folder } = servers;
  const [first = ''] = addresses;
  const title =
    addresses.length === 1
      ? vscode.l10n.t('Capturing {0}', first)
      : vscode.l10n.t('Capturing {0} jobs', addresses.length);
  return withNotification(title, (onProgress, token) =>
    services.daemon.request(
      'scopelight/captureServers',
      { addresses: [...addresses], trusts, folder, seconds, workDoneToken: null },
      { token, onProgress },
    ),
  );
}

async function pickServers(
  jobs: readonly LocalJob[],
  addresses: readonly string[],
): Promise<Omit<Servers, 'folder'> | undefined> {
  const safe = jobs.filter(({ kind, shares_port: isShared }) => kind === 'current' && !isShared);
  const found = new Set(jobs.map(({ address }) => address));
  const choices: Choice[] = [
    ...jobs.map(choiceOf),
    ...(safe.length > 1
      ? [
          {
            label: vscode.l10n.t('All {0} at once', safe.length),
            detail: vscode.l10n.t('Their traces begin together and make one run.'),
            answer: () => Promise.resolve({ addresses: safe.map(({ address }) => address), trusts: false }),
          },
        ]
      : []),
    ...addresses
      .filter((address) => !found.has(address))
      .map((address) => ({
        label: address,
        description: vscode.l10n.t('captured before'),
        answer: () => Promise.resolve({ addresses: [address], trusts: false }),
      })),
    {
      label: vscode.l10n.t('Enter an Address…'),
      detail: vscode.l10n.t('Of a job on another machine, or of several with commas between them.'),
      answer: askAddresses,
    },
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Capture from Running Job'),
    placeHolder:
      jobs.length > 0
        ? vscode.l10n.t('The job to capture')
        : vscode.l10n.t('No job of this machine listens: one does after jax.profiler.start_server(9999)'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked?.answer();
}

function choiceOf(job: LocalJob): Choice {
  const { address, pid, script, jaxlib, kind, cwd } = job;
  const version = jaxlib === null ? '' : `jaxlib ${jaxlib}`;
  const facts = [address, vscode.l10n.t('process {0}', pid), version].filter((each) => each !== '').join(' · ');
  const trusted = { addresses: [address], trusts: kind !== 'current' };
  return {
    label: path.basename(script),
    description: facts,
    ...(kind === 'current' ? (cwd === null ? {} : { detail: cwd }) : { detail: danger(job) }),
    answer: () => (kind === 'current' ? Promise.resolve(trusted) : beTrusted(job, trusted)),
  };
}

function danger({ kind }: LocalJob): string {
  return kind === 'tensorflow'
    ? vscode.l10n.t("TensorFlow's own server: it keeps its data on its own machine.")
    : vscode.l10n.t('Its jaxlib is older than 0.9: a capture from outside can freeze or end such a job.');
}

/** Asks once more where the job may not live through it. */
async function beTrusted<Answer>(job: LocalJob, answer: Answer): Promise<Answer | undefined> {
  const anyway = vscode.l10n.t('Capture All the Same');
  const picked = await vscode.window.showWarningMessage(danger(job), { modal: true }, anyway);
  return picked === anyway ? answer : undefined;
}

async function askAddresses(): Promise<Omit<Servers, 'folder'> | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Capture from Running Job'),
    placeHolder: 'localhost:9999',
    prompt: vscode.l10n.t(
      'HOST:PORT of the profiler server. It answers anyone, on all interfaces of its machine: keep its port closed to others, and reach it as localhost:9999 through ssh -L 9999:localhost:9999 HOST.',
    ),
    ignoreFocusOut: true,
    validateInput: (value) =>
      value === '' || addressesOf(value) !== undefined ? undefined : vscode.l10n.t('A host and a port: localhost:9999'),
  });
  const addresses = text === undefined ? undefined : addressesOf(text);
  return addresses && { addresses, trusts: false };
}

/** The addresses of a list with commas; undefined where one is none. What else is wrong with them the daemon says. */
function addressesOf(text: string): readonly string[] | undefined {
  const addresses = text.split(',').map((each) => each.trim());
  return addresses.every((each) => /^\S+:\d{1,5}$/u.test(each)) ? addresses : undefined;
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
function folderOf(jobs: readonly LocalJob[], addresses: readonly string[]): string {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const cwd = jobs.find(({ address }) => address === addresses[0])?.cwd ?? null;
  const holding = cwd === null ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd));
  const folder = holding ?? folders[0];
  if (folder === undefined) {
    throw new UserError(vscode.l10n.t('Open a folder first: the run is kept in it.'));
  }
  return folder.uri.fsPath;
}

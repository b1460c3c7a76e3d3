// The jobs that can be captured while they run, as a list to choose from.

import path from 'node:path';
import * as vscode from 'vscode';
import type { LocalJob, LocalJobs, UnpreparedJob } from '../protocol';
import { offer } from '../userMessages';

/** What is to be captured: profiler servers, or a process that the agent is put into. */
export type ChosenJob = ChosenServers | { readonly kind: 'process'; readonly job: UnpreparedJob };

export interface ChosenServers {
  readonly kind: 'servers';
  readonly addresses: readonly string[];
  /** Whether they are asked although their jobs can freeze or end of it. */
  readonly trusts: boolean;
}

type Choice = vscode.QuickPickItem & { readonly answer: () => Promise<ChosenJob | undefined> };

/** Asks for a job; `addresses` are those that were captured before. */
export async function pickJob(
  { jobs, unprepared }: LocalJobs,
  addresses: readonly string[],
): Promise<ChosenJob | undefined> {
  const safe = jobs.filter(({ kind, shares_port: isShared }) => kind === 'current' && !isShared);
  const found = new Set(jobs.map(({ address }) => address));
  const open = unprepared.filter(({ refusal }) => refusal === null);
  const choices: Choice[] = [
    ...jobs.map(choiceOf),
    ...open.map(unpreparedChoice),
    ...(safe.length > 1
      ? [
          {
            label: vscode.l10n.t('All {0} at once', safe.length),
            detail: vscode.l10n.t('Those that listen: their traces begin together and make one run.'),
            answer: () => Promise.resolve(servers(safe.map(({ address }) => address))),
          },
        ]
      : []),
    ...addresses
      .filter((address) => !found.has(address))
      .map((address) => ({
        label: address,
        description: vscode.l10n.t('captured before'),
        answer: () => Promise.resolve(servers([address])),
      })),
    {
      label: vscode.l10n.t('Enter an Address…'),
      detail: vscode.l10n.t('Of a job on another machine, or of several with commas between them.'),
      answer: askAddresses,
    },
    ...unprepared.filter(({ refusal }) => refusal !== null).map(unpreparedChoice),
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Capture from Running Job'),
    placeHolder:
      jobs.length + open.length > 0
        ? vscode.l10n.t('The job to capture')
        : vscode.l10n.t('No job of this machine listens: one does after jax.profiler.start_server(9999)'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked?.answer();
}

function servers(addresses: readonly string[], trusts = false): ChosenServers {
  return { kind: 'servers', addresses, trusts };
}

function choiceOf(job: LocalJob): Choice {
  const { address, script, kind, cwd } = job;
  const trusted = servers([address], kind !== 'current');
  return {
    label: path.basename(script),
    description: [address, ...processFacts(job)].join(' · '),
    ...(kind === 'current' ? (cwd === null ? {} : { detail: cwd }) : { detail: danger(job) }),
    answer: () => (kind === 'current' ? Promise.resolve(trusted) : beTrusted(job, trusted)),
  };
}

/** A job that nobody prepared. One that lets no agent in says what to do, also where it is picked all the same. */
function unpreparedChoice(job: UnpreparedJob): Choice {
  const { script, cwd, refusal } = job;
  const name = path.basename(script);
  const facts = processFacts(job);
  if (refusal === null) {
    return {
      label: name,
      description: [vscode.l10n.t('attach'), ...facts].join(' · '),
      ...(cwd === null ? {} : { detail: cwd }),
      answer: () => Promise.resolve({ kind: 'process', job }),
    };
  }
  return {
    label: `$(circle-slash) ${name}`,
    description: [vscode.l10n.t('does not listen'), ...facts].join(' · '),
    detail: refusal,
    answer: async () => {
      await offer(vscode.window.showInformationMessage, refusal, []);
      return undefined;
    },
  };
}

function processFacts({ pid, jaxlib }: Pick<LocalJob, 'pid' | 'jaxlib'>): readonly string[] {
  return [vscode.l10n.t('process {0}', pid), ...(jaxlib === null ? [] : [`jaxlib ${jaxlib}`])];
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

async function askAddresses(): Promise<ChosenServers | undefined> {
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
  return addresses && servers(addresses);
}

/** The addresses of a list with commas; undefined where one is none. What else is wrong with them the daemon says. */
function addressesOf(text: string): readonly string[] | undefined {
  const addresses = text.split(',').map((each) => each.trim());
  return addresses.every((each) => /^\S+:\d{1,5}$/u.test(each)) ? addresses : undefined;
}

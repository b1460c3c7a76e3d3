import * as vscode from 'vscode';
import { PROTOCOL_VERSION } from '../protocol';
import type { BundledWheels } from './bundledWheels';
import type { InstallStep } from './installFailure';
import { installFailure } from './installFailure';
import { pipProgress } from './pipProgress';
import type { Ended, ProcessRunner, RunOptions } from './process';

/** What an installation is done with and tells of itself. */
export interface Installation {
  readonly run: ProcessRunner;
  readonly log: vscode.LogOutputChannel;
  readonly token: vscode.CancellationToken;
  report(message: string): void;
}

/** Runs one step of an installation into the log; rejects with the sentence for what went wrong. */
export async function runStep(
  installation: Installation,
  step: InstallStep,
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ended> {
  const { log, token } = installation;
  log.info(`> ${command} ${args.join(' ')}`);
  let ended: Ended;
  try {
    ended = await installation.run(command, args, {
      token,
      ...options,
      onLine: (line) => {
        log.info(line);
        options.onLine?.(line);
      },
    });
  } catch (error) {
    if (error instanceof vscode.CancellationError) throw error;
    log.error(String(error));
    throw installFailure(step, String(error));
  }
  if (ended.code !== 0) {
    log.error(`It ended with exit code ${ended.code ?? 'none: a signal ended it'}.`);
    throw installFailure(step, ended.stderr + ended.stdout);
  }
  return ended;
}

/**
 * Installs the bundled daemon and the libraries that it needs with the pip of `python`. `hasAny`: it may hold a scopelight
 * of the same version built from other sources, which pip by itself would leave.
 */
export async function installWheel(
  installation: Installation,
  python: string,
  bundled: BundledWheels,
  hasAny: boolean,
): Promise<void> {
  installation.report(vscode.l10n.t('downloading'));
  const pip = [
    ...['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '--progress-bar', 'off'],
    // Most modules of the libraries are never imported: Python compiles the others when they are first, in less than half
    // the time.
    '--no-compile',
    // A library without a wheel for this machine would want a compiler: better to say that it is not to be had.
    ...['--only-binary', ':all:', '--constraint', bundled.constraints],
  ];
  const onLine = (line: string): void => {
    const progress = pipProgress(line);
    if (progress !== undefined) installation.report(progress);
  };
  await runStep(installation, 'download', python, [...pip, ...bundled.wheels], { onLine });
  if (hasAny) {
    await runStep(installation, 'download', python, [...pip, '--force-reinstall', '--no-deps', ...bundled.wheels]);
  }
}

const CHECK = `
import google.protobuf, numba, pygls
import scopelight
from scopelight.formats.native.ahead import compile_ahead
from scopelight.protocol import PROTOCOL_VERSION
# So that the first profile that is opened does not wait for it.
compile_ahead()
print(scopelight.__version__, PROTOCOL_VERSION)
`;

/** Makes sure that what was installed starts, and is what was meant to be installed. */
export async function checkInstalled(
  installation: Installation,
  python: string,
  bundled: BundledWheels,
): Promise<void> {
  installation.report(vscode.l10n.t('checking'));
  const ended = await runStep(installation, 'check', python, ['-c', CHECK]);
  if (ended.stdout.trim() !== `${bundled.version} ${PROTOCOL_VERSION}`) {
    throw installFailure('check', ended.stdout);
  }
}

import * as vscode from 'vscode';
import { InstallError } from './installFailure';
import { HIGHEST_MINOR, LOWEST_MINOR, probe, type Probed, suits } from './probe';
import type { ProcessRunner } from './process';

/** Names of interpreters on the search path, the best first. */
export const PYTHON_NAMES: readonly string[] = [
  ...Array.from({ length: HIGHEST_MINOR - LOWEST_MINOR + 1 }, (_, index) => `python3.${HIGHEST_MINOR - index}`),
  'python3',
  'python',
];

/** The first of `candidates` that can make the daemon's environment. Rejects with a sentence where there is none. */
export async function chooseBasePython(
  candidates: readonly string[],
  run: ProcessRunner,
  token?: vscode.CancellationToken,
): Promise<string> {
  let withoutVenv: readonly [number, number] | undefined;
  const answers: Promise<Probed | undefined>[] = [];
  const ask = (python: string): void => {
    const answer = probe(python, run, token);
    // It may be of no interest any more when it comes.
    answer.catch(() => undefined);
    answers.push(answer);
  };
  for (const [place, python] of candidates.entries()) {
    // Where the first does not do, all others are asked at once: one that does not answer holds none of them up.
    if (place === 0) ask(python);
    if (place === 1) candidates.slice(1).forEach(ask);
    const candidate = await answers[place];
    if (candidate === undefined || !suits(candidate.python)) continue;
    if (candidate.has_venv) return python;
    withoutVenv ??= candidate.python;
  }
  if (withoutVenv !== undefined) {
    throw new InstallError(
      vscode.l10n.t(
        'Python {0} lacks the module venv: install it ("sudo apt install python{0}-venv" on Debian and Ubuntu), then retry.',
        withoutVenv.join('.'),
      ),
    );
  }
  throw new InstallError(
    vscode.l10n.t(
      'No Python from 3.{0} to 3.{1} was found: install one, or name it in the setting scopelight.interpreter, then retry.',
      LOWEST_MINOR,
      HIGHEST_MINOR,
    ),
  );
}

import * as vscode from 'vscode';
import { InstallError } from './installFailure';
import type { ProcessRunner } from './process';

/** The minor versions of Python 3 that the daemon's libraries are published for. */
export const LOWEST_MINOR = 11;
export const HIGHEST_MINOR = 14;

/** Names of interpreters on the search path, the best first. */
export const PYTHON_NAMES: readonly string[] = [
  ...Array.from({ length: HIGHEST_MINOR - LOWEST_MINOR + 1 }, (_, index) => `python3.${HIGHEST_MINOR - index}`),
  'python3',
  'python',
];

/** Whether the daemon can run in a Python 3 of that minor version. */
export function suits(version: readonly [number, number]): boolean {
  return version[0] === 3 && version[1] >= LOWEST_MINOR && version[1] <= HIGHEST_MINOR;
}

interface Candidate {
  readonly version: readonly [number, number];
  /** Debian and Ubuntu ship `ensurepip` in a package of its own. */
  readonly has_venv: boolean;
}

const QUESTION = `
import json, sys
try:
    import ensurepip, venv
    has_venv = True
except ImportError:
    has_venv = False
print(json.dumps({"version": sys.version_info[:2], "has_venv": has_venv}))
`;

/** The first of `candidates` that can make the daemon's environment. Rejects with a sentence where there is none. */
export async function chooseBasePython(
  candidates: readonly string[],
  run: ProcessRunner,
  token?: vscode.CancellationToken,
): Promise<string> {
  let withoutVenv: readonly [number, number] | undefined;
  for (const python of candidates) {
    const candidate = await ask(python, run, token);
    if (candidate === undefined || !suits(candidate.version)) continue;
    if (candidate.has_venv) return python;
    withoutVenv ??= candidate.version;
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

async function ask(
  python: string,
  run: ProcessRunner,
  token: vscode.CancellationToken | undefined,
): Promise<Candidate | undefined> {
  try {
    const ended = await run(python, ['-c', QUESTION], token ? { token } : {});
    return ended.code === 0 ? (JSON.parse(ended.stdout) as Candidate) : undefined;
  } catch (error) {
    if (error instanceof vscode.CancellationError) throw error;
    return undefined;
  }
}

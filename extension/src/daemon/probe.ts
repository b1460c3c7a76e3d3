import * as vscode from 'vscode';
import type { ProcessRunner } from './process';

/** The minor versions of Python 3 that the daemon's libraries are published for. */
export const LOWEST_MINOR = 11;
export const HIGHEST_MINOR = 14;

/** Whether the daemon can run in a Python 3 of that minor version. */
export function suits(version: readonly [number, number]): boolean {
  return version[0] === 3 && version[1] >= LOWEST_MINOR && version[1] <= HIGHEST_MINOR;
}

/** What an interpreter says of itself. */
export interface Probed {
  readonly python: readonly [number, number];
  /** Debian and Ubuntu ship `ensurepip` in a package of its own. */
  readonly has_venv: boolean;
  /** The version of scopelight that it has; null for none. */
  readonly scopelight: string | null;
  /** A library that scopelight needs and that is not there; null for none. */
  readonly lacks: string | null;
}

/** As long as an interpreter may take to answer; on a slow disk it takes seconds. */
const LONGEST_MS = 20_000;

const QUESTION = `
import json, sys
from importlib.util import find_spec
found = find_spec("scopelight")
version = None
if found is not None:
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as version_of
    try:
        version = version_of("scopelight")
    except PackageNotFoundError:
        version = "unknown"
def is_there(name):
    try:
        return find_spec(name) is not None
    except ImportError:
        return False
lacks = next((each for each in ("attrs", "cattrs", "click", "google.protobuf", "lsprotocol", "numba", "numpy", "pygls", "rich") if not is_there(each)), None)
has_venv = is_there("ensurepip") and is_there("venv")
print(json.dumps({"python": sys.version_info[:2], "has_venv": has_venv, "scopelight": version, "lacks": lacks}))
`;

/** Asks an interpreter whether it can run the daemon, or make its environment; undefined where it does not even start. */
export async function probe(
  python: string,
  run: ProcessRunner,
  token?: vscode.CancellationToken,
): Promise<Probed | undefined> {
  try {
    // A file in the current folder must not stand for a library.
    const options = { environment: { PYTHONSAFEPATH: '1' }, limit_ms: LONGEST_MS };
    const ended = await run(python, ['-c', QUESTION], { ...options, ...(token === undefined ? {} : { token }) });
    return ended.code === 0 ? (JSON.parse(ended.stdout) as Probed) : undefined;
  } catch (error) {
    if (error instanceof vscode.CancellationError) throw error;
    return undefined;
  }
}

/** Why the daemon cannot run in that interpreter, and whether installing it there would help. */
export function unsuitable(
  python: string,
  found: Probed | undefined,
  version: string,
): { readonly sentence: string; readonly canInstall: boolean } | undefined {
  const no = (canInstall: boolean, sentence: string) => ({ sentence, canInstall });
  if (found === undefined) {
    return no(false, vscode.l10n.t('{0} could not be started: choose another interpreter.', python));
  }
  if (!suits(found.python)) {
    return no(
      false,
      vscode.l10n.t(
        "Scopelight's daemon runs in Python 3.11 to 3.14, and {0} is {1}: let it use an environment of its own, or choose another interpreter.",
        python,
        found.python.join('.'),
      ),
    );
  }
  const { scopelight, lacks } = found;
  if (scopelight === null) {
    return no(true, vscode.l10n.t('{0} has no Scopelight, which reads the profiles.', python));
  }
  if (scopelight !== version) {
    return no(
      true,
      vscode.l10n.t('{0} has Scopelight {1}, and this extension needs {2}.', python, scopelight, version),
    );
  }
  return lacks === null
    ? undefined
    : no(true, vscode.l10n.t('{0} has Scopelight without the library {1}.', python, lacks));
}

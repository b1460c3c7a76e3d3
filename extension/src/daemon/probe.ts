import * as vscode from 'vscode';
import { suits } from './basePython';
import type { ProcessRunner } from './process';

/** What an interpreter says of itself. */
export interface Probed {
  readonly python: readonly [number, number];
  /** The version of scopelight that it has; null for none. */
  readonly scopelight: string | null;
  /** A library that scopelight needs and that is not there; null for none. */
  readonly lacks: string | null;
}

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
print(json.dumps({"python": sys.version_info[:2], "scopelight": version, "lacks": lacks}))
`;

/** Asks an interpreter whether it can run the daemon; undefined where it does not even start. */
export async function probe(python: string, run: ProcessRunner): Promise<Probed | undefined> {
  try {
    // A file in the current folder must not stand for a library.
    const ended = await run(python, ['-c', QUESTION], { environment: { PYTHONSAFEPATH: '1' } });
    return ended.code === 0 ? (JSON.parse(ended.stdout) as Probed) : undefined;
  } catch {
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

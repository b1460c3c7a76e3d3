import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { findEnvironments } from './environments';
import type { FoundEnvironment } from './environments';
import { jaxOf } from './jaxOf';
import type { JaxVersion } from './jaxOf';
import { isTooOld, LEAST_PYTHON, pythonVersion, type PythonVersion } from './pythonVersion';
import { knownInterpreters } from './sources';

/** An environment that can be chosen, and its jax. */
export interface OfferedEnvironment extends FoundEnvironment {
  readonly jax: JaxVersion;
  /** Undefined where its files do not tell. */
  readonly version: PythonVersion | undefined;
  /** Whether it runs the scripts by now. */
  readonly isInUse: boolean;
}

/** Whether scripts cannot be profiled with it, for it is too old. */
export function isOutdated({ version }: OfferedEnvironment): boolean {
  return version !== undefined && isTooOld(version);
}

/**
 * The environments that may run the scripts of a file or folder, the interpreter in use among them: those with jax
 * first, those that are too old last; none of them is started.
 */
export async function offeredEnvironments(
  resource: vscode.Uri | undefined,
  inUse: string | undefined,
): Promise<OfferedEnvironment[]> {
  const own = (resource && vscode.workspace.getWorkspaceFolder(resource)) ?? vscode.workspace.workspaceFolders?.[0];
  const scripts = scriptsFolder(resource) ?? own?.uri.fsPath ?? homedir();
  const found = await findEnvironments({
    workspace: own?.uri.fsPath ?? scripts,
    scripts,
    home: homedir(),
    environment: process.env,
    platform: process.platform,
    known: [...(inUse === undefined ? [] : [inUse]), ...(await knownInterpreters())],
  });
  const all = await Promise.all(
    found.map(async (each) => ({
      ...each,
      jax: await jaxOf(each.folder),
      version: await pythonVersion(each.python, each.folder),
      isInUse: inUse !== undefined && (await isSame(each, inUse)),
    })),
  );
  return [
    ...all.filter((each) => !isOutdated(each) && each.jax !== undefined),
    ...all.filter((each) => !isOutdated(each) && each.jax === undefined),
    ...all.filter(isOutdated),
  ];
}

/** Whether an environment has that interpreter, which may be called by another name. */
async function isSame({ python, folder }: FoundEnvironment, other: string): Promise<boolean> {
  if (python === other) return true;
  const [own, its] = await Promise.all([python, other].map((file) => realpath(file).catch(() => file)));
  return path.dirname(path.dirname(other)) === folder && own === its;
}

/** The folder that a script has first on its path. */
export function scriptsFolder(resource: vscode.Uri | undefined): string | undefined {
  if (resource === undefined) return undefined;
  return resource.fsPath.endsWith('.py') ? path.dirname(resource.fsPath) : resource.fsPath;
}

/** `.venv (jax 0.7.1)`. */
export function titleOfEnvironment({ name, jax }: OfferedEnvironment): string {
  if (jax === undefined) return name;
  return jax === '' ? vscode.l10n.t('{0} (has jax)', name) : vscode.l10n.t('{0} (jax {1})', name, jax);
}

/** `in use · Python 3.12 · /w/.venv/bin/python`. */
function describe({ name, python, version, isInUse }: OfferedEnvironment): string {
  const facts = [
    isInUse ? vscode.l10n.t('in use') : '',
    version === undefined ? '' : `Python ${version.join('.')}`,
    name === python ? '' : python,
  ];
  return facts.filter((fact) => fact !== '').join(' · ');
}

type EnvironmentItem = vscode.QuickPickItem & { readonly python?: string };

/** Asks which of them is to run the scripts, or for the file of another; undefined where the user leaves. */
export async function pickEnvironment(environments: readonly OfferedEnvironment[]): Promise<string | undefined> {
  const browse: EnvironmentItem = { label: vscode.l10n.t('$(folder-opened) Browse…') };
  const groups: [string, readonly OfferedEnvironment[]][] = [
    [vscode.l10n.t('with jax'), environments.filter((each) => !isOutdated(each) && each.jax !== undefined)],
    [vscode.l10n.t('without jax'), environments.filter((each) => !isOutdated(each) && each.jax === undefined)],
    [
      vscode.l10n.t('too old: scripts are profiled with Python {0} and later', LEAST_PYTHON.join('.')),
      environments.filter(isOutdated),
    ],
  ];
  const items = groups.flatMap(([label, offered]): EnvironmentItem[] =>
    offered.length === 0
      ? []
      : [
          { label, kind: vscode.QuickPickItemKind.Separator },
          ...offered.map((each) => ({
            label: titleOfEnvironment(each),
            description: describe(each),
            python: each.python,
          })),
        ],
  );
  const picked = await vscode.window.showQuickPick([...items, browse], {
    title: vscode.l10n.t('Interpreter of the Scripts'),
    placeHolder: vscode.l10n.t('The environment that runs your scripts under the profiler; it needs jax'),
    matchOnDescription: true,
  });
  if (picked !== browse) return picked?.python;
  const files = await vscode.window.showOpenDialog({ title: vscode.l10n.t('The Python to Run Scripts With') });
  return files?.[0]?.fsPath;
}

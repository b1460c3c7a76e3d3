import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { findEnvironments } from './environments';
import type { FoundEnvironment } from './environments';
import { jaxOf } from './jaxOf';
import type { JaxVersion } from './jaxOf';
import { knownInterpreters } from './sources';

/** An environment that can be chosen, and its jax. */
export interface OfferedEnvironment extends FoundEnvironment {
  readonly jax: JaxVersion;
}

/** The environments that may run the scripts of a file or folder, those with jax first; none of them is started. */
export async function offeredEnvironments(resource: vscode.Uri | undefined): Promise<OfferedEnvironment[]> {
  const own = (resource && vscode.workspace.getWorkspaceFolder(resource)) ?? vscode.workspace.workspaceFolders?.[0];
  const scripts = scriptsFolder(resource) ?? own?.uri.fsPath ?? homedir();
  const found = await findEnvironments({
    workspace: own?.uri.fsPath ?? scripts,
    scripts,
    home: homedir(),
    environment: process.env,
    platform: process.platform,
    known: await knownInterpreters(),
  });
  const all = await Promise.all(found.map(async (each) => ({ ...each, jax: await jaxOf(each.folder) })));
  return [...all.filter(({ jax }) => jax !== undefined), ...all.filter(({ jax }) => jax === undefined)];
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

type EnvironmentItem = vscode.QuickPickItem & { readonly python?: string };

/** Asks which of them is to run the scripts, or for the file of another; undefined where the user leaves. */
export async function pickEnvironment(environments: readonly OfferedEnvironment[]): Promise<string | undefined> {
  const browse: EnvironmentItem = { label: vscode.l10n.t('$(folder-opened) Browse…') };
  const groups: [string, readonly OfferedEnvironment[]][] = [
    [vscode.l10n.t('with jax'), environments.filter(({ jax }) => jax !== undefined)],
    [vscode.l10n.t('without jax'), environments.filter(({ jax }) => jax === undefined)],
  ];
  const items = groups.flatMap(([label, offered]): EnvironmentItem[] =>
    offered.length === 0
      ? []
      : [
          { label, kind: vscode.QuickPickItemKind.Separator },
          ...offered.map((each) => ({
            label: titleOfEnvironment(each),
            description: each.name === each.python ? '' : each.python,
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

import os from 'node:os';
import path from 'node:path';

const VARIABLE = /\$\{([^}]*)\}/g;

/** What the variables of a setting stand for. */
export interface PathVariables {
  /** The folder that the setting is read for. */
  readonly workspaceFolder: string | undefined;
  /** All folders of the workspace by name. */
  readonly folders: ReadonlyMap<string, string>;
  readonly home?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * A path as the user wrote it, with `~`, `${workspaceFolder}`, `${workspaceFolder:NAME}`, `${userHome}` and
 * `${env:NAME}` replaced. A relative path is one of the workspace folder; a bare name stays as it is, for the search
 * path. Undefined where a variable stands for nothing.
 */
export function expandPath(text: string, variables: PathVariables): string | undefined {
  const home = variables.home ?? os.homedir();
  const environment = variables.environment ?? process.env;
  const names = [...text.matchAll(VARIABLE)].map((match) => match[1] ?? '');
  if (names.some((name) => valueOf(name) === undefined)) return undefined;
  const replaced = text.replace(VARIABLE, (_, name: string) => valueOf(name) ?? '');

  const expanded = /^~(?=$|[/\\])/.test(replaced) ? home + replaced.slice(1) : replaced;
  if (path.isAbsolute(expanded) || !/[/\\]/.test(expanded)) return expanded;
  return variables.workspaceFolder === undefined ? undefined : path.join(variables.workspaceFolder, expanded);

  function valueOf(name: string): string | undefined {
    if (name === 'workspaceFolder') return variables.workspaceFolder;
    if (name === 'userHome') return home;
    if (name.startsWith('workspaceFolder:')) return variables.folders.get(name.slice('workspaceFolder:'.length));
    if (name.startsWith('env:')) return environment[name.slice('env:'.length)];
    return undefined;
  }
}

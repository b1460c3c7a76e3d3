import * as vscode from 'vscode';
import type { InterpreterSource } from './interpreter';
import { InterpreterSettingError } from './interpreter';
import { executablesOnPath, isExecutable } from './onPath';
import { expandPath } from './setting';
import { affectsInterpreter, interpreterSetting } from '../settings';

/** What is disposed of with the extension. */
type Subscriptions = { dispose(): unknown }[];

/** The part used of the API of `ms-python.vscode-python-envs`. */
interface EnvironmentsApi {
  getEnvironment(scope: vscode.Uri | undefined): Promise<
    | {
        readonly execInfo: { readonly run: { readonly executable: string } };
      }
    | undefined
  >;
  readonly onDidChangeEnvironment: vscode.Event<unknown>;
}

/** The part used of the API of `ms-python.python`. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(environment: {
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri: vscode.Uri | undefined } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** The places that are asked which Python runs the user's scripts, in order. Other extensions are optional. */
export function interpreterSources(subscriptions: Subscriptions): InterpreterSource[] {
  return [settingSource(subscriptions), environmentsSource(subscriptions), pythonSource(subscriptions), pathSource()];
}

function settingSource(subscriptions: Subscriptions): InterpreterSource {
  const changed = new vscode.EventEmitter<void>();
  subscriptions.push(
    changed,
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (affectsInterpreter(change)) changed.fire();
    }),
  );
  return { origin: 'setting', onDidChange: changed.event, find: findInSetting };
}

async function findInSetting(resource: vscode.Uri | undefined): Promise<string | undefined> {
  const text = interpreterSetting(resource);
  if (text === '') return undefined;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const own = (resource && vscode.workspace.getWorkspaceFolder(resource)) ?? folders[0];
  const expanded = expandPath(text, {
    workspaceFolder: own?.uri.fsPath,
    folders: new Map(folders.map((folder) => [folder.name, folder.uri.fsPath])),
  });
  if (expanded !== undefined) {
    if (await isExecutable(expanded)) return expanded;
    if (!/[/\\]/.test(expanded)) {
      const [found] = await executablesOnPath([expanded]);
      if (found !== undefined) return found;
    }
  }
  throw new InterpreterSettingError(
    vscode.l10n.t(
      'The setting scopelight.interpreter is {0}, which is no program that can be run: correct it, or leave it empty.',
      text,
    ),
  );
}

function environmentsSource(subscriptions: Subscriptions): InterpreterSource {
  const changed = new vscode.EventEmitter<void>();
  subscriptions.push(changed);
  const api = exportsOf<EnvironmentsApi>('ms-python.vscode-python-envs', (exports) => {
    if (typeof exports.getEnvironment !== 'function') return false;
    subscriptions.push(exports.onDidChangeEnvironment(() => changed.fire()));
    return true;
  });
  return {
    origin: 'environmentsExtension',
    onDidChange: changed.event,
    find: async (resource) => {
      const environment = await (await api())?.getEnvironment(resource);
      return runnable(environment?.execInfo.run.executable);
    },
  };
}

function pythonSource(subscriptions: Subscriptions): InterpreterSource {
  const changed = new vscode.EventEmitter<void>();
  subscriptions.push(changed);
  const api = exportsOf<PythonApi>('ms-python.python', (exports) => {
    // Older ones have no `environments`.
    if (typeof (exports as Partial<PythonApi>).environments?.getActiveEnvironmentPath !== 'function') return false;
    subscriptions.push(exports.environments.onDidChangeActiveEnvironmentPath(() => changed.fire()));
    return true;
  });
  return {
    origin: 'pythonExtension',
    onDidChange: changed.event,
    find: async (resource) => {
      const environments = (await api())?.environments;
      const active = environments?.getActiveEnvironmentPath(resource);
      const resolved = active && (await environments?.resolveEnvironment(active));
      return runnable(resolved?.executable.uri?.fsPath);
    },
  };
}

function pathSource(): InterpreterSource {
  return {
    origin: 'path',
    find: async () => (await executablesOnPath(process.platform === 'win32' ? ['python'] : ['python3', 'python']))[0],
  };
}

/** An environment that is named and gone does not count. */
async function runnable(file: string | undefined): Promise<string | undefined> {
  return file !== undefined && (await isExecutable(file)) ? file : undefined;
}

/** Another extension's exports, loaded when first asked for; `accept` says whether they are what is expected. */
function exportsOf<Api>(id: string, accept: (exports: Api) => boolean): () => Promise<Api | undefined> {
  let loading: Promise<Api | undefined> | undefined;
  const load = async (): Promise<Api | undefined> => {
    const extension = vscode.extensions.getExtension<Api | undefined>(id);
    if (extension === undefined) return undefined;
    const exports = extension.isActive ? extension.exports : await extension.activate();
    return exports !== undefined && accept(exports) ? exports : undefined;
  };
  return async () => {
    loading ??= load();
    try {
      const api = await loading;
      // Not installed now does not mean never.
      if (api === undefined) loading = undefined;
      return api;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
}

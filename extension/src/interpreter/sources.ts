import * as vscode from 'vscode';
import type { InterpreterSource } from './interpreter';
import { InterpreterSettingError } from './interpreter';
import { executablesOnPath, isExecutable } from './onPath';
import { expandPath } from './setting';
import { affects, interpreterSetting } from '../settings';
import { variableContext } from '../variables';

const ENVIRONMENTS_EXTENSION = 'ms-python.vscode-python-envs';
const PYTHON_EXTENSION = 'ms-python.python';

/** What is disposed of with the extension. */
type Subscriptions = { dispose(): unknown }[];

/** The part used of the API of `ms-python.vscode-python-envs`. */
interface EnvironmentsApi {
  getEnvironment(scope: vscode.Uri | undefined): Promise<EnvironmentOfExtension | undefined>;
  getEnvironments?(scope: 'all'): Promise<readonly EnvironmentOfExtension[]>;
  readonly onDidChangeEnvironment: vscode.Event<unknown>;
}

interface EnvironmentOfExtension {
  readonly execInfo: { readonly run: { readonly executable: string } };
}

/** The part used of the API of `ms-python.python`. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    readonly known?: readonly { readonly executable: { readonly uri: vscode.Uri | undefined } }[];
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
      if (affects(change, 'interpreter')) changed.fire();
    }),
  );
  return { origin: 'setting', onDidChange: changed.event, find: findInSetting };
}

/** The interpreters of all environments that other extensions tell of; an extension that fails tells of none. */
export async function knownInterpreters(): Promise<string[]> {
  const ask = async (id: string, read: (api: unknown) => Promise<string[]> | string[]): Promise<string[]> => {
    const extension = vscode.extensions.getExtension<unknown>(id);
    try {
      const api = extension?.isActive === true ? extension.exports : await extension?.activate();
      return api === undefined ? [] : await read(api);
    } catch {
      return [];
    }
  };
  const found = await Promise.all([
    ask(ENVIRONMENTS_EXTENSION, async (api) =>
      ((await (api as EnvironmentsApi).getEnvironments?.('all')) ?? []).map(({ execInfo }) => execInfo.run.executable),
    ),
    ask(PYTHON_EXTENSION, (api) =>
      ((api as PythonApi).environments.known ?? []).flatMap(({ executable }) => executable.uri?.fsPath ?? []),
    ),
  ]);
  return [...new Set(found.flat())];
}

async function findInSetting(resource: vscode.Uri | undefined): Promise<string | undefined> {
  const text = interpreterSetting(resource);
  if (text === '') return undefined;
  const own = (resource && vscode.workspace.getWorkspaceFolder(resource)) ?? vscode.workspace.workspaceFolders?.[0];
  const expanded = expandPath(text, variableContext(own));
  if (expanded !== undefined) {
    if (await isExecutable(expanded)) return expanded;
    if (!/[/\\]/.test(expanded)) {
      const [found] = await executablesOnPath([expanded]);
      if (found !== undefined) return found;
    }
  }
  throw new InterpreterSettingError(text);
}

function environmentsSource(subscriptions: Subscriptions): InterpreterSource {
  return extensionSource<EnvironmentsApi>(subscriptions, {
    origin: 'environmentsExtension',
    extension: ENVIRONMENTS_EXTENSION,
    onChange: (api) => (typeof api.getEnvironment === 'function' ? api.onDidChangeEnvironment : undefined),
    find: async (api, resource) => (await api.getEnvironment(resource))?.execInfo.run.executable,
  });
}

function pythonSource(subscriptions: Subscriptions): InterpreterSource {
  return extensionSource<PythonApi>(subscriptions, {
    origin: 'pythonExtension',
    extension: PYTHON_EXTENSION,
    // Older ones have no `environments`.
    onChange: ({ environments }: Partial<PythonApi>) =>
      typeof environments?.getActiveEnvironmentPath === 'function'
        ? environments.onDidChangeActiveEnvironmentPath
        : undefined,
    find: async ({ environments }, resource) => {
      const active = environments.getActiveEnvironmentPath(resource);
      return (await environments.resolveEnvironment(active))?.executable.uri?.fsPath;
    },
  });
}

/** What another extension tells. */
interface ExtensionSource<Api> {
  readonly origin: InterpreterSource['origin'];
  readonly extension: string;
  /** The event of its changes; undefined where its exports are not what is expected. */
  readonly onChange: (api: Api) => vscode.Event<unknown> | undefined;
  readonly find: (api: Api, resource: vscode.Uri | undefined) => Promise<string | undefined>;
}

function extensionSource<Api>(
  subscriptions: Subscriptions,
  { origin, extension, onChange, find }: ExtensionSource<Api>,
): InterpreterSource {
  const changed = new vscode.EventEmitter<void>();
  subscriptions.push(changed);
  let known: Api | undefined;
  /** Loads the extension's exports, where they are what is expected. Not installed now does not mean never. */
  const load = async (): Promise<Api | undefined> => {
    const installed = vscode.extensions.getExtension<Api | undefined>(extension);
    const api = installed?.isActive === true ? installed.exports : await installed?.activate();
    // Another may have asked for them meanwhile.
    const listening = api === undefined || known !== undefined ? undefined : onChange(api)?.(() => changed.fire());
    if (listening !== undefined) {
      subscriptions.push(listening);
      known = api;
    }
    return known;
  };
  return {
    origin,
    onDidChange: changed.event,
    find: async (resource) => {
      const api = known ?? (await load());
      const file = api === undefined ? undefined : await find(api, resource);
      // An environment that is named and gone does not count.
      return file !== undefined && (await isExecutable(file)) ? file : undefined;
    },
  };
}

function pathSource(): InterpreterSource {
  return {
    origin: 'path',
    find: async () => (await executablesOnPath(process.platform === 'win32' ? ['python'] : ['python3', 'python']))[0],
  };
}

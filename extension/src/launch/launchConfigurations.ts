import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'dotenv';
import * as vscode from 'vscode';
import { UserError } from '../failure';
import { splitArguments } from './scriptArguments';
import { resolveVariables, variableContext, type VariableContext } from '../variables';

/** A configuration of `launch.json` that starts a Python script or module. */
export interface LaunchConfiguration {
  readonly folder: vscode.WorkspaceFolder;
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A configuration with everything resolved. `env` holds what is added to the environment; null takes away. */
export interface ResolvedLaunch {
  /** The script's path, or the module's name. */
  readonly name: string;
  readonly isModule: boolean;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | null>>;
  /** The interpreter that runs it; undefined lets the capture choose. */
  readonly python: string | undefined;
}

/** The configurations of all workspace folders that Scopelight can run. */
export function launchConfigurations(): LaunchConfiguration[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
    const all: unknown = vscode.workspace.getConfiguration('launch', folder.uri).get('configurations');
    return (Array.isArray(all) ? (all as unknown[]) : []).filter(isPythonLaunch).map((properties) => ({
      folder,
      name: typeof properties.name === 'string' ? properties.name : folder.name,
      properties,
    }));
  });
}

/** The configuration that was chosen once; undefined where there is none of its name any more. */
export function findConfiguration(chosen: {
  readonly folder: string;
  readonly name: string;
}): LaunchConfiguration | undefined {
  return launchConfigurations().find(
    ({ folder, name }) => folder.uri.toString() === chosen.folder && name === chosen.name,
  );
}

/** Whether a configuration launches a program or a module with Python, and not code or a process to attach to. */
export function isPythonLaunch(configuration: unknown): configuration is Readonly<Record<string, unknown>> {
  const { type, request, program, module } = (configuration ?? {}) as Readonly<Record<string, unknown>>;
  const isPython = type === 'debugpy' || type === 'python';
  return isPython && request === 'launch' && (typeof program === 'string' || typeof module === 'string');
}

/** What the variables of a configuration stand for; those of the environment that are not set are empty. */
export type LaunchContext = VariableContext & { readonly folder: string };

export function launchContext(folder: vscode.WorkspaceFolder): LaunchContext {
  return { ...variableContext(folder), folder: folder.uri.fsPath, env: (name) => process.env[name] ?? '' };
}

/** Resolves a configuration as the Python debugger would. Throws `UserError`. */
export async function resolveLaunch(
  { name: title, properties }: Pick<LaunchConfiguration, 'name' | 'properties'>,
  context: LaunchContext,
): Promise<ResolvedLaunch> {
  const text = (key: string): string | undefined => {
    const value = properties[key];
    return typeof value === 'string' && value !== '' ? resolveVariables(value, context) : undefined;
  };
  const module = text('module');
  const name = text('program') ?? module;
  if (name === undefined) {
    throw new UserError(vscode.l10n.t('The configuration “{0}” names no program and no module.', title));
  }
  const cwd = path.resolve(context.folder, text('cwd') ?? '.');
  const isModule = text('program') === undefined;
  return {
    name: isModule ? name : path.resolve(cwd, name),
    isModule,
    args: launchArguments(properties.args, context),
    cwd,
    env: {
      ...(await environmentFile(title, text('envFile') ?? path.join(context.folder, '.env'))),
      ...launchEnvironment(properties.env, context),
    },
    python: text('python') ?? text('pythonPath'),
  };
}

function launchArguments(args: unknown, context: VariableContext): string[] {
  if (typeof args === 'string') {
    return splitArguments(resolveVariables(args, context));
  }
  return Array.isArray(args) ? args.map((argument) => resolveVariables(String(argument), context)) : [];
}

function launchEnvironment(env: unknown, context: VariableContext): Record<string, string | null> {
  if (typeof env !== 'object' || env === null) {
    return {};
  }
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value === null ? null : resolveVariables(String(value), context),
    ]),
  );
}

async function environmentFile(title: string, file: string): Promise<Record<string, string>> {
  try {
    return parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      // The Python extension's default is a file that many folders do not have.
      return {};
    }
    throw new UserError(vscode.l10n.t('The file {0} of the configuration “{1}” cannot be read.', file, title));
  }
}

import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from './failure';

/** What the variables of a launch configuration, or of a setting, stand for. */
export interface VariableContext {
  /** The folder that it is read for. */
  readonly folder: string | undefined;
  /** Workspace folders by name. */
  readonly folders: ReadonlyMap<string, string>;
  /** The file in the active editor. */
  readonly file: string | undefined;
  readonly home: string;
  /** A variable of the environment; undefined where one that is not set stands for nothing. */
  readonly env: (name: string) => string | undefined;
  /** The value of a setting, where it is a text or a number. */
  readonly setting: (name: string) => string | undefined;
}

/** What variables stand for now. */
export function variableContext(folder: vscode.WorkspaceFolder | undefined): VariableContext {
  const document = vscode.window.activeTextEditor?.document;
  return {
    folder: folder?.uri.fsPath,
    folders: new Map((vscode.workspace.workspaceFolders ?? []).map((each) => [each.name, each.uri.fsPath])),
    file: document === undefined || document.isUntitled ? undefined : document.uri.fsPath,
    home: homedir(),
    env: (name) => process.env[name],
    setting: (name) => {
      const value: unknown = vscode.workspace.getConfiguration(undefined, folder?.uri).get(name);
      return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
    },
  };
}

/** A text with its `${...}` replaced as the editor replaces them. Throws `UserError` for what cannot be known here. */
export function resolveVariables(text: string, context: VariableContext): string {
  return text.replaceAll(/\$\{([^{}:]+)(?::([^{}]*))?\}/gu, (whole, name: string, argument: string | undefined) =>
    resolveVariable(whole, name, argument, context),
  );
}

function resolveVariable(whole: string, name: string, argument: string | undefined, context: VariableContext): string {
  switch (name) {
    case 'workspaceFolder':
    case 'workspaceRoot':
      return namedFolder(whole, argument, context);
    case 'workspaceFolderBasename':
      return path.basename(namedFolder(whole, argument, context));
    case 'cwd':
      return context.folder ?? unknown(whole);
    case 'userHome':
      return context.home;
    case 'pathSeparator':
    case '/':
      return path.sep;
    case 'env':
      return context.env(argument ?? '') ?? unknown(whole);
    case 'config':
      return context.setting(argument ?? '') ?? unknown(whole);
    default:
      return fileVariable(whole, name, argument, context);
  }
}

function namedFolder(whole: string, name: string | undefined, context: VariableContext): string {
  return (name === undefined ? context.folder : context.folders.get(name)) ?? unknown(whole);
}

function fileVariable(whole: string, name: string, argument: string | undefined, context: VariableContext): string {
  if (!/^(?:file|relativeFile)/u.test(name) || argument !== undefined) {
    return unknown(whole);
  }
  const { file } = context;
  if (file === undefined) {
    throw new UserError(vscode.l10n.t('The configuration needs a file for {0}: open the file in the editor.', whole));
  }
  const owner =
    [...context.folders.values()].find((folder) => file.startsWith(folder + path.sep)) ?? context.folder ?? '';
  const values: Readonly<Record<string, string>> = {
    file,
    fileBasename: path.basename(file),
    fileBasenameNoExtension: path.parse(file).name,
    fileExtname: path.extname(file),
    fileDirname: path.dirname(file),
    fileDirnameBasename: path.basename(path.dirname(file)),
    fileWorkspaceFolder: owner,
    fileWorkspaceFolderBasename: path.basename(owner),
    relativeFile: path.relative(owner, file),
    relativeFileDirname: path.relative(owner, path.dirname(file)) || '.',
  };
  return values[name] ?? unknown(whole);
}

function unknown(whole: string): never {
  throw new UserError(
    vscode.l10n.t('The configuration uses {0}, which Scopelight cannot resolve: write the value in its place.', whole),
  );
}

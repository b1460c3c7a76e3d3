// A file that belongs to a package is run as a module of it, or by its path: asked once.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ModuleTarget, Remembered, Target } from '../remembered';
import { packageModule, resolvesAbove, type SourceFiles } from './packages';

/** The module that a file is of its package; undefined where it belongs to none. */
export async function moduleOfFile(file: string): Promise<ModuleTarget | undefined> {
  const found = await packageModule(file, workspaceOf(file), filesOnDisk());
  return found === undefined ? undefined : { kind: 'module', path: file, ...found };
}

/** Whether a module that a file did not find is of a package beside or above it. */
export function isFoundAbove(module: string, file: string): Promise<boolean> {
  return resolvesAbove(module, file, workspaceOf(file), filesOnDisk());
}

/** How a file is run: as before, else as is chosen; undefined where the user leaves. */
export async function decideHowToRun(remembered: Remembered, file: string): Promise<Target | undefined> {
  return remembered.targetOfFile(file) ?? (await askHowToRun(file, undefined));
}

/** Asks how to run a file, where it belongs to a package; as before is offered first. */
export async function askHowToRun(file: string, before: Target | undefined): Promise<Target | undefined> {
  const script: Target = { kind: 'script', path: file };
  const module = await moduleOfFile(file);
  if (module === undefined) {
    return script;
  }
  const asBefore = (target: Target): string => (target.kind === before?.kind ? vscode.l10n.t('as before') : '');
  const ways = [
    {
      label: `$(package) python -m ${module.module}`,
      description: asBefore(module) || vscode.l10n.t('recommended'),
      detail: vscode.l10n.t('It imports from its package: as a module it finds what it imports.'),
      target: module,
    },
    {
      label: `$(file-code) python ${vscode.workspace.asRelativePath(file, false)}`,
      description: asBefore(script),
      detail: vscode.l10n.t('As a file of its own, outside its package.'),
      target: script,
    },
  ];
  const picked = await vscode.window.showQuickPick(before?.kind === 'script' ? ways.reverse() : ways, {
    title: vscode.l10n.t('Profile {0}', path.basename(file)),
    placeHolder: vscode.l10n.t('How to run it; remembered for the file'),
    ignoreFocusOut: true,
  });
  return picked?.target;
}

function workspaceOf(file: string): string | undefined {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))?.uri.fsPath;
}

/** What is edited counts as it stands in the editor: it is saved before it runs. */
function filesOnDisk(): SourceFiles {
  const listed = new Map<string, Promise<readonly string[]>>();
  return {
    read: async (file) => {
      const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === file);
      return document?.getText() ?? readFile(file, 'utf8').catch(() => undefined);
    },
    list: (folder) => {
      const names = listed.get(folder) ?? readdir(folder).catch(() => []);
      listed.set(folder, names);
      return names;
    },
  };
}

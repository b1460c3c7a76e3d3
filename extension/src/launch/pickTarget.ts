import path from 'node:path';
import * as vscode from 'vscode';
import type { Remembered, Target } from '../remembered';
import { decideHowToRun, moduleOfFile } from './howToRun';
import { findConfiguration, launchConfigurations } from './launchConfigurations';
import { titleOf } from './targets';

/** Files that are offered of a workspace: enough to search in, and quick to find. */
const MOST_FILES = 500;
const PASSED_OVER = '**/{node_modules,site-packages,dist-packages,.venv,venv,.git,__pycache__,.scopelight}/**';

interface TargetItem extends vscode.QuickPickItem {
  readonly target?: Target;
  /** Whether the list has both ways to run the file. */
  readonly isDecided?: boolean;
}

/** The path of the Python script in the active editor, where it is a file. */
export function activeScript(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const isScript = document?.languageId === 'python' && document.uri.scheme === 'file';
  return isScript ? document.uri.fsPath : undefined;
}

/** Asks which script or configuration to profile, `file` first, or for another file; undefined where the user leaves. */
export async function pickTarget(remembered: Remembered, file = activeScript()): Promise<Target | undefined> {
  const browse: TargetItem = { label: vscode.l10n.t('$(folder-opened) Browse…'), alwaysShow: true };
  const items = targetItems(remembered, file).then((known) => [...known, browse]);
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Profile Training Script'),
    placeHolder: vscode.l10n.t('The script, or the configuration of launch.json, to profile'),
    matchOnDescription: true,
  });
  if (picked === browse) {
    return browseForScript(remembered);
  }
  const target = picked?.target;
  return target?.kind === 'script' && picked?.isDecided !== true ? decideHowToRun(remembered, target.path) : target;
}

/** Without a folder the editor knows of no files. */
async function browseForScript(remembered: Remembered): Promise<Target | undefined> {
  const files = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('The Script to Profile'),
    openLabel: vscode.l10n.t('Profile'),
    filters: { Python: ['py'] },
  });
  const script = files?.[0];
  return script === undefined ? undefined : decideHowToRun(remembered, script.fsPath);
}

async function targetItems(remembered: Remembered, file: string | undefined): Promise<TargetItem[]> {
  const configurations: Target[] = launchConfigurations().map(({ folder, name }) => ({
    kind: 'configuration',
    folder: folder.uri.toString(),
    name,
  }));
  const groups: [string, readonly Target[]][] = [
    [vscode.l10n.t('active editor'), file === undefined ? [] : await waysToRun(file)],
    [vscode.l10n.t('profiled before'), remembered.targets.filter(isThere)],
    [vscode.l10n.t('launch.json'), configurations],
    [vscode.l10n.t('Python files'), await pythonFiles()],
  ];
  const offered = new Set<string>();
  return groups.flatMap(([label, targets], place) => {
    const fresh = targets.filter((target) => {
      const key = JSON.stringify(target);
      return !offered.has(key) && offered.add(key);
    });
    const separator: TargetItem = { label, kind: vscode.QuickPickItemKind.Separator };
    return fresh.length === 0
      ? []
      : [separator, ...fresh.map((each) => ({ ...targetItem(each), isDecided: place < 2 }))];
  });
}

/** A configuration may be gone from `launch.json`; files are looked for when they are run. */
function isThere(target: Target): boolean {
  return target.kind !== 'configuration' || findConfiguration(target) !== undefined;
}

async function waysToRun(file: string): Promise<Target[]> {
  const module = await moduleOfFile(file);
  return [...(module === undefined ? [] : [module]), { kind: 'script', path: file }];
}

function targetItem(target: Target): TargetItem {
  const { label, description } = wordsOf(target);
  return description === undefined ? { label, target } : { label, description, target };
}

function wordsOf(target: Target): { readonly label: string; readonly description: string | undefined } {
  switch (target.kind) {
    case 'script':
      return { label: `$(file-code) ${titleOf(target)}`, description: folderOf(target.path) };
    case 'module':
      return { label: `$(package) python -m ${target.module}`, description: folderOf(target.path) };
    case 'configuration':
      return { label: `$(debug-alt) ${target.name}`, description: workspaceFolderOf(target.folder) };
    case 'recorded':
      return { label: `$(history) ${titleOf(target)}`, description: target.cwd };
  }
}

/** The folder of a script as people know it: within the workspace folder, whose name leads where there are several. */
function folderOf(script: string): string | undefined {
  const within = vscode.workspace.asRelativePath(script);
  return within.includes('/') ? path.posix.dirname(within) : undefined;
}

/** The name of a configuration's workspace folder, where there are several. */
function workspaceFolderOf(uri: string): string | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 1 ? folders.find((folder) => folder.uri.toString() === uri)?.name : undefined;
}

async function pythonFiles(): Promise<Target[]> {
  const files = await vscode.workspace.findFiles('**/*.py', PASSED_OVER, MOST_FILES);
  return files
    .map((file) => file.fsPath)
    .sort()
    .map((file) => ({ kind: 'script', path: file }));
}

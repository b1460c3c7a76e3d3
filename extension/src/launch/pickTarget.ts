import path from 'node:path';
import * as vscode from 'vscode';
import type { Remembered, Target } from '../remembered';
import { launchConfigurations } from './launchConfigurations';

/** Files that are offered of a workspace: enough to search in, and quick to find. */
const MOST_FILES = 500;
const PASSED_OVER = '**/{node_modules,site-packages,dist-packages,.venv,venv,.git,__pycache__,.scopelight}/**';

type TargetItem = vscode.QuickPickItem & { readonly target?: Target };

/** What a target is called on screen. */
export function titleOf(target: Target): string {
  return target.kind === 'script' ? path.basename(target.path) : target.name;
}

/** The Python script in the active editor, where it is a file. */
export function activeScript(): Target | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const isScript = document?.languageId === 'python' && document.uri.scheme === 'file';
  return isScript ? { kind: 'script', path: document.uri.fsPath } : undefined;
}

/** Asks which script or configuration to profile; undefined where the user leaves. */
export async function pickTarget(remembered: Remembered): Promise<Target | undefined> {
  const items = targetItems(remembered, activeScript());
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Profile Training Script'),
    placeHolder: vscode.l10n.t('The script, or the configuration of launch.json, to profile'),
    matchOnDescription: true,
  });
  return picked?.target;
}

async function targetItems(remembered: Remembered, active: Target | undefined): Promise<TargetItem[]> {
  const configurations: Target[] = launchConfigurations().map(({ folder, name }) => ({
    kind: 'configuration',
    folder: folder.uri.toString(),
    name,
  }));
  const groups: [string, readonly Target[]][] = [
    [vscode.l10n.t('active editor'), active === undefined ? [] : [active]],
    [vscode.l10n.t('profiled before'), remembered.targets],
    [vscode.l10n.t('launch.json'), configurations],
    [vscode.l10n.t('Python files'), await pythonFiles()],
  ];
  const offered = new Set<string>();
  return groups.flatMap(([label, targets]) => {
    const fresh = targets.filter((target) => {
      const key = JSON.stringify(target);
      return !offered.has(key) && offered.add(key);
    });
    const separator: TargetItem = { label, kind: vscode.QuickPickItemKind.Separator };
    return fresh.length === 0 ? [] : [separator, ...fresh.map(targetItem)];
  });
}

function targetItem(target: Target): TargetItem {
  const icon = target.kind === 'script' ? '$(file-code)' : '$(debug-alt)';
  const where = target.kind === 'script' ? folderOf(target.path) : workspaceFolderOf(target.folder);
  const label = `${icon} ${titleOf(target)}`;
  return where === undefined ? { label, target } : { label, description: where, target };
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

import * as vscode from 'vscode';
import type { Interpreters } from '../interpreter/interpreter';
import { sentenceOf } from '../log';
import { describeSettings, type SettingsManifest } from '../settings';
import type { Daemon } from './daemon';
import type { DaemonEnvironment } from './environment';

/** What a report of a fault needs, as text: versions, where everything runs, the settings, and what the daemon says. */
export async function debugInformation(
  extension: vscode.Extension<unknown>,
  daemon: Daemon,
  environment: DaemonEnvironment,
  interpreters: Interpreters,
): Promise<string> {
  const manifest = extension.packageJSON as { version: string } & SettingsManifest;
  const folders = vscode.workspace.workspaceFolders ?? [];
  // First: to ask starts it.
  const said = await daemon.request('scopelight/debugInformation', {}).then(({ text }) => text, sentenceOf);
  const lines = [
    `Scopelight ${manifest.version}`,
    `${vscode.env.appName} ${vscode.version} (${vscode.env.remoteName ?? 'local'}), ${process.platform} ${process.arch}`,
    `Workspace: ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}, ${folders.length} folder(s)`,
    `Interpreter: ${await describeInterpreter(interpreters, folders[0]?.uri).catch(sentenceOf)}`,
    `Daemon: ${daemon.state}, ${await describeEnvironment(environment).catch(sentenceOf)}`,
    '',
    ...describeSettings(manifest),
    '',
    said,
  ];
  return lines.join('\n') + '\n';
}

async function describeInterpreter(interpreters: Interpreters, folder: vscode.Uri | undefined): Promise<string> {
  if (!vscode.workspace.isTrusted) return 'not asked for, as the workspace is not trusted';
  const found = await interpreters.find(folder);
  return found === undefined ? 'none' : `${found.path} (${found.origin})`;
}

async function describeEnvironment(environment: DaemonEnvironment): Promise<string> {
  const located = await environment.locate();
  return `environment ${located.kind}: ${located.state === 'ready' ? located.python : located.sentence}`;
}

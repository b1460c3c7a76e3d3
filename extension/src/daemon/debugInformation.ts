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
  const said = await describeDaemon(daemon);
  const lines = [
    `Scopelight ${manifest.version}`,
    `${vscode.env.appName} ${vscode.version} (${vscode.env.remoteName ?? 'local'}), ${process.platform} ${process.arch}`,
    `Workspace: ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}, ${folders.length} folder(s)`,
    `Interpreter: ${await describeInterpreter(interpreters, folders[0]?.uri)}`,
    `Daemon: ${daemon.state}, ${await describeEnvironment(environment)}`,
    '',
    ...describeSettings(manifest),
    '',
    said,
  ];
  return lines.join('\n') + '\n';
}

async function describeInterpreter(interpreters: Interpreters, folder: vscode.Uri | undefined): Promise<string> {
  if (!vscode.workspace.isTrusted) return 'not asked for, as the workspace is not trusted';
  try {
    const found = await interpreters.find(folder);
    return found === undefined ? 'none' : `${found.path} (${found.origin})`;
  } catch (error) {
    return sentenceOf(error);
  }
}

async function describeEnvironment(environment: DaemonEnvironment): Promise<string> {
  try {
    const located = await environment.locate();
    return `environment ${located.kind}: ${located.state === 'ready' ? located.python : located.sentence}`;
  } catch (error) {
    return sentenceOf(error);
  }
}

async function describeDaemon(daemon: Daemon): Promise<string> {
  try {
    return (await daemon.request('scopelight/debugInformation', {})).text;
  } catch (error) {
    return sentenceOf(error);
  }
}

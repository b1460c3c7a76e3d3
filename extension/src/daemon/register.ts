import * as vscode from 'vscode';
import { registerCommand } from '../failure';
import type { Interpreters } from '../interpreter/interpreter';
import { affects, DAEMON_SETTINGS, environmentKind } from '../settings';
import { bundledWheels } from './bundledWheels';
import type { MakeClient } from './client';
import { Daemon } from './daemon';
import { debugInformation } from './debugInformation';
import { DaemonEnvironment } from './environment';
import { installQueries } from './installQueries';
import { InstallOffer } from './offer';
import { runProcess } from './process';

/** Makes the daemon's connection, keeps it in step with the settings, and registers the commands that concern it. */
export function registerDaemon(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  interpreters: Interpreters,
): Daemon {
  const { version } = context.extension.packageJSON as { version: string };
  const environment = new DaemonEnvironment({
    storage: context.globalStorageUri.fsPath,
    bundled: bundledWheels(context.extensionPath, version),
    run: runProcess,
    kind: environmentKind,
    isTrusted: () => vscode.workspace.isTrusted,
    interpreter: () => interpreters.find(vscode.workspace.workspaceFolders?.[0]?.uri),
  });
  const makeClient: MakeClient = async (python, settings, onEnded) => {
    // The library takes long to load, which must not delay activation.
    const { LanguageServerProcess } = await import('./languageClient');
    return new LanguageServerProcess(python, settings, onEnded, log);
  };
  const daemon = new Daemon(environment, new InstallOffer(environment, runProcess, log), makeClient, log);

  context.subscriptions.push(
    daemon,
    daemon.onDidChangeState((state) => {
      const isMissing = state === 'missing' || state === 'refused';
      void vscode.commands.executeCommand('setContext', 'scopelight.daemonMissing', isMissing);
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (affects(change, ...DAEMON_SETTINGS)) daemon.sendSettings();
      if (affects(change, 'daemon.environment')) daemon.restartSoon();
    }),
    interpreters.onDidChange(() => {
      if (environment.kind === 'interpreter') daemon.restartSoon();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (environment.kind === 'interpreter') daemon.restartSoon();
    }),
    registerCommand({ log }, 'scopelight.showLog', () => log.show()),
    registerCommand({ log }, 'scopelight.setPeaks', () => openSettings('scopelight.peak')),
    registerCommand({ log }, 'scopelight.setTarget', () => openSettings('scopelight.target')),
    registerCommand({ log }, 'scopelight.setResourcesPeriod', () => openSettings('scopelight.capture.resourcesPeriod')),
    registerCommand({ log }, 'scopelight.restartDaemon', () => daemon.restart()),
    registerCommand({ log }, 'scopelight.installDaemon', () => daemon.reinstall()),
    registerCommand({ log }, 'scopelight.installQueries', () => installQueries(environment, runProcess, log)),
    registerCommand({ log }, 'scopelight.debugInformation', async () => {
      const content = await debugInformation(context.extension, daemon, environment, interpreters);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
    }),
  );
  return daemon;
}

async function openSettings(query: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', query);
}

// The page of the job that is watched, as an editor tab.

import * as vscode from 'vscode';
import { tellFailure } from '../failure';
import { pageHtml } from '../panels/html';
import type { Services } from '../services';
import { type MonitorHostMessage, type MonitorPageMessage, PERIODS_SECONDS } from './messages';
import type { MonitoredJob } from './monitoredJob';

const VIEW_TYPE = 'scopelight.monitor';

/** Opens the page, of which there is one. */
export class MonitorPage implements vscode.Disposable {
  private tab: vscode.WebviewPanel | undefined;

  constructor(
    private readonly services: Services,
    private readonly job: MonitoredJob,
  ) {}

  open(): void {
    if (this.tab !== undefined) {
      this.tab.reveal();
      return;
    }
    const folder = vscode.Uri.joinPath(this.services.context.extensionUri, 'extension', 'dist', 'webview');
    const title = vscode.l10n.t('Monitor');
    const options = { enableScripts: true, localResourceRoots: [folder], retainContextWhenHidden: true };
    const tab = vscode.window.createWebviewPanel(VIEW_TYPE, title, vscode.ViewColumn.Active, options);
    this.tab = tab;
    tab.iconPath = {
      light: vscode.Uri.joinPath(folder, 'icons', 'monitor-light.svg'),
      dark: vscode.Uri.joinPath(folder, 'icons', 'monitor-dark.svg'),
    };
    const tell = (): void => {
      void tab.webview.postMessage({ type: 'facts', facts: this.job.facts } satisfies MonitorHostMessage);
    };
    const listener = this.job.onDidChange(tell);
    tab.onDidDispose(() => {
      listener.dispose();
      this.tab = undefined;
    });
    tab.webview.onDidReceiveMessage((message: MonitorPageMessage) => {
      if (message.type === 'ready') {
        tell();
        return;
      }
      this.obey(message).catch((error: unknown) => tellFailure(error, this.services));
    });
    tab.webview.html = pageHtml(tab.webview, {
      panel: 'monitor',
      place: 'editor',
      title,
      path: null,
      language: vscode.env.language,
      texts: vscode.l10n.bundle,
      file: (name) => vscode.Uri.joinPath(folder, name),
    });
  }

  dispose(): void {
    this.tab?.dispose();
  }

  private async obey(message: Exclude<MonitorPageMessage, { type: 'ready' }>): Promise<void> {
    switch (message.type) {
      case 'start':
        await this.job.resume();
        return;
      case 'stop':
        await this.job.stop();
        return;
      case 'choose':
        await vscode.commands.executeCommand('scopelight.monitorJob');
        return;
      case 'every':
        if (PERIODS_SECONDS.includes(message.seconds)) {
          await this.job.setPeriod(message.seconds);
        }
        return;
    }
  }
}

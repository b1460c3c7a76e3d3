// One open page: answers what it asks, and tells it what changes.

import * as vscode from 'vscode';
import { type DaemonConnection, DaemonError } from '../daemon/connection';
import type { Requests } from '../protocol';
import type { HostFacts, HostMessage, PageCommand, PageMessage, PanelId, Selection } from './messages';
import { isPanelId } from './registry';

const commands: ReadonlySet<string> = new Set<PageCommand>([
  'scopelight.profile',
  'scopelight.openProfile',
  'scopelight.selectRun',
  'scopelight.installDaemon',
  'scopelight.restartDaemon',
  'scopelight.showLog',
]);

/** What a page needs around it. */
export interface PageSurroundings {
  readonly daemon: Pick<DaemonConnection, 'request'>;
  readonly facts: () => HostFacts;
  readonly select: (selection: Selection | null) => void;
  /** For faults: what a person is not told. */
  readonly log: (message: string, error: unknown) => void;
}

export class PanelPage implements vscode.Disposable {
  private readonly pending = new Map<
    number,
    { readonly panel: PanelId; readonly source: vscode.CancellationTokenSource }
  >();
  private readonly listener: vscode.Disposable;

  constructor(
    private readonly webview: Pick<vscode.Webview, 'postMessage' | 'onDidReceiveMessage'>,
    private readonly around: PageSurroundings,
  ) {
    this.listener = webview.onDidReceiveMessage((message: PageMessage) => {
      this.receive(message).catch((error: unknown) => {
        around.log(`A panel's message "${message.type}" failed`, error);
      });
    });
  }

  /** Tells the page the facts as they are now. */
  sendFacts(): void {
    this.post({ type: 'facts', facts: this.around.facts() });
  }

  dispose(): void {
    this.listener.dispose();
    this.cancelAll();
  }

  private async receive(message: PageMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        // A page that starts anew waits for no answer of its former self.
        this.cancelAll();
        this.sendFacts();
        return;
      case 'request':
        return this.answer(message.id, message.panel, message.params);
      case 'cancel':
        this.pending.get(message.id)?.source.cancel();
        return;
      case 'goToLine':
        await vscode.commands.executeCommand('scopelight.goToLine', message.file, message.line);
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'run':
        if (commands.has(message.command)) {
          await vscode.commands.executeCommand(message.command);
        }
        return;
      case 'select':
        this.around.select(message.selection);
        return;
    }
  }

  private async answer(id: number, panel: PanelId, params: unknown): Promise<void> {
    if (!isPanelId(panel)) {
      return;
    }
    // Who asks for a panel's record anew no longer wants the one asked for before.
    for (const other of this.pending.values()) {
      // With one panel in the registry the compiler knows the answer.
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition
      if (other.panel === panel) {
        other.source.cancel();
      }
    }
    const source = new vscode.CancellationTokenSource();
    this.pending.set(id, { panel, source });
    try {
      const result = await this.around.daemon.request(
        `scopelight/panel/${panel}`,
        params as Requests[`scopelight/panel/${PanelId}`]['params'],
        {
          token: source.token,
          onProgress: ({ message, percentage }) => {
            this.post({ type: 'progress', id, message: message ?? null, percentage: percentage ?? null });
          },
        },
      );
      this.post(source.token.isCancellationRequested ? { type: 'cancelled', id } : { type: 'result', id, result });
    } catch (error) {
      this.post(this.failure(id, source.token, error));
    } finally {
      this.pending.delete(id);
      source.dispose();
    }
  }

  private failure(id: number, token: vscode.CancellationToken, error: unknown): HostMessage {
    if (token.isCancellationRequested || error instanceof vscode.CancellationError) {
      return { type: 'cancelled', id };
    }
    if (error instanceof DaemonError) {
      return { type: 'failure', id, message: error.message };
    }
    this.around.log("A panel's record could not be had", error);
    return { type: 'failure', id, message: vscode.l10n.t('This panel failed because of a fault in Scopelight.') };
  }

  private cancelAll(): void {
    for (const { source } of this.pending.values()) {
      source.cancel();
    }
  }

  private post(message: HostMessage): void {
    // A hidden page hears nothing; it is told everything when it is ready again.
    void this.webview.postMessage(message);
  }
}

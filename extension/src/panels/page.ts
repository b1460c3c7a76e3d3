// One open page: answers what it asks, and tells it what changes.

import * as vscode from 'vscode';
import { type DaemonConnection, DaemonError } from '../daemon/connection';
import { detailsIds, type Requests, type ViewId, views } from '../protocol';
import { Start } from './blankPage';
import {
  type DetailsId,
  EXPORT_COMMANDS,
  type HostFacts,
  type HostMessage,
  PAGE_COMMANDS,
  type PageMessage,
  type Selection,
} from './messages';
import { isPanelId, openCommand, panelIds } from './panelList';
import type { PanelId } from './registry';

type RecordMethod = `scopelight/view/${ViewId}` | `scopelight/details/${DetailsId}`;

/** All that a page may ask the daemon for: what the protocol has of views and of details. */
const recordMethods = new Set<string>([
  ...Object.keys(views).map((view) => `scopelight/view/${view}`),
  ...detailsIds.map((id) => `scopelight/details/${id}` satisfies RecordMethod),
]);
const commands = new Set<string>([...PAGE_COMMANDS, ...panelIds.map(openCommand)]);
const exportCommands = new Set<string>(EXPORT_COMMANDS);

/** What a page needs around it. */
export interface PageSurroundings {
  readonly daemon: Pick<DaemonConnection, 'request'>;
  readonly facts: () => HostFacts;
  readonly select: (selection: Selection | null) => void;
  /** Remembers a query, to be offered again. */
  readonly keepQuery: (query: string) => void;
  /** Selects, and opens the panel to show it. */
  readonly showIn: (panel: PanelId, selection: Selection) => void;
  /** For faults: what a person is not told. */
  readonly log: (message: string, error: unknown) => void;
}

export class PanelPage implements vscode.Disposable {
  private readonly pending = new Map<
    number,
    { readonly method: RecordMethod; readonly source: vscode.CancellationTokenSource }
  >();
  private readonly listener: vscode.Disposable;
  private heardSelections = 0;
  private lastStart = new Start();

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

  /** The last start of the page. */
  get start(): Start {
    return this.lastStart;
  }

  /** The page starts anew, as one of the side bar does that was hidden. */
  expectStart(): void {
    this.lastStart = new Start();
  }

  /** Tells the page the facts as they are now. */
  sendFacts(): void {
    this.post({ type: 'facts', facts: this.around.facts(), heardSelections: this.heardSelections });
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
        this.lastStart.end();
        this.heardSelections = 0;
        this.sendFacts();
        return;
      case 'request':
        // Who asks for a record anew no longer wants the one asked for before. Of details a page may want several.
        this.cancel(`scopelight/view/${message.view}`);
        await this.answer(message.id, `scopelight/view/${message.view}`, message.params);
        return;
      case 'details':
        await this.answer(message.id, `scopelight/details/${message.details}`, message.params);
        return;
      case 'cancel':
        this.pending.get(message.id)?.source.cancel();
        return;
      case 'goToLine':
        await vscode.commands.executeCommand('scopelight.goToLine', message.file, message.line);
        return;
      case 'openRecorded':
        await vscode.commands.executeCommand('scopelight.openRecorded', message.run, message.file, message.line);
        return;
      case 'showSourceChanges':
        await vscode.commands.executeCommand('scopelight.showSourceChanges', message.before, message.after);
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'keepQuery':
        this.around.keepQuery(message.query);
        return;
      case 'run':
        if (commands.has(message.command)) {
          await vscode.commands.executeCommand(message.command);
        }
        return;
      case 'chooseScope':
        await vscode.commands.executeCommand('scopelight.selectScope', message.scope);
        return;
      case 'exportTimeline':
        if (exportCommands.has(message.command)) {
          await vscode.commands.executeCommand(message.command, message.part);
        }
        return;
      case 'select':
        this.heardSelections += 1;
        this.around.select(message.selection);
        return;
      case 'showIn':
        this.heardSelections += 1;
        if (isPanelId(message.panel)) {
          this.around.showIn(message.panel, message.selection);
        }
        return;
    }
  }

  private async answer(id: number, method: RecordMethod, params: unknown): Promise<void> {
    if (!recordMethods.has(method)) {
      this.post(this.fault(id, new Error(`There is no ${method}.`)));
      return;
    }
    const source = new vscode.CancellationTokenSource();
    this.pending.set(id, { method, source });
    try {
      const result = await this.around.daemon.request(method, params as Requests[RecordMethod]['params'], {
        token: source.token,
        onProgress: (progress) => this.post({ type: 'progress', id, progress }),
      });
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
    return error instanceof DaemonError ? { type: 'failure', id, message: error.message } : this.fault(id, error);
  }

  private fault(id: number, error: unknown): HostMessage {
    this.around.log("A panel's record could not be had", error);
    return { type: 'failure', id, message: vscode.l10n.t('This panel failed because of a fault in Scopelight.') };
  }

  private cancel(method: RecordMethod): void {
    for (const each of this.pending.values()) {
      if (each.method === method) {
        each.source.cancel();
      }
    }
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

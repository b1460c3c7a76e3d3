// The editor's side of webviews: panels that a test opens, views that it resolves, pages that it speaks for.

import * as vscode from 'vscode';
import { Start } from '../../../extension/src/panels/blankPage';
import type { FilledPage } from '../../../extension/src/panels/host';
import type { HostMessage, PageMessage } from '../../../extension/src/panels/messages';

export class FakeWebview {
  html = '';
  options: unknown;
  readonly heard: HostMessage[] = [];
  private readonly received = new vscode.EventEmitter<PageMessage>();
  readonly cspSource = 'self';
  readonly onDidReceiveMessage = this.received.event;
  readonly asWebviewUri = (uri: vscode.Uri) => uri;
  readonly postMessage = (message: HostMessage) => {
    this.heard.push(message);
    return Promise.resolve(true);
  };

  /** Speaks as the page. */
  say(message: PageMessage): void {
    this.received.fire(message);
  }

  get facts() {
    return this.heard.filter((message) => message.type === 'facts').at(-1)?.facts;
  }
}

export class FakePanel {
  readonly webview = new FakeWebview();
  title = '';
  /** Whether its tab or view is in front. */
  visible = true;
  iconPath: unknown;
  revealed = 0;
  viewColumn = 1;
  active = true;
  /** Where it was asked for. */
  place: unknown;
  private readonly seen = new vscode.EventEmitter<void>();
  readonly onDidChangeViewState = this.seen.event;
  readonly onDidChangeVisibility = this.seen.event;
  private readonly closed = new vscode.EventEmitter<void>();
  readonly onDidDispose = this.closed.event;

  /** Brings the tab to the front, or another before it. */
  show(visible: boolean): void {
    this.visible = visible;
    this.active = visible;
    this.seen.fire();
  }

  reveal(): void {
    this.revealed += 1;
  }

  dispose(): void {
    this.closed.fire();
  }
}

/** A page that has started in a webview. */
export function aFilledPage(dispose: () => void = () => undefined): FilledPage {
  const nothing = () => undefined;
  const start = new Start();
  start.end();
  return { start, expectStart: nothing, fillAgain: nothing, dispose };
}

export interface FakeWindow {
  readonly panels: FakePanel[];
  readonly views: Map<string, { resolveWebviewView(view: unknown): void }>;
  restore(panel: FakePanel, state: unknown): void;
}

/** Gives the stand-in for the editor its webviews. */
export function withWebviews(): FakeWindow {
  const panels: FakePanel[] = [];
  const views = new Map<string, { resolveWebviewView(view: unknown): void }>();
  let serializer: { deserializeWebviewPanel(panel: unknown, state: unknown): unknown } | undefined;
  Object.assign(vscode.window, {
    createWebviewPanel: (_type: string, _title: string, place: unknown) => {
      const panel = new FakePanel();
      panel.place = place;
      panels.push(panel);
      return panel;
    },
    registerWebviewViewProvider: (id: string, provider: { resolveWebviewView(view: unknown): void }) => {
      views.set(id, provider);
      return { dispose: () => views.delete(id) };
    },
    registerWebviewPanelSerializer: (_: string, given: typeof serializer) => {
      serializer = given;
      return { dispose: () => (serializer = undefined) };
    },
  });
  return { panels, views, restore: (panel, state) => serializer?.deserializeWebviewPanel(panel, state) };
}

// Opens panels: as editor tabs, as views of the side bar, and again after a reload of the window.

import * as vscode from 'vscode';
import { traceOf } from '../log';
import type { OpenedRun } from '../protocol';
import type { Services } from '../services';
import { pageHtml } from './html';
import type { HostFacts, PageState, PanelId, PanelPlace } from './messages';
import { PanelPage } from './page';
import { isPanelId, openCommand, panelIds, panels } from './registry';
import { SharedSelection } from './selection';

/** Every editor tab has this one type, so that the manifest need not know the panels; its state names the panel. */
export const VIEW_TYPE = 'scopelight.panel';

/** Tells which run is shown; null after it was cleared or could not be shown again. */
export interface ShownRunEvents {
  readonly onDidChange: vscode.Event<OpenedRun | null>;
}

/** Registers every panel of the registry: its command, its view in the side bar, and its restoring. */
export function registerPanels(services: Services, shown: ShownRunEvents): { dispose(): void } {
  return new PanelHost(services, shown);
}

class PanelHost implements vscode.Disposable {
  private readonly selection = new SharedSelection();
  private readonly pages = new Set<PanelPage>();
  private readonly tabs = new Map<PanelId, vscode.WebviewPanel>();
  private readonly registrations: { dispose(): unknown }[] = [];
  private readonly folder: vscode.Uri;
  private shownRun: OpenedRun | null = null;
  private shownRunGeneration = 0;
  private placesGeneration = 0;

  constructor(
    private readonly services: Services,
    shown: ShownRunEvents,
  ) {
    this.folder = vscode.Uri.joinPath(services.context.extensionUri, 'extension', 'dist', 'webview');
    const tell = (): void => this.sendFacts();
    this.registrations.push(
      this.selection,
      this.selection.onDidChange(tell),
      services.daemon.onDidChangeState(tell),
      services.daemon.onNotification('scopelight/shownRun', ({ run }) => {
        this.shownRunGeneration += 1;
        this.show(run);
      }),
      services.daemon.onNotification('scopelight/placesChanged', () => {
        // Visible pages only hear it; a page that was hidden starts anew, and asks then.
        this.placesGeneration += 1;
        tell();
      }),
      shown.onDidChange((run) => this.show(run)),
      vscode.workspace.onDidGrantWorkspaceTrust(tell),
      vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
        deserializeWebviewPanel: (tab, state: PageState | undefined) => {
          if (isPanelId(state?.panel)) {
            this.fillTab(state.panel, tab);
          } else {
            tab.dispose();
          }
          return Promise.resolve();
        },
      }),
    );
    for (const id of panelIds()) {
      this.registrations.push(
        vscode.commands.registerCommand(openCommand(id), (file?: unknown, line?: unknown) => {
          if (typeof file === 'string' && typeof line === 'number') {
            this.selection.select({ kind: 'line', file, line });
          }
          this.open(id);
        }),
      );
      if (panels[id].sideBar) {
        this.registrations.push(
          vscode.window.registerWebviewViewProvider(`scopelight.${id}`, {
            resolveWebviewView: (view) => {
              view.webview.options = this.pageOptions();
              view.onDidDispose(this.fill(id, view.webview, 'sideBar'));
            },
          }),
        );
      }
    }
  }

  dispose(): void {
    for (const tab of this.tabs.values()) {
      tab.dispose();
    }
    vscode.Disposable.from(...this.pages, ...this.registrations).dispose();
  }

  private show(run: OpenedRun | null): void {
    if (run?.path !== this.shownRun?.path) {
      this.selection.select(null);
    }
    this.shownRun = run;
    this.sendFacts();
  }

  private open(id: PanelId): void {
    const tab = this.tabs.get(id);
    if (tab !== undefined) {
      tab.reveal();
      return;
    }
    const title = panels[id].title();
    this.fillTab(id, vscode.window.createWebviewPanel(VIEW_TYPE, title, vscode.ViewColumn.Active, this.pageOptions()));
  }

  private fillTab(id: PanelId, tab: vscode.WebviewPanel): void {
    tab.title = panels[id].title();
    tab.webview.options = this.pageOptions();
    tab.iconPath = {
      light: vscode.Uri.joinPath(this.folder, 'icons', `${id}-light.svg`),
      dark: vscode.Uri.joinPath(this.folder, 'icons', `${id}-dark.svg`),
    };
    const forget = this.fill(id, tab.webview, 'editor');
    this.tabs.set(id, tab);
    tab.onDidDispose(() => {
      forget();
      if (this.tabs.get(id) === tab) {
        this.tabs.delete(id);
      }
    });
  }

  /** Puts a panel's page into a webview; returns what to call when the webview is gone. */
  private fill(id: PanelId, webview: vscode.Webview, place: PanelPlace): () => void {
    const page = new PanelPage(webview, {
      daemon: this.services.daemon,
      facts: () => this.facts(),
      select: (selection) => this.selection.select(selection),
      log: (message, error) => this.services.log.error(`${message}: ${traceOf(error)}`),
    });
    this.pages.add(page);
    // Only now: the page may speak as soon as it has its document.
    webview.html = pageHtml(webview, {
      panel: id,
      place,
      title: panels[id].title(),
      language: vscode.env.language,
      texts: vscode.l10n.bundle,
      file: (name) => vscode.Uri.joinPath(this.folder, name),
    });
    return () => {
      this.pages.delete(page);
      page.dispose();
    };
  }

  private pageOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [this.folder] };
  }

  private facts(): HostFacts {
    return {
      shownRun: this.shownRun,
      shownRunGeneration: this.shownRunGeneration,
      placesGeneration: this.placesGeneration,
      daemonState: this.services.daemon.state,
      selection: this.selection.current,
      trusted: vscode.workspace.isTrusted,
    };
  }

  private sendFacts(): void {
    for (const page of this.pages) {
      page.sendFacts();
    }
  }
}

// Opens panels: as editor tabs, as views of the side bar, and again after a reload of the window.

import * as vscode from 'vscode';
import { isRecordedLine, type RecordedLine } from '../annotations/annotatedLine';
import { traceOf } from '../log';
import type { OpenedRun } from '../protocol';
import type { Services } from '../services';
import { pageHtml } from './html';
import type { HostFacts, PageState, PanelId, PanelPlace, Selection } from './messages';
import { PanelPage } from './page';
import { isPanelId, openCommand, panelIds, panels } from './registry';
import { SharedSelection } from './selection';
import type { WatchedFile } from './watchedFile';

/** Every editor tab has this one type, so that the manifest need not know the panels; its state names the panel. */
export const VIEW_TYPE = 'scopelight.panel';

/** Tells which run is shown; null after it was cleared or could not be shown again. */
export interface ShownRunEvents {
  readonly onDidChange: vscode.Event<OpenedRun | null>;
}

/** Registers every panel of the registry: its command, its view in the side bar, and its restoring. */
export function registerPanels(
  services: Services,
  shown: ShownRunEvents,
  lineAtCursor: () => RecordedLine | undefined,
): PanelHost {
  return new PanelHost(services, shown, lineAtCursor);
}

export class PanelHost implements vscode.Disposable {
  private readonly selection = new SharedSelection();
  private readonly pages = new Set<PanelPage>();
  private readonly tabs = new Map<PanelId, vscode.WebviewPanel>();
  private readonly views = new Set<vscode.WebviewView>();
  private readonly registrations: { dispose(): unknown }[] = [];
  private readonly folder: vscode.Uri;
  private shownRun: OpenedRun | null = null;
  private shownRunGeneration = 0;
  private placesGeneration = 0;
  private recordsGeneration = 0;
  private selectionGeneration = 0;

  constructor(
    private readonly services: Services,
    shown: ShownRunEvents,
    lineAtCursor: () => RecordedLine | undefined,
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
        // A page of the side bar that was hidden starts anew, and asks then.
        this.placesGeneration += 1;
        tell();
      }),
      services.daemon.onNotification('scopelight/recordsChanged', () => {
        this.recordsGeneration += 1;
        tell();
      }),
      shown.onDidChange((run) => this.show(run)),
      vscode.workspace.onDidGrantWorkspaceTrust(tell),
      vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
        deserializeWebviewPanel: (tab, state: PageState | undefined) => {
          if (isPanelId(state?.panel) && !this.tabs.has(state.panel)) {
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
        vscode.commands.registerCommand(openCommand(id), (argument?: unknown) => {
          // From a text a panel opens at the line that the cursor is on.
          const line = isRecordedLine(argument) ? argument : lineAtCursor();
          if (line === undefined) {
            this.open(id);
          } else {
            this.showIn(id, { kind: 'line', file: line.file, line: line.line });
          }
        }),
      );
      if (panels[id].sideBar) {
        this.registrations.push(
          vscode.window.registerWebviewViewProvider(`scopelight.${id}`, {
            resolveWebviewView: (view) => {
              const forget = this.fill(id, view.webview, 'sideBar');
              this.views.add(view);
              view.onDidDispose(() => {
                forget();
                this.views.delete(view);
              });
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

  /** Whether a page of the run that is shown can be seen, as a tab or in the side bar. */
  get isPageInSight(): boolean {
    return [...this.tabs.values(), ...this.views].some(({ visible }) => visible);
  }

  private show(run: OpenedRun | null): void {
    if (run?.path !== this.shownRun?.path) {
      this.selection.select(null);
    }
    this.shownRun = run;
    this.sendFacts();
  }

  private showIn(id: PanelId, selection: Selection): void {
    this.selectionGeneration += 1;
    if (!this.selection.select(selection)) {
      this.sendFacts();
    }
    this.open(id);
  }

  private open(id: PanelId): void {
    const tab = this.tabs.get(id);
    if (tab !== undefined) {
      tab.reveal();
      return;
    }
    const title = panels[id].title();
    // After a reload the editor makes a tab's page only when the tab is shown. Nothing can be said to such a tab: it is
    // closed once a new one has taken its place.
    const unmade = tabsTitled(title);
    // A tab that is left keeps its page. To make it again takes as long as its record takes to be read, and in editors
    // that serve every page from one address (code-server) now and then fails and leaves the tab blank.
    const options = { ...this.pageOptions(), retainContextWhenHidden: true };
    const column = unmade[0]?.group.viewColumn ?? vscode.ViewColumn.Active;
    this.fillTab(id, vscode.window.createWebviewPanel(VIEW_TYPE, title, column, options));
    if (unmade.length > 0) {
      void vscode.window.tabGroups.close(unmade, true);
    }
  }

  private fillTab(id: PanelId, tab: vscode.WebviewPanel): void {
    tab.title = panels[id].title();
    tab.iconPath = this.icon(id);
    const forget = this.fill(id, tab.webview, 'editor');
    this.tabs.set(id, tab);
    tab.onDidDispose(() => {
      forget();
      if (this.tabs.get(id) === tab) {
        this.tabs.delete(id);
      }
    });
  }

  /**
   * Puts a panel's page into a webview; returns what to call when the webview is gone. The page is of the run that is
   * shown, or of a profile's file.
   */
  fill(id: PanelId, webview: vscode.Webview, place: PanelPlace, file: WatchedFile | null = null): () => void {
    webview.options = this.pageOptions();
    const page = new PanelPage(webview, {
      daemon: this.services.daemon,
      facts: () => ({ ...this.facts(), fileGeneration: file?.generation ?? 0, isFileGone: file?.isGone ?? false }),
      select: (selection) => void this.selection.select(selection),
      showIn: (panel, selection) => this.showIn(panel, selection),
      log: (message, error) => this.services.log.error(`${message}: ${traceOf(error)}`),
    });
    this.pages.add(page);
    const listener = file?.onDidChange(() => page.sendFacts());
    // Only now: the page may speak as soon as it has its document.
    webview.html = pageHtml(webview, {
      panel: id,
      place,
      title: panels[id].title(),
      path: file?.path ?? null,
      language: vscode.env.language,
      texts: vscode.l10n.bundle,
      file: (name) => vscode.Uri.joinPath(this.folder, name),
    });
    return () => {
      this.pages.delete(page);
      listener?.dispose();
      page.dispose();
    };
  }

  private icon(id: PanelId): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
    return {
      light: vscode.Uri.joinPath(this.folder, 'icons', `${id}-light.svg`),
      dark: vscode.Uri.joinPath(this.folder, 'icons', `${id}-dark.svg`),
    };
  }

  private pageOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [this.folder] };
  }

  private facts(): Omit<HostFacts, 'fileGeneration' | 'isFileGone'> {
    return {
      shownRun: this.shownRun,
      shownRunGeneration: this.shownRunGeneration,
      placesGeneration: this.placesGeneration,
      recordsGeneration: this.recordsGeneration,
      daemonState: this.services.daemon.state,
      selection: this.selection.current,
      selectionGeneration: this.selectionGeneration,
      trusted: vscode.workspace.isTrusted,
    };
  }

  private sendFacts(): void {
    for (const page of this.pages) {
      page.sendFacts();
    }
  }
}

/** The editor's tabs of ours with that title. The editor puts a prefix of its own before the type. */
function tabsTitled(title: string): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input, label }) =>
        input instanceof vscode.TabInputWebview && input.viewType.endsWith(VIEW_TYPE) && label === title,
    );
}

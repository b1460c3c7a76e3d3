// Opens panels: as editor tabs, as views of the side bar, and again after a reload of the window.

import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRecordedLine, type RecordedLine } from '../lines/annotatedLine';
import { traceOf } from '../log';
import type { OpenedRun } from '../protocol';
import { Remembered } from '../remembered';
import type { ComparedRun } from '../comparison/comparedRun';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';
import { affects, scopeSetting } from '../settings';
import { haveStarted, sharesAddress, type StartingPage, whenBlank } from './blankPage';
import { pageHtml } from './html';
import type { HostFacts, PageState, PanelPlace, Selection } from './messages';
import { PanelPage } from './page';
import { isPanelId, OPEN_BESIDE, openCommand, panelIds } from './panelList';
import { type PanelId, panels } from './registry';
import type { WatchedFile } from './watchedFile';

/** Every editor tab has this one type, so that the manifest need not know the panels; its state names the panel. */
export const VIEW_TYPE = 'scopelight.panel';

/** How often a tab is made, or a view filled, whose page does not start. */
const MOST_TRIES = 3;

/** A page in a webview, until the webview is gone. */
export interface FilledPage extends StartingPage {
  /** The page starts anew: its webview was out of sight. */
  expectStart(): void;
  /** Puts the page into its webview once more. */
  fillAgain(): void;
  dispose(): void;
}

/** Every panel: its command, its view in the side bar, its restoring, and what all their pages are told. */
export class PanelHost implements vscode.Disposable {
  private readonly pages = new Set<PanelPage>();
  private readonly tabs = new Map<PanelId, vscode.WebviewPanel>();
  private readonly views = new Map<vscode.WebviewView, FilledPage>();
  private readonly registrations: { dispose(): unknown }[] = [];
  private readonly folder: vscode.Uri;
  private readonly remembered: Remembered;
  private known: Omit<
    HostFacts,
    'capturedRun' | 'comparison' | 'daemonState' | 'queries' | 'trusted' | 'scope' | 'fileGeneration' | 'isFileGone'
  > = {
    shownRun: null,
    shownRunGeneration: 0,
    placesGeneration: 0,
    recordsGeneration: 0,
    comparisonGeneration: 0,
    selection: null,
    selectionGeneration: 0,
    isReport: false,
  };

  constructor(
    private readonly services: Services,
    private readonly shown: Pick<ShownRun, 'onDidChange' | 'captured'>,
    private readonly compared: Pick<ComparedRun, 'onDidChange' | 'current'>,
    lineAtCursor: () => RecordedLine | undefined,
  ) {
    this.remembered = new Remembered(services.context.workspaceState);
    this.folder = vscode.Uri.joinPath(services.context.extensionUri, 'extension', 'dist', 'webview');
    // For the titles in the panels' manifests, which pages read too.
    l10n.config({ contents: vscode.l10n.bundle ?? {} });
    const { daemon } = services;
    this.registrations.push(
      daemon.onDidChangeState(() => this.tell()),
      daemon.onNotification('scopelight/shownRun', ({ run }) => {
        this.showRun(run, { shownRunGeneration: this.known.shownRunGeneration + 1 });
      }),
      // A page of the side bar that was hidden starts anew, and asks then.
      daemon.onNotification('scopelight/placesChanged', () => {
        this.tell({ placesGeneration: this.known.placesGeneration + 1 });
      }),
      daemon.onNotification('scopelight/recordsChanged', () => {
        this.tell({ recordsGeneration: this.known.recordsGeneration + 1 });
      }),
      shown.onDidChange((run) => this.showRun(run)),
      compared.onDidChange(() => this.tell({ comparisonGeneration: this.known.comparisonGeneration + 1 })),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.tell()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (affects(change, 'scope')) this.tell();
      }),
      vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
        deserializeWebviewPanel: (tab, state: PageState | undefined) => {
          if (isPanelId(state?.panel) && !this.tabs.has(state.panel)) {
            this.makeAgainWhenBlank(state.panel, tab, this.fillTab(state.panel, tab), MOST_TRIES - 1);
          } else {
            tab.dispose();
          }
          return Promise.resolve();
        },
      }),
      ...panelIds.map((id) =>
        vscode.commands.registerCommand(openCommand(id), (argument?: unknown) => {
          // From a text a panel opens at the line that the cursor is on.
          const line = isRecordedLine(argument) ? argument : lineAtCursor();
          return line === undefined
            ? this.open(id)
            : this.showIn(id, { kind: 'line', file: line.file, line: line.line });
        }),
      ),
      vscode.commands.registerCommand(OPEN_BESIDE, (id: unknown) => (isPanelId(id) ? this.open(id, true) : undefined)),
      ...panelIds
        .filter((id) => panels[id].isInSideBar)
        .map((id) =>
          vscode.window.registerWebviewViewProvider(`scopelight.${id}`, {
            resolveWebviewView: (view) => {
              this.fillView(id, view);
            },
          }),
        ),
    );
  }

  dispose(): void {
    vscode.Disposable.from(...this.tabs.values(), ...this.pages, ...this.registrations).dispose();
  }

  /** Whether a page of the run that is shown can be seen, as a tab or in the side bar. */
  get isPageInSight(): boolean {
    return [...this.tabs.values(), ...this.views.keys()].some(({ visible }) => visible);
  }

  /** Tells every page what has changed. */
  private tell(changes: Partial<typeof this.known> = {}): void {
    this.known = { ...this.known, ...changes };
    for (const page of this.pages) {
      page.sendFacts();
    }
  }

  private showRun(shownRun: OpenedRun | null, changes: Partial<typeof this.known> = {}): void {
    const isOther = shownRun?.path !== this.known.shownRun?.path;
    this.tell({ shownRun, ...changes, ...(isOther ? { selection: null } : {}) });
  }

  /** Selects in every page, and opens a panel, where what was selected already is shown again. */
  private showIn(id: PanelId, selection: Selection): Promise<void> {
    this.tell({ selection, selectionGeneration: this.known.selectionGeneration + 1 });
    return this.open(id);
  }

  /** Brings a panel into view: where it is, or in a new tab. Beside the text it leaves the keyboard there. */
  private async open(id: PanelId, isBeside = false): Promise<void> {
    const starting = [...this.views].filter(([view, page]) => view.visible && !page.start.hasEnded);
    if (sharesAddress() && starting.length > 0) {
      await haveStarted(starting.map(([, page]) => page));
    }
    const tab = this.tabs.get(id);
    if (tab !== undefined) {
      tab.reveal(undefined, isBeside);
      return;
    }
    const title = panels[id].title();
    // After a reload the editor makes a tab's page only when the tab is shown. Nothing can be said to such a tab: it is
    // closed once a new one has taken its place.
    const unmade = tabsTitled(title);
    const otherwise = isBeside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    this.makeTab(id, { viewColumn: unmade[0]?.group.viewColumn ?? otherwise, preserveFocus: isBeside });
    if (unmade.length > 0) {
      void vscode.window.tabGroups.close(unmade, true);
    }
  }

  /** Makes a tab with its page; makes it anew, in its place, for as often as `tries` allows where it stays blank. */
  private makeTab(
    id: PanelId,
    place: { readonly viewColumn: vscode.ViewColumn; readonly preserveFocus: boolean },
    tries = MOST_TRIES,
  ): void {
    // A tab that is left keeps its page: to make it again takes as long as its record takes to be read.
    const options = { ...this.pageOptions(), retainContextWhenHidden: true };
    const tab = vscode.window.createWebviewPanel(VIEW_TYPE, panels[id].title(), place, options);
    const page = this.fillTab(id, tab);
    this.makeAgainWhenBlank(id, tab, page, tries - 1);
  }

  /** A tab whose page does not start is made anew in its place, for as often as `tries` allows. */
  private makeAgainWhenBlank(id: PanelId, tab: vscode.WebviewPanel, page: FilledPage, tries: number): void {
    if (tries > 0) {
      whenBlank(tab, tab.onDidChangeViewState, page, () => {
        this.warnOfBlank(id);
        const { viewColumn = vscode.ViewColumn.Active, active } = tab;
        tab.dispose();
        this.makeTab(id, { viewColumn, preserveFocus: !active }, tries);
      });
    }
  }

  private fillView(id: PanelId, view: vscode.WebviewView): void {
    const page = this.fill(id, view.webview, 'sideBar');
    this.views.set(view, page);
    this.fillAgainWhenBlank(id, view, page);
    view.onDidChangeVisibility(() => {
      if (view.visible) {
        page.expectStart();
        this.fillAgainWhenBlank(id, view, page);
      }
    });
    view.onDidDispose(() => {
      page.dispose();
      this.views.delete(view);
    });
  }

  /** A view has no other place: its page is put into it once more. */
  private fillAgainWhenBlank(id: PanelId, view: vscode.WebviewView, page: FilledPage, tries = MOST_TRIES - 1): void {
    if (tries > 0) {
      whenBlank(view, view.onDidChangeVisibility, page, () => {
        this.warnOfBlank(id);
        page.fillAgain();
        this.fillAgainWhenBlank(id, view, page, tries - 1);
      });
    }
  }

  private warnOfBlank(id: PanelId): void {
    this.services.log.warn(`The page of the panel ${id} did not start, and is made anew.`);
  }

  private fillTab(id: PanelId, tab: vscode.WebviewPanel): FilledPage {
    tab.title = panels[id].title();
    tab.iconPath = {
      light: vscode.Uri.joinPath(this.folder, 'icons', `${id}-light.svg`),
      dark: vscode.Uri.joinPath(this.folder, 'icons', `${id}-dark.svg`),
    };
    const page = this.fill(id, tab.webview, 'editor');
    this.tabs.set(id, tab);
    tab.onDidDispose(() => {
      page.dispose();
      if (this.tabs.get(id) === tab) {
        this.tabs.delete(id);
      }
    });
    return page;
  }

  /**
   * Puts a panel's page into a webview; to be disposed of when the webview is gone. The page is of the run that is
   * shown, or of a profile's file.
   */
  fill(id: PanelId, webview: vscode.Webview, place: PanelPlace, file: WatchedFile | null = null): FilledPage {
    webview.options = this.pageOptions();
    const page = new PanelPage(webview, {
      daemon: this.services.daemon,
      facts: () => ({
        ...this.known,
        capturedRun: this.shown.captured,
        comparison: this.compared.current,
        daemonState: this.services.daemon.state,
        queries: this.remembered.queries,
        trusted: vscode.workspace.isTrusted,
        scope: scopeSetting(),
        fileGeneration: file?.generation ?? 0,
        isFileGone: file?.isGone ?? false,
      }),
      keepQuery: (query) => {
        void this.remembered.addQuery(query).then(() => this.tell());
      },
      select: (selection) => {
        if (!isDeepStrictEqual(selection, this.known.selection)) {
          this.tell({ selection });
        }
      },
      showIn: (panel, selection) => void this.showIn(panel, selection),
      log: (message, error) => this.services.log.error(`${message}: ${traceOf(error)}`),
    });
    this.pages.add(page);
    const listener = file?.onDidChange(() => page.sendFacts());
    const fillIn = (): void => {
      webview.html = pageHtml(webview, {
        panel: id,
        place,
        title: panels[id].title(),
        path: file?.path ?? null,
        language: vscode.env.language,
        texts: vscode.l10n.bundle,
        file: (name) => vscode.Uri.joinPath(this.folder, name),
      });
    };
    // Only now: the page may speak as soon as it has its document.
    fillIn();
    return {
      get start() {
        return page.start;
      },
      expectStart: () => page.expectStart(),
      fillAgain: fillIn,
      dispose: () => {
        this.pages.delete(page);
        listener?.dispose();
        page.dispose();
      },
    };
  }

  private pageOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [this.folder] };
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

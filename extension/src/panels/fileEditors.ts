// Editors of files, as panels name them in their manifests: `*.xplane.pb` opens as a timeline.

import path from 'node:path';
import * as vscode from 'vscode';
import { traceOf } from '../log';
import type { OpenedRun } from '../protocol';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';
import type { PanelHost } from './host';
import type { PanelManifest } from './manifest';
import { panelIds } from './panelList';
import { panels } from './registry';
import { WatchedFile } from './watchedFile';

/** The run that is shown, and how to show another. */
type ShownRuns = Pick<ShownRun, 'current' | 'open'>;

/** Registers the editor of every panel that has one: its page is of the file, and follows it. */
export function registerFileEditors(
  services: Pick<Services, 'log'>,
  host: Pick<PanelHost, 'fill'>,
  shown: ShownRuns,
): vscode.Disposable {
  const editors = panelIds.flatMap((id) => {
    const { fileEditor }: PanelManifest = panels[id];
    return fileEditor === undefined ? [] : [{ id, ...fileEditor }];
  });
  return vscode.Disposable.from(
    ...editors.map(({ id, viewType, showsRun }) =>
      vscode.window.registerCustomEditorProvider(
        viewType,
        {
          openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
          resolveCustomEditor: ({ uri }, tab) => {
            const file = new WatchedFile(uri.fsPath);
            const page = host.fill(id, tab.webview, 'editor', file);
            tab.onDidChangeViewState(() => {
              if (tab.visible) {
                file.look();
              }
            });
            tab.onDidDispose(() => {
              page.dispose();
              file.dispose();
            });
            if (showsRun) {
              showRunOf(file, services, shown);
            }
          },
        },
        { supportsMultipleEditorsPerDocument: true, webviewOptions: { retainContextWhenHidden: true } },
      ),
    ),
  );
}

/** Makes the profile of a file the run that is shown, and shows it again when the file has changed. */
function showRunOf(file: WatchedFile, { log }: Pick<Services, 'log'>, shown: ShownRuns): void {
  const open = (run: string): void => {
    // The page does not wait for it, and says itself what is wrong with a file that cannot be read.
    shown
      // The editor also makes it after a reload: where there is no daemon the page offers to install it.
      .open(run, { isQuiet: true })
      .catch((error: unknown) => log.warn(`The run of ${file.path} could not be shown: ${traceOf(error)}`));
  };
  if (!holds(shown.current, file.path)) {
    open(file.path);
  }
  file.onDidChange(() => {
    // What else is shown of it is old too.
    if (!file.isGone && shown.current !== null && holds(shown.current, file.path)) {
      open(shown.current.path);
    }
  });
}

/** The profile that the timeline in front is of; undefined where there is none of a file. */
export function profileInFront(): string | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom && input.viewType === panels.timeline.fileEditor?.viewType
    ? input.uri.fsPath
    : undefined;
}

function holds(run: OpenedRun | null, file: string): boolean {
  return run !== null && (run.path === file || file.startsWith(run.path + path.sep));
}

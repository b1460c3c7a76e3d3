// A tab of an editor of files: a panel's page that is of the file, and follows it.

import type * as vscode from 'vscode';
import type { PanelHost } from './host';
import type { PanelId } from './messages';
import { WatchedFile } from './watchedFile';

/** Puts a panel of a file into a tab, for as long as the tab is there. */
export function fillFileTab(
  panels: Pick<PanelHost, 'fill'>,
  id: PanelId,
  tab: vscode.WebviewPanel,
  path: string,
): Pick<WatchedFile, 'onDidChange' | 'isGone'> {
  const file = new WatchedFile(path);
  const forget = panels.fill(id, tab.webview, 'editor', file);
  tab.onDidChangeViewState(() => {
    if (tab.visible) {
      file.look();
    }
  });
  tab.onDidDispose(() => {
    forget();
    file.dispose();
  });
  return file;
}

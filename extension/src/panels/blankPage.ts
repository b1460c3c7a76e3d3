// Tells that a tab stays blank. Editors in a browser that serve every page from one address (code-server) register one
// service worker per page under that address: of two pages that start together one may wait for ever for the worker
// that the other has replaced. Only a new tab helps.

import * as vscode from 'vscode';

/** How long a page may take to start: some come over slow connections. */
const LONGEST_MS = 15_000;

/** A page that may have been heard of. */
export interface StartingPage {
  readonly isStarted: boolean;
}

/** Calls `then` once if the page of a tab has not started in time; for a tab that is left then, when it is seen again. */
export function whenBlank(
  tab: Pick<vscode.WebviewPanel, 'visible' | 'onDidChangeViewState' | 'onDidDispose'>,
  page: StartingPage,
  then: () => void,
): void {
  if (vscode.env.uiKind !== vscode.UIKind.Web) {
    return;
  }
  let isLate = false;
  const look = (): void => {
    if (isLate && tab.visible) {
      stop();
      if (!page.isStarted) then();
    }
  };
  const timer = setTimeout(() => {
    isLate = true;
    look();
  }, LONGEST_MS);
  const listeners = [tab.onDidChangeViewState(look), tab.onDidDispose(() => stop())];
  const stop = (): void => {
    clearTimeout(timer);
    vscode.Disposable.from(...listeners).dispose();
  };
}

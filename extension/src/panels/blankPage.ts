// Pages that stay blank. Editors in a browser that serve every page from one address (code-server) register one service
// worker per page under that address: of two pages that start together one may wait for ever for the worker that the
// other has replaced. So they start one after the other, and one that stays blank all the same is made anew.

import * as vscode from 'vscode';

/** How long a page may take to start: some come over slow connections. */
const LONGEST_MS = 15_000;
/** How long another one waits for that at most. */
const LONGEST_WAIT_MS = 5000;

/** A page that may have been heard of. */
export interface StartingPage {
  readonly isStarted: boolean;
  /** Resolves when it is. */
  readonly started: Promise<void>;
}

/** A tab, or a view of the side bar. */
export interface Sight {
  readonly visible: boolean;
  readonly onDidChangeVisible: vscode.Event<unknown>;
  readonly onDidDispose: vscode.Event<unknown>;
}

/** Calls `then` once if a page has not started in time; for one that is left then, when it is seen again. */
export function whenBlank(sight: Sight, page: StartingPage, then: () => void): void {
  if (!sharesAddress()) {
    return;
  }
  let isLate = false;
  const look = (): void => {
    if (isLate && sight.visible) {
      stop();
      if (!page.isStarted) then();
    }
  };
  const timer = setTimeout(() => {
    isLate = true;
    look();
  }, LONGEST_MS);
  const listeners = [sight.onDidChangeVisible(look), sight.onDidDispose(() => stop())];
  const stop = (): void => {
    clearTimeout(timer);
    vscode.Disposable.from(...listeners).dispose();
  };
}

/** Resolves when pages have started that another one must not disturb, or that takes too long. */
export async function haveStarted(pages: readonly StartingPage[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, LONGEST_WAIT_MS)));
  await Promise.race([Promise.all(pages.map(({ started }) => started)), isLate]);
  clearTimeout(timer);
}

/** Whether pages come from one address; on the desktop each has its own. */
export function sharesAddress(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Web;
}

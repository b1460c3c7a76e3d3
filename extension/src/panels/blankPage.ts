// Pages that stay blank. Editors in a browser that serve every page from one address (code-server) register one service
// worker per page under that address: of two pages that start together one may wait for ever for the worker that the
// other has replaced. So they start one after the other, and one that stays blank all the same is made anew.

import * as vscode from 'vscode';

/** How long a page may take to start: some come over slow connections. */
const LONGEST_MS = 15_000;
/** How long another one waits for that at most. */
const LONGEST_WAIT_MS = 5000;

/** One start of a page: a page of the side bar that was hidden starts anew. */
export class Start {
  private isEnded = false;
  private resolve: () => void = () => undefined;
  /** Resolves when the page was heard of. */
  readonly ended = new Promise<void>((resolve) => (this.resolve = resolve));

  /** Whether the page was heard of. */
  get hasEnded(): boolean {
    return this.isEnded;
  }

  /** The page was heard of. */
  end(): void {
    this.isEnded = true;
    this.resolve();
  }
}

/** A page that starts, or has. */
export interface StartingPage {
  /** The last of its starts. */
  readonly start: Start;
}

/**
 * Calls `then` once if a page has not started in time; for one that is left then, when it is seen again, unless it starts
 * anew. `onDidChangeVisible` is of `shown`, a tab or a view of the side bar.
 */
export function whenBlank(
  shown: Pick<vscode.WebviewPanel | vscode.WebviewView, 'visible' | 'onDidDispose'>,
  onDidChangeVisible: vscode.Event<unknown>,
  page: StartingPage,
  then: () => void,
): void {
  if (!sharesAddress()) {
    return;
  }
  const { start } = page;
  let isLate = false;
  const look = (): void => {
    if (isLate && shown.visible) {
      stop();
      if (page.start === start && !start.hasEnded) then();
    }
  };
  const timer = setTimeout(() => {
    isLate = true;
    look();
  }, LONGEST_MS);
  const listeners = [onDidChangeVisible(look), shown.onDidDispose(() => stop())];
  const stop = (): void => {
    clearTimeout(timer);
    vscode.Disposable.from(...listeners).dispose();
  };
}

/** Resolves when pages have started that another one must not disturb, or that takes too long. */
export async function haveStarted(pages: readonly StartingPage[]): Promise<void> {
  const isLate = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS));
  await Promise.race([Promise.all(pages.map(({ start }) => start.ended)), isLate]);
}

/** Whether pages come from one address; on the desktop each has its own. */
export function sharesAddress(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Web;
}

// A page and its host in one document: what VS Code gives a page, and a table large enough to be drawn.

import { type ComponentChild, render } from 'preact';
import { act } from 'preact/test-utils';
import type { HostFacts, HostMessage, PageMessage } from '../../../../extension/src/panels/messages';
import type { PanelId } from '../../../../extension/src/panels/registry';
import type { Page } from '../../../../extension/webview/shared/page/page';
import { PageProvider } from '../../../../extension/webview/shared/page/page';
import { HostLink } from '../../../../extension/webview/shared/page/rpc';
import { SavedState } from '../../../../extension/webview/shared/page/state';
import './browser';
import { someFacts } from './madeFacts';

export class FakeHost {
  readonly sent: PageMessage[] = [];
  state: unknown;
  private readonly listeners: ((event: MessageEvent) => void)[] = [];

  readonly api = {
    postMessage: (message: PageMessage) => {
      this.sent.push(message);
    },
    getState: () => this.state,
    setState: (state: unknown) => {
      this.state = structuredClone(state);
      return state;
    },
  };

  readonly window = {
    addEventListener: (_: string, listener: (event: MessageEvent) => void) => {
      this.listeners.push(listener);
    },
  } as unknown as Window;

  say(message: HostMessage): Promise<void> {
    return act(async () => {
      // As over a channel: what arrives is a copy.
      this.listeners.forEach((tell) => tell({ data: structuredClone(message) } as MessageEvent));
      await Promise.resolve();
    });
  }

  facts(changes: Partial<HostFacts> = {}): Promise<void> {
    const heardSelections = this.sent.filter(({ type }) => type === 'select' || type === 'showIn').length;
    return this.say({ type: 'facts', facts: { ...someFacts, ...changes }, heardSelections });
  }

  /** The last request, to be answered. */
  get request() {
    const found = this.sent.filter((message) => message.type === 'request').at(-1);
    if (found === undefined) {
      throw new Error('The page has asked for nothing.');
    }
    return found;
  }

  answer(result: unknown): Promise<void> {
    return this.say({ type: 'result', id: this.request.id, result });
  }

  /** The last request for details, to be answered. */
  get details() {
    const found = this.sent.filter((message) => message.type === 'details').at(-1);
    if (found === undefined) {
      throw new Error('The page has asked for no details.');
    }
    return found;
  }

  answerDetails(result: unknown): Promise<void> {
    return this.say({ type: 'result', id: this.details.id, result });
  }

  page(panel: PanelId = 'hotLines', path: string | null = null): Page {
    const host = new HostLink(this.api, this.window);
    host.start();
    return { panel, path, host, saved: new SavedState(this.api, panel) };
  }
}

/** Renders on a page and returns the element that holds it. */
export async function rendered(page: Page, content: ComponentChild): Promise<HTMLElement> {
  const element = document.createElement('div');
  document.body.replaceChildren(element);
  await act(() => render(<PageProvider value={page}>{content}</PageProvider>, element));
  return element;
}

/** Every element is as large as this, since nothing is laid out here. */
export function giveElementsSize(width_px: number, height_px: number): void {
  const give = (name: 'clientWidth' | 'clientHeight', value: number): void => {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
  };
  give('clientWidth', width_px);
  give('clientHeight', height_px);
}

/** Until the next frame, with what it draws. */
export function nextFrame(): Promise<void> {
  return act(() => new Promise((resolve) => requestAnimationFrame(() => resolve())));
}

/** Until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await nextFrame();
  }
}

export function press(element: Element, key: string, more: KeyboardEventInit = {}): Promise<void> {
  return act(() => {
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
  });
}

export function click(element: Element): Promise<void> {
  return act(() => {
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  });
}

/** The element of a selector, which must be there. */
export function found(within: ParentNode, selector: string): HTMLElement {
  const element = within.querySelector<HTMLElement>(selector);
  if (element === null) {
    throw new Error(`Nothing on the page is ${selector}`);
  }
  return element;
}

/** What a row is named in its first cell: an op by the name that XLA gave it, anything else by its text. */
export function rowName(row: Element): string {
  return (row.querySelector('.op-in-xla') ?? row.querySelector('[role=gridcell]'))?.textContent ?? '';
}

// The host, as a page sees it: facts that it keeps current, and requests that can be cancelled.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { HostFacts, HostMessage, PageCommand, PageMessage, PanelId, Selection } from '../../src/panels/messages';
import type { Panels } from '../../src/protocol';

/** What VS Code gives a page. */
export interface HostApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: unknown): unknown;
}

export interface Progress {
  readonly message: string | null;
  /** 0 to 100. */
  readonly percentage: number | null;
}

/** A sentence for the user in place of an answer. */
export class RequestFailure extends Error {}

/** The request was cancelled, here or at the host. */
export class RequestCancelled extends Error {}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

export class HostLink {
  private readonly known = signal<HostFacts | null>(null);
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;

  /** Null until the host has spoken. */
  readonly facts: ReadonlySignal<HostFacts | null> = this.known;

  constructor(
    private readonly api: HostApi,
    private readonly source: Pick<Window, 'addEventListener'>,
  ) {}

  /** Listens to the host and tells it that the page is ready. */
  start(): void {
    this.source.addEventListener('message', (event) => this.receive(event.data as HostMessage));
    this.api.postMessage({ type: 'ready' });
  }

  /**
   * Asks for a panel's record. Rejects with `RequestFailure` for what the user is to be told and with
   * `RequestCancelled` once `signal` is aborted; an answer that comes later is dropped.
   */
  request<Id extends PanelId>(
    panel: Id,
    params: Panels[Id]['params'],
    options: { readonly signal?: AbortSignal; readonly onProgress?: (progress: Progress) => void } = {},
  ): Promise<Panels[Id]['result']> {
    const id = ++this.lastId;
    return new Promise<Panels[Id]['result']>((resolve, reject) => {
      if (options.signal?.aborted === true) {
        reject(new RequestCancelled());
        return;
      }
      this.pending.set(id, {
        resolve: (result) => resolve(result as Panels[Id]['result']),
        reject,
        onProgress: options.onProgress,
      });
      options.signal?.addEventListener('abort', () => {
        if (this.pending.delete(id)) {
          this.api.postMessage({ type: 'cancel', id });
          reject(new RequestCancelled());
        }
      });
      this.api.postMessage({ type: 'request', id, panel, params });
    });
  }

  goToLine(file: string, line: number): void {
    this.api.postMessage({ type: 'goToLine', file, line });
  }

  copy(text: string): void {
    this.api.postMessage({ type: 'copy', text });
  }

  run(command: PageCommand): void {
    this.api.postMessage({ type: 'run', command });
  }

  select(selection: Selection | null): void {
    this.api.postMessage({ type: 'select', selection });
  }

  private receive(message: HostMessage): void {
    if (message.type === 'facts') {
      this.known.value = message.facts;
      return;
    }
    const waiting = this.pending.get(message.id);
    if (waiting === undefined) {
      return;
    }
    if (message.type === 'progress') {
      waiting.onProgress?.({ message: message.message, percentage: message.percentage });
      return;
    }
    this.pending.delete(message.id);
    switch (message.type) {
      case 'result':
        waiting.resolve(message.result);
        return;
      case 'failure':
        waiting.reject(new RequestFailure(message.message));
        return;
      case 'cancelled':
        waiting.reject(new RequestCancelled());
        return;
    }
  }
}

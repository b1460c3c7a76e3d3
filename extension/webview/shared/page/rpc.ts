// The host, as a page sees it: facts that it keeps current, and requests that can be cancelled.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { ProgressReport } from '../../../src/daemon/connection';
import type {
  DetailsId,
  ExportCommand,
  HostFacts,
  HostMessage,
  PageCommand,
  PageMessage,
  Selection,
  TimelineExport,
} from '../../../src/panels/messages';
import type { PanelId } from '../../../src/panels/registry';
import type { Details, Scope, Views, ViewId } from '../../../src/protocol';

/** What VS Code gives a page. */
export interface HostApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: unknown): unknown;
}

/** Where a page hears its host: the window, in an editor. */
export interface MessageSource {
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** A sentence for the user in place of an answer. */
export class RequestFailure extends Error {}

/** The request was cancelled, here or at the host. */
export class RequestCancelled extends Error {}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ProgressReport) => void;
}

/** A line of a file, as a run names it. */
export interface RecordedPlace {
  readonly file: string;
  readonly line: number;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: ProgressReport) => void) | undefined;
}

export class HostLink {
  private readonly known = signal<HostFacts | null>(null);
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private ownSelections = 0;

  /** Null until the host has spoken. */
  readonly facts: ReadonlySignal<HostFacts | null> = this.known;

  constructor(
    private readonly api: HostApi,
    private readonly source: MessageSource,
  ) {}

  /** Listens to the host and tells it that the page is ready. */
  start(): void {
    this.source.addEventListener('message', (event) => this.receive(event.data as HostMessage));
    this.api.postMessage({ type: 'ready' });
  }

  /**
   * Asks for the record of a view. Rejects with `RequestFailure` for what the user is to be told and with
   * `RequestCancelled` once `signal` is aborted; an answer that comes later is dropped.
   */
  request<Id extends ViewId>(
    view: Id,
    params: Views[Id]['params'],
    options: RequestOptions = {},
  ): Promise<Views[Id]['result']> {
    return this.ask((id) => ({ type: 'request', id, view, params }), options);
  }

  /** Asks for details of one thing in a record, as `request` asks for the record. */
  details<Id extends DetailsId>(
    details: Id,
    params: Details[Id]['params'],
    options: RequestOptions = {},
  ): Promise<Details[Id]['result']> {
    return this.ask((id) => ({ type: 'details', id, details, params }), options);
  }

  private ask<Result>(messageOf: (id: number) => PageMessage, options: RequestOptions): Promise<Result> {
    const id = ++this.lastId;
    return new Promise<Result>((resolve, reject) => {
      if (options.signal?.aborted === true) {
        reject(new RequestCancelled());
        return;
      }
      this.pending.set(id, {
        resolve: (result) => resolve(result as Result),
        reject,
        onProgress: options.onProgress,
      });
      options.signal?.addEventListener('abort', () => {
        if (this.pending.delete(id)) {
          this.api.postMessage({ type: 'cancel', id });
          reject(new RequestCancelled());
        }
      });
      this.api.postMessage(messageOf(id));
    });
  }

  /** Goes to the line of a row. Returns whether it has one. */
  goToLineOf({ file, line }: { readonly file: string | null; readonly line: number | null }): boolean {
    if (file === null || line === null) {
      return false;
    }
    this.api.postMessage({ type: 'goToLine', file, line });
    return true;
  }

  /** Opens the copy of a file that a run of the comparison keeps. */
  openRecorded(run: string, { file, line }: RecordedPlace): void {
    this.api.postMessage({ type: 'openRecorded', run, file, line });
  }

  /** Opens the recorded texts of both sides of the comparison, at a line; null of a side that does not have it. */
  showSourceChanges(before: RecordedPlace | null, after: RecordedPlace | null): void {
    this.api.postMessage({ type: 'showSourceChanges', before, after });
  }

  copy(text: string): void {
    this.api.postMessage({ type: 'copy', text });
  }

  /** Has a query remembered in the workspace. */
  keepQuery(query: string): void {
    this.api.postMessage({ type: 'keepQuery', query });
  }

  run(command: PageCommand): void {
    this.api.postMessage({ type: 'run', command });
  }

  /** Looks at another part of the run, in every panel and in the texts. */
  chooseScope(scope: Scope): void {
    this.api.postMessage({ type: 'chooseScope', scope });
  }

  select(selection: Selection | null): void {
    this.keepOwnSelection(selection);
    this.api.postMessage({ type: 'select', selection });
  }

  /** Writes a part of a timeline to a file that the person names, or for Perfetto. */
  exportTimeline(command: ExportCommand, part: TimelineExport): void {
    this.api.postMessage({ type: 'exportTimeline', command, part });
  }

  /** Selects in every panel and opens that one. */
  showIn(panel: PanelId, selection: Selection): void {
    this.keepOwnSelection(selection);
    this.api.postMessage({ type: 'showIn', panel, selection });
  }

  private keepOwnSelection(selection: Selection | null): void {
    this.ownSelections += 1;
    if (this.known.value !== null) {
      this.known.value = { ...this.known.value, selection };
    }
  }

  private receive(message: HostMessage): void {
    if (message.type === 'facts') {
      // What was selected here since then holds: the host, which may be far away, has yet to hear of it.
      const isOld = this.known.value !== null && message.heardSelections < this.ownSelections;
      const selection = isOld ? (this.known.value?.selection ?? null) : message.facts.selection;
      this.known.value = { ...message.facts, selection };
      return;
    }
    const waiting = this.pending.get(message.id);
    if (waiting === undefined) {
      return;
    }
    if (message.type === 'progress') {
      waiting.onProgress?.(message.progress);
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

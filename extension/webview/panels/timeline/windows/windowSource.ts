// Fetches windows: one request at a time, always for what is in sight by then.

import type { WindowRecord } from '../../../../src/protocol';
import { RequestCancelled } from '../../../shared/page/rpc';
import { decodeWindow } from './packed';
import {
  isReady,
  type Layer,
  type LayerKind,
  type Layers,
  nextRequest,
  type Wanted,
  type WindowRequest,
} from './windows';

/** After an answer in which a track was still being read. */
const ASK_AGAIN_MS = 200;

export interface WindowEvents {
  readonly ask: (request: WindowRequest, signal: AbortSignal) => Promise<WindowRecord>;
  readonly onArrival: (layer: Layer, took_ms: number) => void;
  /** With a sentence for the user. */
  readonly onFailure: (sentence: string) => void;
}

interface InFlight {
  readonly request: WindowRequest;
  readonly abort: AbortController;
}

export class WindowSource {
  private held: Partial<Record<LayerKind, Layer>> = {};
  private wanted: Wanted | null = null;
  /** For this nothing could be had: it is not asked for again. */
  private failed: Wanted | null = null;
  private inFlight: InFlight | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly events: WindowEvents) {}

  get layers(): Layers {
    return this.held;
  }

  /** Says what is in sight now. */
  want(wanted: Wanted): void {
    this.wanted = wanted;
    this.askNext();
  }

  /** Forgets what was fetched: it is of another profile. */
  drop(): void {
    this.held = {};
    this.wanted = null;
    this.failed = null;
    this.stop();
  }

  /** Asks for nothing any more until something is wanted. */
  stop(): void {
    clearTimeout(this.timer);
    this.inFlight?.abort.abort();
    this.inFlight = null;
  }

  private askNext(): void {
    if (this.wanted === null || this.wanted === this.failed) {
      return;
    }
    const next = nextRequest(this.wanted, this.held);
    if (this.inFlight !== null) {
      // What may be needed later makes room for what is needed now.
      if (next?.isUrgent !== true || this.inFlight.request.isUrgent) {
        return;
      }
      this.inFlight.abort.abort();
    }
    if (next !== null) {
      clearTimeout(this.timer);
      void this.fetch(next);
    }
  }

  private async fetch(request: WindowRequest): Promise<void> {
    const inFlight = { request, abort: new AbortController() };
    const { wanted } = this;
    this.inFlight = inFlight;
    const asked_ms = performance.now();
    try {
      const record = await this.events.ask(request, inFlight.abort.signal);
      if (this.inFlight !== inFlight) {
        return;
      }
      const layer: Layer = { ...request, window: decodeWindow(record) };
      this.inFlight = null;
      this.held[layer.kind] = layer;
      this.events.onArrival(layer, performance.now() - asked_ms);
      if (isReady(layer)) {
        this.askNext();
      } else {
        this.timer = setTimeout(() => this.askNext(), ASK_AGAIN_MS);
      }
    } catch (error) {
      if (this.inFlight !== inFlight) {
        return;
      }
      this.inFlight = null;
      if (error instanceof RequestCancelled) {
        return;
      }
      this.failed = wanted;
      this.events.onFailure(error instanceof Error ? error.message : String(error));
      this.askNext();
    }
  }
}

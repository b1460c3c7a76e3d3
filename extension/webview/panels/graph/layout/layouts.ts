// Layouts as a page asks for them: beside the page in a worker where it may have one; the newest request wins.

import { layoutOf } from './layout';
import type { Layout, LayoutRequest } from './request';
import type { Answered, Asked } from './worker';

/** Answers null where a newer request took the place of this one. */
export type LayOut = (request: LayoutRequest) => Promise<Layout | null>;

/** In the page itself: in a report, which may start no worker, and in tests. */
export const inPage: LayOut = (request) => Promise.resolve(layoutOf(request));

/** What is used of a worker. */
export interface LayoutWorker {
  postMessage(asked: Asked): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Answered>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

interface Waiting {
  readonly asked: Asked;
  readonly answer: (layout: Layout | null) => void;
}

/**
 * Asks a worker, which is started with the first request. While it is at work, only the newest of the others waits. A
 * worker that fails, or that may not be started here, is done without.
 */
export function inWorker(start: () => LayoutWorker): LayOut {
  let worker: LayoutWorker | null = null;
  let isRefused = false;
  let number = 0;
  let atWork: Waiting | null = null;
  let next: Waiting | null = null;

  const give = (waiting: Waiting): void => {
    if (isRefused) {
      waiting.answer(layoutOf(waiting.asked.request));
      return;
    }
    try {
      worker ??= started();
      atWork = waiting;
      worker.postMessage(waiting.asked);
    } catch {
      refuse(waiting);
    }
  };
  const goOn = (): void => {
    atWork = null;
    const waiting = next;
    next = null;
    if (waiting !== null) {
      give(waiting);
    }
  };
  const refuse = (waiting: Waiting | null): void => {
    isRefused = true;
    worker?.terminate();
    worker = null;
    waiting?.answer(layoutOf(waiting.asked.request));
    goOn();
  };
  const started = (): LayoutWorker => {
    const made = start();
    made.onmessage = ({ data }) => {
      const waiting = atWork;
      if (waiting?.asked.number === data.number) {
        waiting.answer(next === null ? data.layout : null);
        goOn();
      }
    };
    made.onerror = () => refuse(atWork);
    return made;
  };

  return (request) =>
    new Promise((answer) => {
      number += 1;
      const waiting = { asked: { number, request }, answer };
      if (atWork === null) {
        give(waiting);
      } else {
        next?.answer(null);
        next = waiting;
      }
    });
}

/** A worker of this script; the page's policy must let it have workers of its own making. */
export function workerOf(script: string): LayoutWorker {
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  return worker;
}

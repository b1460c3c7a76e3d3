import { describe, expect, test } from 'vitest';
import { layoutOf } from '../../../../../extension/webview/panels/graph/layout/layout';
import { inPage, inWorker, type LayoutWorker } from '../../../../../extension/webview/panels/graph/layout/layouts';
import type { Answered, Asked } from '../../../../../extension/webview/panels/graph/layout/worker';
import { programLike } from './madeGraphs';

/** A worker that answers when it is told to. */
class FakeWorker implements LayoutWorker {
  readonly asked: Asked[] = [];
  isEnded = false;
  onmessage: ((event: MessageEvent<Answered>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;

  postMessage(asked: Asked): void {
    this.asked.push(asked);
  }

  terminate(): void {
    this.isEnded = true;
  }

  answer(): void {
    const { number, request } = this.asked.at(-1) as Asked;
    this.onmessage?.({ data: { number, layout: layoutOf(request) } } as MessageEvent<Answered>);
  }
}

const requests = [1, 2, 3, 4].map((seed) => programLike(10, seed));
const [first, second, third, fourth] = requests as [(typeof requests)[0], ...typeof requests];

describe('layouts in a worker', () => {
  test('are those of the page, by one worker that is started with the first', async () => {
    const workers: FakeWorker[] = [];
    const layOut = inWorker(() => {
      workers.push(new FakeWorker());
      return workers[0] as FakeWorker;
    });
    expect(workers).toHaveLength(0);
    for (const request of [first, second]) {
      const layout = layOut(request as typeof first);
      workers[0]?.answer();
      expect(await layout).toEqual(await inPage(request as typeof first));
    }
    expect(workers).toHaveLength(1);
  });

  test('are those of the newest request: others that wait are not made at all', async () => {
    const worker = new FakeWorker();
    const layOut = inWorker(() => worker);
    const answers = [first, second, third, fourth].map((request) => layOut(request as typeof first));
    expect(worker.asked).toHaveLength(1);
    worker.answer();
    expect(worker.asked.map(({ request }) => request)).toEqual([first, fourth]);
    worker.answer();
    const layouts = await Promise.all(answers);
    expect(layouts.map((layout) => layout === null)).toEqual([true, true, true, false]);
  });

  test('are made in the page where no worker may be started, and where it fails', async () => {
    const refused = inWorker(() => {
      throw new Error('The policy of the page allows none.');
    });
    expect(await refused(first)).toEqual(layoutOf(first));
    expect(await refused(first)).toEqual(layoutOf(first));

    const worker = new FakeWorker();
    const failing = inWorker(() => worker);
    const [one, other] = [failing(first), failing(second as typeof first)];
    worker.onerror?.({} as ErrorEvent);
    expect(await one).toEqual(layoutOf(first));
    expect(await other).toEqual(layoutOf(second as typeof first));
    expect(worker.isEnded).toBe(true);
  });
});

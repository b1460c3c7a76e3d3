import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { WindowRecord } from '../../../../extension/src/protocol';
import { RequestCancelled, RequestFailure } from '../../../../extension/webview/shared/page/rpc';
import { NameCache } from '../../../../extension/webview/panels/timeline/state/names';
import { decodeWindow } from '../../../../extension/webview/panels/timeline/windows/packed';
import { contains, lengthOf } from '../../../../extension/webview/panels/timeline/state/viewport';
import {
  type Layers,
  layersToDraw,
  nextRequest,
  type Wanted,
  type WindowRequest,
} from '../../../../extension/webview/panels/timeline/windows/windows';
import { WindowSource } from '../../../../extension/webview/panels/timeline/windows/windowSource';
import { aTraining } from './madeTimeline';

const made = aTraining({ steps: 4, devices: 1 });
const { duration_ps } = made.record;
const all = new Map(made.record.sections.flatMap(({ tracks }) => tracks.map(({ id }) => [id, 8] as const)));
const near = new Map([...all].slice(0, 4));

function aWish(changes: Partial<Wanted> = {}): Wanted {
  const view = { start_ps: 0, end_ps: duration_ps };
  return { near, all, view, duration_ps, width_px: 1000, matcher: null, record: made.record, ...changes };
}

function part(from: number, to: number): Wanted['view'] {
  return { start_ps: from * duration_ps, end_ps: to * duration_ps };
}

function answer(request: WindowRequest, changes: Partial<WindowRecord> = {}): WindowRecord {
  return { ...made.window(request), ...changes };
}

/** What is held once nothing is left to ask for, and what was asked for. */
function settled(wanted: Wanted, before: Layers = {}, changes: Partial<WindowRecord> = {}) {
  let layers = before;
  const asked: WindowRequest[] = [];
  for (let request = nextRequest(wanted, layers); request !== null; request = nextRequest(wanted, layers)) {
    asked.push(request);
    expect(asked.length).toBeLessThan(10);
    layers = { ...layers, [request.kind]: { ...request, window: decodeWindow(answer(request, changes)) } };
  }
  return { layers, asked };
}

describe('what to ask for', () => {
  test('is first what is in sight, then what is around it, then all', () => {
    const { asked } = settled(aWish({ view: part(0.4, 0.45) }));
    expect(asked.map(({ kind, isUrgent }) => [kind, isUrgent])).toEqual([
      ['near', true],
      ['whole', false],
      ['wide', false],
    ]);
    const [first] = asked;
    expect(contains(first?.span ?? { start_ps: 0, end_ps: 0 }, part(0.4, 0.45))).toBe(true);
  });

  test('is wider than the view on both sides, as fine as the screen, in whole picoseconds', () => {
    const view = { start_ps: 1e9 + 0.3, end_ps: 1.1e9 + 0.7 };
    const request = nextRequest(aWish({ view }), {});
    expect(request?.span.start_ps).toBeLessThan(view.start_ps - 0.3 * lengthOf(view));
    expect(request?.span.end_ps).toBeGreaterThan(view.end_ps + 0.3 * lengthOf(view));
    expect(Number.isInteger(request?.span.start_ps)).toBe(true);
    expect(lengthOf(request?.span ?? view) / (request?.width_px ?? 1)).toBeCloseTo(lengthOf(view) / 1000, -3);
  });

  test('is nothing while one pans inside of what was fetched, and more before it ends', () => {
    const { layers } = settled(aWish({ view: part(0.4, 0.5) }));
    expect(nextRequest(aWish({ view: part(0.41, 0.51) }), layers)).toBeNull();
    const ahead = nextRequest(aWish({ view: part(0.44, 0.54) }), layers);
    expect([ahead?.kind, ahead?.isUrgent]).toEqual(['near', false]);
    expect(nextRequest(aWish({ view: part(0.7, 0.8) }), layers)?.isUrgent).toBe(true);
  });

  test('is a finer window once one zooms in', () => {
    const { layers } = settled(aWish({ view: part(0.4, 0.5) }));
    const closer = nextRequest(aWish({ view: part(0.44, 0.46) }), layers);
    expect([closer?.kind, closer?.isUrgent]).toEqual(['near', true]);
  });

  test('is only what is in sight where all around it would be too much', () => {
    const crowded = { merged_px: 3 };
    const { asked } = settled(aWish({ view: part(0.4, 0.45) }), {}, crowded);
    const [first, second, ...rest] = asked.filter(({ kind }) => kind === 'near');
    expect(rest).toEqual([]);
    expect(lengthOf(second?.span ?? part(0, 1))).toBeLessThan(0.6 * lengthOf(first?.span ?? part(0, 1)));
  });

  test.each<[string, Partial<Wanted>]>([
    [
      'another matcher',
      { matcher: { text: 'dot', regex: false, arguments: false, op_key: null, file: null, line: null } },
    ],
    ['another record', { record: { ...made.record } }],
    ['other tracks in sight', { near: new Map([...all].slice(2, 9)) }],
    ['more rows of a track', { near: new Map([...near].map(([id]) => [id, 20])) }],
  ])('is what is in sight again for %s', (_, changes) => {
    const { layers } = settled(aWish());
    expect(nextRequest(aWish(changes), layers)).toMatchObject({ kind: 'near', isUrgent: true });
  });

  test('is nothing without a place to draw', () => {
    expect(nextRequest(aWish({ width_px: 0 }), {})).toBeNull();
    expect(nextRequest(aWish({ view: { start_ps: 0, end_ps: 0 } }), {})).toBeNull();
    expect(nextRequest(aWish({ all: new Map() }), {})).toBeNull();
  });

  test('comes to an end wherever one looks', () => {
    let layers: Layers = {};
    for (let at = 0; at < 60; at += 1) {
      const from = Math.abs(Math.sin(at)) * 0.9;
      ({ layers } = settled(aWish({ view: part(from, from + 0.1 ** (1 + (at % 5))) }), layers));
    }
  });
});

describe('what to draw', () => {
  const { layers } = settled(aWish({ view: part(0.4, 0.42) }));
  const kinds = (view: Wanted['view'], tracks = near) =>
    layersToDraw({ view, near: tracks }, layers).map(({ kind }) => kind);

  test('is the finest that holds all, alone', () => {
    expect(kinds(part(0.4, 0.42))).toEqual(['near']);
  });

  test('has coarser pictures behind it where it ends, down to the whole run', () => {
    expect(kinds(part(0.42, 0.44))).toEqual(['wide', 'near']);
    expect(kinds(part(0.3, 0.9))).toEqual(['whole', 'wide', 'near']);
  });

  test('has the whole run behind it for tracks that one scrolls to', () => {
    expect(kinds(part(0.4, 0.42), all)).toEqual(['whole', 'wide', 'near']);
  });
});

describe('the source', () => {
  interface Asked {
    readonly request: WindowRequest;
    readonly signal: AbortSignal;
    readonly resolve: (record: WindowRecord) => void;
    readonly reject: (error: Error) => void;
  }
  let asked: Asked[] = [];
  const onArrival = vi.fn();
  const onFailure = vi.fn();
  const source = () =>
    new WindowSource({
      ask: (request, signal) =>
        new Promise((resolve, reject) => {
          asked.push({ request, signal, resolve, reject });
          signal.addEventListener('abort', () => reject(new RequestCancelled()));
        }),
      onArrival,
      onFailure,
    });
  const lastOf = (): Asked => {
    const last = asked.at(-1);
    if (last === undefined) {
      throw new Error('Nothing was asked for.');
    }
    return last;
  };
  const reply = async (changes: Partial<WindowRecord> = {}): Promise<void> => {
    const { request, resolve } = lastOf();
    resolve(answer(request, changes));
    await Promise.resolve();
    await Promise.resolve();
  };

  beforeEach(() => {
    asked = [];
    vi.clearAllMocks();
  });

  test('has one request in flight; the newest wish is next', async () => {
    const windows = source();
    windows.want(aWish({ view: part(0.1, 0.2) }));
    for (const from of [0.3, 0.5, 0.7]) {
      windows.want(aWish({ view: part(from, from + 0.05) }));
    }
    expect(asked).toHaveLength(1);
    await reply();
    expect(asked).toHaveLength(2);
    expect(contains(lastOf().request.span, part(0.7, 0.75))).toBe(true);
    expect(onArrival).toHaveBeenCalledTimes(1);
  });

  test('lets what may be needed later make room for what is needed now', async () => {
    const windows = source();
    windows.want(aWish({ view: part(0.1, 0.2) }));
    await reply();
    const { request, signal } = lastOf();
    expect(request.isUrgent).toBe(false);
    windows.want(aWish({ view: part(0.6, 0.7) }));
    expect(signal.aborted).toBe(true);
    expect(lastOf().request).toMatchObject({ kind: 'near', isUrgent: true });
    expect(onFailure).not.toHaveBeenCalled();
  });

  test('asks again, after a while, for tracks that are still being read', async () => {
    vi.useFakeTimers();
    try {
      const windows = source();
      windows.want(aWish());
      const tracks = [...near].map(([id]) => ({ id, depths: 1, busy_ps: 0, ready: false }));
      await reply({ tracks });
      expect(asked).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1000);
      expect(asked).toHaveLength(2);
      windows.stop();
    } finally {
      vi.useRealTimers();
    }
  });

  test('says why there is no window, keeps what it has, and does not ask for the same again', async () => {
    const windows = source();
    windows.want(aWish({ view: part(0.1, 0.2) }));
    await reply();
    windows.want(aWish({ view: part(0.6, 0.7) }));
    lastOf().reject(new RequestFailure('The file is gone.'));
    await Promise.resolve();
    await Promise.resolve();
    expect(onFailure).toHaveBeenCalledWith('The file is gone.');
    expect(windows.layers.near).toBeDefined();
    const { length } = asked;
    windows.want(aWish({ view: part(0.6, 0.71) }));
    expect(asked).toHaveLength(length + 1);
  });

  test('takes columns that are not whole for a failure', async () => {
    const windows = source();
    windows.want(aWish());
    const { boxes } = answer(lastOf().request);
    await reply({ boxes: { ...boxes, boxes: boxes.boxes + 1 } });
    await vi.waitFor(() => expect(onFailure).toHaveBeenCalledWith(expect.stringContaining('bytes')));
  });
});

const OP = { primitive: 'dot_general', path: 'src/model.py', line: 9, phase: 'forward' } as const;

describe('names', () => {
  test('are asked for once, together, and told when they are there', async () => {
    const ask = vi.fn((ids: readonly number[]) =>
      Promise.resolve({ names: ids.map(String), shown: ids.map((id) => `#${String(id)}`), ops: ids.map(() => OP) }),
    );
    const onArrival = vi.fn();
    const names = new NameCache(ask, onArrival);
    expect([names.get(3), names.get(5), names.get(3)]).toEqual([null, null, null]);
    names.fetch();
    names.fetch();
    await vi.waitFor(() => expect(onArrival).toHaveBeenCalledTimes(1));
    expect(ask.mock.calls).toEqual([[[3, 5]]]);
    expect(names.get(5)).toEqual({
      name: '5',
      shown: '#5',
      ofOps: 'dot_general · model.py:9 · forward  #5',
    });
  });

  test('of a former record are shown until they are known anew', async () => {
    let word = 'old';
    const names = new NameCache((ids) => Promise.resolve({ names: ids.map(() => word), shown: [], ops: [] }), vi.fn());
    names.get(1);
    names.fetch();
    await vi.waitFor(() => expect(names.get(1)?.name).toBe('old'));
    word = 'new';
    names.renew();
    expect(names.get(1)?.name).toBe('old');
    names.fetch();
    await vi.waitFor(() => expect(names.get(1)?.name).toBe('new'));
  });

  test('that cannot be had are asked for again when they are drawn again', async () => {
    const ask = vi.fn(() => Promise.reject(new RequestFailure('no')));
    const names = new NameCache(ask, vi.fn());
    names.get(1);
    names.fetch();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    names.fetch();
    expect(ask).toHaveBeenCalledTimes(1);
    names.get(1);
    names.fetch();
    expect(ask).toHaveBeenCalledTimes(2);
  });
});

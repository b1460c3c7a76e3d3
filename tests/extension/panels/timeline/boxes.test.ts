import { describe, expect, test } from 'vitest';
import {
  COUNTER,
  DIMMED,
  ENTRIES,
  IDLE,
  LOOKS,
  type Palette,
  SURFACE,
  TINTED,
} from '../../../../extension/webview/panels/timeline/drawing/boxes/palette';
import { ROW_VALUES } from '../../../../extension/webview/panels/timeline/drawing/boxes/renderer';
import { Canvas2dRenderer } from '../../../../extension/webview/panels/timeline/drawing/boxes/canvas2d';
import {
  HOLLOW,
  instancesOf,
  OUTLINED,
  rowKinds,
} from '../../../../extension/webview/panels/timeline/drawing/boxes/instances';
import { counterFigures } from '../../../../extension/webview/panels/timeline/state/counterFigures';
import { boxNear, edgesNear, pictureBox, RowIndex } from '../../../../extension/webview/panels/timeline/drawing/hits';
import { decodeWindow, mergedAt } from '../../../../extension/webview/panels/timeline/windows/packed';
import type { Layer } from '../../../../extension/webview/panels/timeline/windows/windows';
import { aTimelineRecord, aTrack, aTraining, colourOf, MadeTimeline, type MadeSlice } from './madeTimeline';

const slice = (start_ps: number, duration_ps: number, name = 0, depth = 0, colour = 0): MadeSlice => ({
  start_ps,
  duration_ps,
  name,
  depth,
  colour,
});

/** A lane with a slice, a gap, ten slices of a picosecond each, and one below the first. */
const lane = [
  slice(1000, 500, 1),
  slice(1100, 100, 3, 1, IDLE),
  ...Array.from({ length: 10 }, (_, at) => slice(2000 + 2 * at, 1, 2)),
  slice(3000, 700, 1),
];

function aLayer(matches: string | null = null, span = { start_ps: 500, end_ps: 4500 }): Layer {
  const values = [
    [0, 2],
    [2500, 4],
  ] as const;
  const made = new MadeTimeline(
    aTimelineRecord(),
    [
      { record: aTrack('ops', 'Ops', 'ops'), slices: lane },
      { record: aTrack('memory', 'Memory', 'counter'), slices: [], values, unit: 'GiB' },
    ],
    ['', 'dot', 'tiny', 'wait'],
  );
  const tracks = new Map([
    ['ops', 8],
    ['memory', 1],
  ]);
  const record = made.window({ tracks, span, width_px: 400, matches });
  const window = decodeWindow(record);
  return { kind: 'near', tracks, span, width_px: 400, matcher: null, record: null, window };
}

describe('packed columns', () => {
  test('come out as they were put in', () => {
    const { boxes, record, counters } = aLayer('dot').window;
    expect([...boxes.start_ps]).toEqual([500, 1500, 2500, 600]);
    expect([...boxes.duration_ps]).toEqual([500, 19, 700, 100]);
    expect([...boxes.firstBox]).toEqual([0, 3, 4]);
    expect([...boxes.name]).toEqual([1, 2, 1, 3]);
    expect([...(boxes.matched ?? [])]).toEqual([1, 0, 1, 0]);
    expect([...boxes.depth]).toEqual([0, 1]);
    expect([...boxes.mergedCount]).toEqual([10]);
    expect([...boxes.mergedBusy_ps]).toEqual([10]);
    expect(record.tracks).toHaveLength(2);
    expect([...(counters[0]?.greatest ?? [])]).toEqual([2, 4]);
  });

  test('of a whole training hold every slice', () => {
    const made = aTraining();
    const { duration_ps, sections, events } = made.record;
    const tracks = new Map(sections.flatMap((section) => section.tracks.map(({ id }) => [id, 50] as const)));
    const { boxes } = decodeWindow(made.window({ tracks, span: { start_ps: 0, end_ps: duration_ps }, width_px: 1000 }));
    const inMerged = boxes.mergedCount.reduce((sum, count) => sum + count, 0);
    expect(boxes.count - boxes.mergedBox.length + inMerged).toBe(events);
  });

  test.each([-1, 1])('that are %i byte too long are refused', (more) => {
    const { record } = aLayer().window;
    const bytes = atob(record.boxes.packed);
    const changed = btoa(more < 0 ? bytes.slice(0, more) : `${bytes}!`);
    const refused = () => decodeWindow({ ...record, boxes: { ...record.boxes, packed: changed } });
    expect(refused).toThrow(RangeError);
  });

  test('tell which boxes are merged', () => {
    const { boxes } = aLayer().window;
    expect([0, 1, 2, 3].map((box) => mergedAt(boxes, box))).toEqual([-1, 0, -1, -1]);
  });
});

describe('hits', () => {
  const layer = aLayer();
  const row = new RowIndex(layer).get('ops', 0) ?? -1;

  test('are boxes under the pointer, with times of the profile', () => {
    const box = boxNear(layer, row, 1200, 0);
    expect(pictureBox(layer, box ?? -1)).toEqual({
      start_ps: 1000,
      end_ps: 1500,
      name: 1,
      count: 1,
      busy_ps: 500,
      colour: 0,
      matched: 0,
    });
  });

  test('of merged boxes say how many and how busy', () => {
    const box = boxNear(layer, row, 2010, 0);
    expect(pictureBox(layer, box ?? -1)).toMatchObject({ start_ps: 2000, end_ps: 2019, count: 10, busy_ps: 10 });
  });

  test('reach a box that is missed by little, the nearest one, and none beyond', () => {
    expect(boxNear(layer, row, 1504, 5)).toBe(0);
    expect(boxNear(layer, row, 1996, 5)).toBe(1);
    expect(boxNear(layer, row, 1750, 5)).toBeNull();
    expect(boxNear(layer, row, 99_999, 5)).toBeNull();
  });

  test('find rows by track and depth', () => {
    const index = new RowIndex(layer);
    expect(index.get('ops', 1)).toBe(1);
    expect(index.get('ops', 2)).toBeNull();
    expect(index.get('nothing', 0)).toBeNull();
  });

  test('snap to the edges nearby, the nearest first', () => {
    expect(edgesNear(layer, [row], 1490, 20)).toEqual([1500]);
    expect(edgesNear(layer, [row, 1], 1120, 130)).toEqual([1100, 1200, 1000]);
    expect(edgesNear(layer, [row], 1250, 10)).toEqual([]);
  });

  test('agree with looking at every box', () => {
    const training = aTraining({ steps: 2, devices: 1 });
    const id = 'device:/device:TPU:0/XLA Ops';
    const span = { start_ps: 0, end_ps: training.record.duration_ps };
    const request = { tracks: new Map([[id, 4]]), span, width_px: 900 };
    const window = decodeWindow(training.window(request));
    const all: Layer = { kind: 'near', ...request, matcher: null, record: null, window };
    const { boxes } = window;
    const end = boxes.firstBox[1] ?? 0;
    for (let at_ps = 0; at_ps < span.end_ps; at_ps += span.end_ps / 997) {
      const under = [...boxes.start_ps.subarray(0, end)].findIndex(
        (start_ps, box) => start_ps <= at_ps && at_ps <= start_ps + (boxes.duration_ps[box] ?? 0),
      );
      expect(boxNear(all, 0, at_ps, 0)).toBe(under === -1 ? null : under);
    }
  });
});

describe('rectangles', () => {
  test('show merged boxes light, with their busy part from below', () => {
    const { window } = aLayer();
    const made = instancesOf(window, window.boxes.colour);
    const of = (row: number) => [made.firstOfRow[row] ?? 0, made.firstOfRow[row + 1] ?? 0] as const;
    expect(of(0)).toEqual([0, 4]);
    expect([...made.flags.subarray(0, 4)]).toEqual([0, TINTED, 0, 0]);
    // Busy 10 of 19 picoseconds.
    expect(made.top[2]).toBeGreaterThan(130);
    expect(made.top[2]).toBeLessThan(165);
    expect([made.top[1], made.bottom[1], made.bottom[2]]).toEqual([0, 255, 255]);
  });

  test('leave idle time hollow, and mark what is found while the rest steps back', () => {
    const { window } = aLayer('dot');
    const { flags } = instancesOf(window, window.boxes.colour);
    expect([...flags.subarray(0, 5)]).toEqual([OUTLINED, DIMMED | TINTED, DIMMED, OUTLINED, DIMMED | HOLLOW]);
  });

  test('have the area of counters, and a ground for every track that was read', () => {
    const { window } = aLayer();
    const made = instancesOf(window, window.boxes.colour);
    const kinds = rowKinds(window);
    expect(kinds).toEqual({ counters: 2, grounds: 3, end: 5 });
    const from = made.firstOfRow[kinds.counters] ?? 0;
    expect(made.entry[from]).toBe(COUNTER);
    // Two of four, from before the window until 2500; then four of four until its end.
    expect(made.top[from + 1]).toBe(128);
    expect([made.start_ps[from], made.end_ps[from]]).toEqual([-500, 2000]);
    expect(made.end_ps[from + 2]).toBe(4000);
    const grounds = made.firstOfRow[kinds.grounds] ?? 0;
    expect([...made.entry.subarray(grounds)]).toEqual([SURFACE, SURFACE]);
    expect(made.count).toBe(grounds + 2);
  });

  test('have nothing where a counter is no number', () => {
    const { window } = aLayer();
    const [counter] = window.counters;
    if (counter === undefined) {
      throw new Error('The made window has a counter.');
    }
    const unknown = { ...counter, least: Float64Array.of(2, NaN), greatest: Float64Array.of(2, NaN) };
    const made = instancesOf({ ...window, counters: [unknown] }, window.boxes.colour);
    const kinds = rowKinds(window);
    const from = made.firstOfRow[kinds.counters] ?? 0;
    expect(made.firstOfRow[kinds.grounds]).toBe(from + 2);
    expect([made.start_ps[from], made.end_ps[from]]).toEqual([-500, 2000]);
  });

  test('of a counter have their least figure where it is below zero', () => {
    const counter = { track: 'memory', unit: 'W', points: 0, packed: '' };
    expect(counterFigures({ ...counter, least: -5, greatest: 12 })).toEqual({ top: '12 W', bottom: '-5 W' });
    expect(counterFigures({ ...counter, least: 3, greatest: 12 })).toEqual({ top: '12 W', bottom: null });
  });

  test('never end before they start', () => {
    const made = aTraining({ steps: 2 });
    const tracks = new Map(
      made.record.sections.flatMap((section) => section.tracks.map(({ id }) => [id, 50] as const)),
    );
    const span = { start_ps: 0, end_ps: made.record.duration_ps };
    const window = decodeWindow(made.window({ tracks, span, width_px: 300 }));
    const { count, start_ps, end_ps, top, bottom } = instancesOf(window, window.boxes.colour);
    for (let at = 0; at < count; at += 1) {
      expect(end_ps[at]).toBeGreaterThanOrEqual(start_ps[at] ?? NaN);
      expect(bottom[at]).toBeGreaterThanOrEqual(top[at] ?? NaN);
    }
    expect(colourOf('idle')).toBe(IDLE);
  });
});

describe('pixels', () => {
  const WIDTH_PX = 40;
  const ROW_PX = 4;
  const SPAN = { start_ps: 0, end_ps: 40_000 };

  /** The entries of the palette in a line through the middle of the only row, of a pixel each; 0 is nothing. */
  function drawn(slices: readonly MadeSlice[], view = SPAN, matches: string | null = null): readonly number[] {
    const tracks = [{ record: aTrack('ops', 'Ops', 'ops'), slices }];
    const made = new MadeTimeline(aTimelineRecord(), tracks, ['', 'dot', 'wait']);
    // Finer than the picture, so that nothing is merged.
    const window = decodeWindow(made.window({ tracks: new Map([['ops', 1]]), span: SPAN, width_px: 1e6, matches }));
    let shown = new Uint32Array(0);
    const canvas = {
      width: 0,
      height: 0,
      getContext: () => ({
        createImageData: (width: number, height: number) => ({
          width,
          height,
          data: new Uint8ClampedArray(4 * width * height),
        }),
        putImageData: ({ data }: ImageData) => (shown = new Uint32Array(data.buffer.slice(0))),
      }),
    };
    const renderer = new Canvas2dRenderer(canvas as unknown as HTMLCanvasElement);
    renderer.resize({ width_px: WIDTH_PX, height_px: ROW_PX }, 1);
    const fills = Uint32Array.from({ length: ENTRIES * LOOKS }, (_, at) => (at % ENTRIES) + 1);
    renderer.setPalette({ bytes: new Uint8Array(fills.buffer) } as Palette);
    const instances = instancesOf(window, Uint8Array.from(window.boxes.colour));
    const places = new Float32Array(ROW_VALUES * instances.rows);
    places.set([0, ROW_PX, 0]);
    const length_ps = view.end_ps - view.start_ps;
    renderer.draw(renderer.load(instances), places, { start_ps: view.start_ps, length_ps }, 0, 1);
    renderer.finish();
    return [...shown.subarray(WIDTH_PX, 2 * WIDTH_PX)];
  }

  const coloured = (pixels: readonly number[]) => pixels.flatMap((pixel, at) => (pixel === 0 ? [] : [at]));

  test.each([
    ['of no length at the very end', slice(40_000, 0, 1)],
    ['that ends with the run within its last half pixel', slice(39_900, 100, 1)],
    ['that ends a little before', slice(39_700, 100, 1)],
  ])('show an event %s', (_, last) => {
    expect(coloured(drawn([slice(10_000, 2000, 1), last]))).toEqual([10, 11, WIDTH_PX - 1]);
  });

  test('show the last event where a view cannot be divided without a rest', () => {
    for (let end_ps = 39_001; end_ps <= 40_000; end_ps += 7) {
      expect(coloured(drawn([slice(end_ps, 0, 1)], { start_ps: 0, end_ps })), String(end_ps)).toEqual([WIDTH_PX - 1]);
    }
  });

  test('show what was found at the end with all of its border', () => {
    expect(coloured(drawn([slice(40_000, 0, 1)], SPAN, 'dot'))).toEqual([37, 38, 39]);
  });

  test('have nothing of events that begin where a view ends', () => {
    expect(coloured(drawn([slice(10_000, 2000, 1), slice(20_000, 9000, 1)], { start_ps: 0, end_ps: 20_000 }))).toEqual([
      20, 21, 22,
    ]);
  });
});

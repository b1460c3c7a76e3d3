import { expect, test } from 'vitest';
import type { TimelineRecord, WindowRecord } from '../../../extension/src/protocol';
import { decodeWindow } from '../../../extension/webview/panels/timeline/windows/packed';
import type { HeldTimeline } from '../../../extension/webview/report/held';
import { TimelineAnswers } from '../../../extension/webview/report/timeline/answers';
import { packedDoubles, packedRows, RowColumns } from '../../../extension/webview/report/timeline/packing';

// Two rows of one track: 1,000 short events, and below every second one a child that takes half of it.
const EVENTS = 1000;
const EACH_PS = 10;
const LENGTH_PS = 8;
const DURATION_PS = EVENTS * EACH_PS;

function held(): HeldTimeline {
  const columns = new RowColumns();
  const add = (start_ps: number, duration_ps: number, name: number) =>
    columns.add({ start_ps, duration_ps, name, colour: 0, matched: 0, count: 1, busy_ps: duration_ps });
  columns.begin(0, 0);
  for (let at = 0; at < EVENTS; at += 1) {
    add(at * EACH_PS, LENGTH_PS, at % 3);
  }
  columns.begin(0, 1);
  for (let at = 0; at < EVENTS; at += 2) {
    add(at * EACH_PS, LENGTH_PS / 2, 3);
  }
  const window: WindowRecord = {
    start_ps: 0,
    end_ps: DURATION_PS,
    width_px: 1,
    merged_px: 1,
    tracks: [
      { id: 'ops', depths: 2, busy_ps: 0, ready: true },
      { id: 'memory', depths: 1, busy_ps: 0, ready: true },
    ],
    boxes: packedRows(columns, false),
    counters: [
      {
        track: 'memory',
        unit: 'bytes',
        points: 3,
        least: 0,
        greatest: 9,
        packed: packedDoubles([
          [0, 4000, 8000],
          [0, 4, 9],
          [0, 4, 9],
        ]),
      },
    ],
  };
  const record: TimelineRecord = {
    duration_ps: DURATION_PS,
    events: EVENTS * 1.5,
    sections: [
      {
        id: 'device',
        name: 'TPU 0',
        kind: 'device',
        host: 0,
        tracks: [{ id: 'ops', name: 'Ops', kind: 'overlap', depths: 2, events: EVENTS, work: null }],
      },
    ],
    steps: { name: 'step', start_ps: [0, 5000], duration_ps: [5000, 5000] },
    busy: {},
    complete: true,
    findings: [],
    format_version: 1,
  };
  const names = { names: ['a', 'b', 'C', 'child'], shown: ['a', 'b', 'C', 'child'], ops: [null, null, null, null] };
  // Every third event is a gap.
  const gaps = { gap_tracks: ['ops'], gap_ids: [2], least_gap_ps: LENGTH_PS };
  return { record, px_ps: 1, window, ids: [0, 1, 2, 3], names, ...gaps };
}

const answers = new TimelineAnswers(held());

function windowOf(start_ps: number, end_ps: number, width_px: number, text?: string) {
  const matcher =
    text === undefined ? null : { text, regex: false, arguments: false, op_key: null, file: null, line: null };
  const asked = { tracks: ['ops', 'memory'], depths: [9, 9], start_ps, end_ps, width_px, matcher };
  const answer = answers.answer('timelineWindow', asked);
  if (answer === undefined) {
    throw new Error('There is no window.');
  }
  return decodeWindow(answer);
}

function timeOf({ boxes }: ReturnType<typeof windowOf>): number {
  const merged = new Set(boxes.mergedBox);
  const single = [...boxes.duration_ps].filter((_, box) => !merged.has(box)).reduce((sum, each) => sum + each, 0);
  return single + boxes.mergedBusy_ps.reduce((sum, each) => sum + each, 0);
}

test.each([1, 7, 100, 999, 5000, 20_000])('a window of %i pixels drops no event and no time', (width_px) => {
  const window = windowOf(0, DURATION_PS, width_px);
  const { boxes } = window;
  const count = boxes.count - boxes.mergedBox.length + boxes.mergedCount.reduce((sum, each) => sum + each, 0);
  expect(count).toBe(EVENTS * 1.5);
  expect(timeOf(window)).toBeCloseTo(EVENTS * LENGTH_PS + (EVENTS / 2) * (LENGTH_PS / 2));
  expect(window.record.tracks[0]?.busy_ps).toBeCloseTo(timeOf(window));
  for (let row = 0; row < boxes.rows; row += 1) {
    expect((boxes.firstBox[row + 1] ?? 0) - (boxes.firstBox[row] ?? 0)).toBeLessThanOrEqual(
      Math.min(width_px + 1, EVENTS),
    );
  }
});

test('a window holds what touches it, from its own start, and its counters', () => {
  const { boxes, counters } = windowOf(104, 121, 1700);
  expect([...boxes.start_ps.slice(0, boxes.firstBox[1])]).toEqual([-4, 6, 16]);
  expect(counters[0]?.record.points).toBe(1);
  expect([...(counters[0]?.start_ps ?? [])]).toEqual([-104]);
});

test('hits are counted in the boxes of a window', () => {
  const { boxes } = windowOf(0, DURATION_PS, 10, 'c');
  // Letter case counts only where there is a capital.
  expect(boxes.matched?.reduce((sum, each) => sum + each, 0)).toBe(333 + EVENTS / 2);
});

test('an event is the nearest one, with its own time and its step', () => {
  const event = answers.answer('timelineEvent', { track: 'ops', event: null, depth: 0, at_ps: 6001 });
  expect(event).toMatchObject({ place: { start_ps: 6000, duration_ps: 8, depth: 0 }, self_ps: 4, step: 2 });
  const same = answers.answer('timelineEvent', { track: 'ops', event: event?.place.event ?? -1 });
  expect(same).toEqual(event);
  expect(answers.answer('timelineEvent', { track: 'ops', event: 9999 })).toBeUndefined();
});

test('gaps follow each other, round at the ends', () => {
  const gap = (at_ps: number, is_after: boolean) =>
    answers.answer('timelineGap', { section: null, at_ps, is_after })?.place?.start_ps;
  expect([gap(-1, true), gap(20, true), gap(49, true), gap(DURATION_PS, true)]).toEqual([20, 50, 50, 20]);
  expect([gap(DURATION_PS, false), gap(50, false), gap(20, false)]).toEqual([9980, 20, 9980]);
  const found = answers.answer('timelineGap', { section: 'device', at_ps: 0, is_after: true });
  expect(found).toMatchObject({
    device: 'TPU 0',
    least_ps: LENGTH_PS,
    place: { track: 'ops', duration_ps: LENGTH_PS },
  });
});

test('a table lists events by their start', () => {
  const asked = { tracks: ['ops'], start_ps: 0, end_ps: 100, first: 1, count: 3 };
  const table = answers.answer('timelineTable', asked);
  expect(table?.count).toBe(15);
  expect(table?.rows.map(({ place }) => [place.start_ps, place.depth])).toEqual([
    [0, 1],
    [10, 0],
    [20, 0],
  ]);
});

test('a selection sums by name', () => {
  const selection = answers.answer('timelineSelection', { tracks: ['ops'], start_ps: 0, end_ps: 60 });
  expect(selection).toMatchObject({ count: 9, total_ps: 60, names: 4 });
  expect(selection?.rows.find(({ name }) => name === 'a')).toMatchObject({ count: 2, total_ps: 16, self_ps: 12 });
  expect(selection?.rows.reduce((sum, { share_ratio }) => sum + share_ratio, 0)).toBeCloseTo(1);
});

test('events are found by their names, one after the other', () => {
  const matcher = { text: '^C$', regex: true, arguments: false, op_key: null, file: null, line: null };
  const found = answers.answer('timelineFind', { matcher, at_ps: 5000, tracks: null });
  expect(found).toMatchObject({ count: 333, failure: null, searched_ratio: 1 });
  const hit = answers.answer('timelineFoundEvent', { matcher, ordinal: found?.ordinal ?? 0, tracks: null });
  expect(hit?.start_ps).toBe(5000);
  const faulty = { ...matcher, text: '(' };
  expect(answers.answer('timelineFind', { matcher: faulty })?.failure).toBe('This is no regular expression.');
  const ofKey = { ...matcher, text: null, regex: false, op_key: 'k' };
  expect(answers.answer('timelineFind', { matcher: ofKey })?.failure).toMatch(/names alone/);
});

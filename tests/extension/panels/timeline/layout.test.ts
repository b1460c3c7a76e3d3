import { describe, expect, test } from 'vitest';
import { arrange, type Arrangement } from '../../../../extension/webview/panels/timeline/state/arrangement';
import {
  COUNTER_PX,
  type Layout,
  layOut,
  mostScroll,
  placeAt,
  placesBetween,
  ROW_PX,
  rowAt,
  rowsInSight,
  scrollKeeping,
  scrollRevealing,
  SECTION_PX,
  TRACK_GAP_PX,
} from '../../../../extension/webview/panels/timeline/state/layout';
import { aSection, aTrack } from './madeTimeline';

const sections = [
  aSection('tpu', [
    aTrack('steps', 'Steps', 'steps'),
    aTrack('scopes', 'Scopes', 'scopes'),
    aTrack('ops', 'Ops', 'ops'),
  ]),
  aSection('host', [aTrack('python', 'python', 'thread'), aTrack('memory', 'Memory', 'counter')], 'host'),
];
const depths = new Map([
  ['scopes', 9],
  ['ops', 2],
  ['python', 4],
]);
const asIs: Arrangement = { order: [], pinned: [], collapsed: [], filter: '', section: null, levels: 3 };

function laidOut(changes: Partial<Arrangement> = {}, known = depths): Layout {
  return layOut(arrange(sections, { ...asIs, ...changes }), known);
}

function placeOf(layout: Layout, track: string) {
  const place = layout.tracks.get(track);
  if (place === undefined) {
    throw new Error(`${track} has no place`);
  }
  return place;
}

describe('a layout', () => {
  test('puts places one below the other without gaps', () => {
    const { places, height_px } = laidOut();
    let top_px = 0;
    for (const place of places) {
      expect(place.top_px).toBe(top_px);
      top_px += place.height_px;
    }
    expect(top_px).toBe(height_px);
  });

  test('gives tracks the rows they have, of scopes the chosen levels', () => {
    const layout = laidOut();
    expect(placeOf(layout, 'steps').rows).toBe(1);
    expect(placeOf(layout, 'scopes').rows).toBe(3);
    expect(placeOf(layout, 'ops').height_px).toBe(2 * ROW_PX + TRACK_GAP_PX);
    expect(placeOf(layout, 'memory').row_px).toBe(COUNTER_PX);
  });

  test('collapses tracks to their first row and sections to their heads', () => {
    const layout = laidOut({ collapsed: ['python', 'tpu'] });
    expect(placeOf(layout, 'python').rows).toBe(1);
    expect(layout.tracks.has('ops')).toBe(false);
    expect(layout.places[0]?.height_px).toBe(SECTION_PX);
  });

  test('keeps pinned tracks at the top while the rest scrolls', () => {
    const layout = laidOut({ pinned: ['ops'] });
    expect(layout.pinned_px).toBe(SECTION_PX + 2 * ROW_PX + TRACK_GAP_PX);
    const rows = rowsInSight(layout, 100, 200);
    expect(rows.slice(0, 2)).toEqual([
      { track: 'ops', depth: 0, top_px: SECTION_PX, height_px: ROW_PX },
      { track: 'ops', depth: 1, top_px: SECTION_PX + ROW_PX, height_px: ROW_PX },
    ]);
    expect(rows.slice(2).every(({ top_px, height_px }) => top_px + height_px > layout.pinned_px)).toBe(true);
  });

  test('finds the row at every height that rows are said to be at', () => {
    for (const changes of [{}, { pinned: ['python'] }, { collapsed: ['scopes'] }]) {
      const layout = laidOut(changes);
      for (const scroll_px of [0, 37, 90]) {
        for (const row of rowsInSight(layout, scroll_px, 150)) {
          const middle_px = row.top_px + row.height_px / 2;
          const isCovered = row.track !== 'python' && middle_px < layout.pinned_px;
          if (!isCovered) {
            expect(rowAt(layout, scroll_px, middle_px)).toEqual(row);
          }
        }
      }
    }
    expect(rowAt(laidOut(), 0, 5)).toBeNull();
    expect(rowAt(laidOut(), 0, 10_000)).toBeNull();
  });

  test('knows what is at a height and between two', () => {
    const layout = laidOut();
    expect(placeAt(layout, 0)).toMatchObject({ kind: 'section' });
    expect(placeAt(layout, -1)).toBeNull();
    expect(placesBetween(layout, 0, 0, SECTION_PX)).toHaveLength(1);
    expect(placesBetween(layout, 0, 0, 10_000)).toHaveLength(layout.places.length);
  });
});

describe('scrolling', () => {
  test('goes as little as it takes to see a row', () => {
    const layout = laidOut({}, new Map([...depths, ['python', 40]]));
    const shown_px = 120;
    const scroll_px = scrollRevealing(layout, 0, shown_px, { track: 'python', depth: 30 });
    const row = rowsInSight(layout, scroll_px, shown_px).find(({ depth, track }) => track === 'python' && depth === 30);
    expect(row?.top_px).toBeGreaterThanOrEqual(0);
    expect((row?.top_px ?? 0) + ROW_PX).toBeLessThanOrEqual(shown_px);
    expect(scrollRevealing(layout, scroll_px, shown_px, { track: 'python', depth: 29 })).toBe(scroll_px);
    expect(scrollRevealing(layout, mostScroll(layout, shown_px), shown_px, { track: 'steps', depth: 0 })).toBe(0);
  });

  test('keeps what is looked at where it is when rows above it turn out higher', () => {
    const before = laidOut({}, new Map());
    const after = laidOut();
    const scroll_px = placeOf(before, 'python').top_px + 3;
    const kept_px = scrollKeeping(before, after, scroll_px);
    expect(placeOf(after, 'python').top_px - kept_px).toBe(placeOf(before, 'python').top_px - scroll_px);
    expect(scrollKeeping(before, after, 0)).toBe(0);
  });
});

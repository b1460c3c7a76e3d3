import { describe, expect, test } from 'vitest';
import { exactTime } from '../../../../extension/webview/shared/text/exactTime';
import { roundStep, ticksOf } from '../../../../extension/webview/panels/timeline/drawing/ticks';
import {
  contains,
  framing,
  inside,
  LEAST_SPAN_PS,
  lengthOf,
  panned,
  revealing,
  timeAt,
  whole,
  xOf,
  zoomed,
} from '../../../../extension/webview/panels/timeline/state/viewport';
import { randomFrom } from './madeTimeline';

const HOUR = 3600e12;

/** Views of many magnitudes inside of profiles of many lengths, the same each time. */
function* manyViews() {
  const random = randomFrom(3);
  for (let each = 0; each < 500; each += 1) {
    const duration_ps = Math.round(10 ** (2 + 13 * random()));
    const length_ps = 10 ** (3 + 12 * random());
    const start_ps = random() * duration_ps;
    const view = inside({ start_ps, end_ps: start_ps + length_ps }, duration_ps);
    yield { view, duration_ps, width_px: 200 + Math.round(2000 * random()), random };
  }
}

describe('a view', () => {
  test('is inside of the profile, and neither too short nor longer than it', () => {
    for (const { view, duration_ps } of manyViews()) {
      expect(view.start_ps).toBeGreaterThanOrEqual(0);
      expect(view.end_ps).toBeLessThanOrEqual(Math.max(duration_ps, LEAST_SPAN_PS) * (1 + 1e-12));
      expect(lengthOf(view)).toBeGreaterThanOrEqual(LEAST_SPAN_PS * (1 - 1e-6));
    }
  });

  test('puts a pixel where its time is', () => {
    for (const { view, width_px, random } of manyViews()) {
      const x_px = random() * width_px;
      expect(xOf(view, width_px, timeAt(view, width_px, x_px))).toBeCloseTo(x_px, 0);
    }
  });

  test('zooms around what is under the pointer', () => {
    for (const { view, duration_ps, width_px, random } of manyViews()) {
      const at_ps = timeAt(view, width_px, random() * width_px);
      const closer = zoomed(view, 0.5, at_ps, duration_ps);
      const before_px = xOf(view, width_px, at_ps);
      if (lengthOf(view) > 2 * LEAST_SPAN_PS) {
        expect(lengthOf(closer) / lengthOf(view)).toBeCloseTo(0.5, 3);
        expect(xOf(closer, width_px, at_ps)).toBeCloseTo(before_px, 0);
      }
      expect(contains(whole(duration_ps), zoomed(view, 3, at_ps, duration_ps))).toBe(true);
    }
  });

  test('keeps its length when it is moved, also against the ends', () => {
    for (const { view, duration_ps, random } of manyViews()) {
      const moved = panned(view, (random() - 0.5) * 10 * lengthOf(view), duration_ps);
      expect(lengthOf(moved) / lengthOf(view)).toBeCloseTo(1, 3);
      expect(moved.start_ps).toBeGreaterThanOrEqual(0);
    }
    expect(panned({ start_ps: 1e6, end_ps: 2e6 }, -1e9, 1e7)).toEqual({ start_ps: 0, end_ps: 1e6 });
  });

  test('shows all of what it is fitted to, with a margin', () => {
    const span = { start_ps: 5e9, end_ps: 6e9 };
    const view = framing(span, 1e12);
    expect(contains(view, span)).toBe(true);
    expect(lengthOf(view)).toBeCloseTo(1.2e9, -3);
    expect(framing({ start_ps: 7e9, end_ps: 7e9 }, 1e12).start_ps).toBeLessThan(7e9);
  });

  test('moves only for what is not in sight', () => {
    const view = { start_ps: 1e9, end_ps: 2e9 };
    expect(revealing(view, { start_ps: 1.4e9, end_ps: 1.5e9 }, 1e12)).toBe(view);
    const later = revealing(view, { start_ps: 2.5e9, end_ps: 2.6e9 }, 1e12);
    expect(contains(later, { start_ps: 2.5e9, end_ps: 2.6e9 })).toBe(true);
    expect(lengthOf(later)).toBe(lengthOf(view));
    // What fits nowhere: its start comes into sight, unless one is inside of it already.
    expect(revealing(view, { start_ps: 5e9, end_ps: 9e9 }, 1e12).start_ps).toBeCloseTo(4.9e9, -3);
    expect(revealing(view, { start_ps: 0, end_ps: 9e9 }, 1e12)).toBe(view);
  });
});

describe('marks of the axis', () => {
  test('are round, in sight and as far apart as asked for', () => {
    for (const { view, width_px } of manyViews()) {
      const { ticks, step_ps } = ticksOf(view, width_px, 90);
      expect([1, 2, 5]).toContain(Math.round(step_ps / 10 ** Math.floor(Math.log10(step_ps) + 1e-9)));
      for (const { at_ps } of ticks) {
        expect(at_ps).toBeGreaterThanOrEqual(view.start_ps);
        expect(at_ps).toBeLessThanOrEqual(view.end_ps);
      }
      expect((step_ps / lengthOf(view)) * width_px).toBeGreaterThanOrEqual(90 - 1e-6);
    }
  });

  test('have labels of their own at every magnitude', () => {
    for (const { view, width_px } of manyViews()) {
      const labels = ticksOf(view, width_px, 90).ticks.map(({ label }) => label);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });

  test('count from a time that is said where full times would be too long', () => {
    const deep = ticksOf({ start_ps: HOUR + 123_456_000, end_ps: HOUR + 123_462_000 }, 1000, 90);
    expect(deep.base?.label).toBe('3600.000123 s');
    expect(deep.ticks[0]?.label).toMatch(/^\+456/);
    expect(ticksOf({ start_ps: 0, end_ps: 84e9 }, 1000, 90).base).toBeNull();
  });

  test('are written with the digits that tell them apart', () => {
    expect(
      ticksOf({ start_ps: 0, end_ps: 84e9 }, 1000, 90)
        .ticks.map(({ label }) => label)
        .slice(0, 2),
    ).toEqual(['0 ms', '10 ms']);
    expect(exactTime(1_234_567_000, 1000)).toBe('1.234567 ms');
    expect(roundStep(2.1e6)).toBe(5e6);
  });
});

import { describe, expect, test } from 'vitest';
import {
  intervalOf,
  type LogScale,
  movedTo,
  positionOf,
  ticksOf,
  valueAt,
  within,
  zoomed,
} from '../../../../extension/webview/shared/charts/logScale';
import {
  categoriesOf,
  ceilingLine,
  ceilingOf,
  ceilingsOver,
  chosenRows,
  fittedView,
  nearestPoint,
  plotOf,
  radiusOf,
  roofLine,
  roofsOver,
  rowsBeyond,
  rowToShow,
  scalesOf,
  spacesOf,
  viewWith,
  viewWithin,
  wholeView,
} from '../../../../extension/webview/panels/roofline/points';
import type { RooflineRow } from '../../../../extension/src/protocol';
import { aCeiling, aPoint, aRoof, rooflineView } from './madeRoofline';

const scale: LogScale = { from: 0.01, to: 1000, start_px: 100, end_px: 600 };

/** Numbers from 0 to 1, the same each time. */
function numbers(count: number, seed = 7): readonly number[] {
  let state = seed;
  return Array.from({ length: count }, () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647);
}

describe('a logarithmic scale', () => {
  test('gives every decade the same room, and its positions back', () => {
    expect([0.01, 0.1, 1, 10, 100, 1000].map((value) => positionOf(scale, value))).toEqual([
      100, 200, 300, 400, 500, 600,
    ]);
    for (const part of numbers(100)) {
      const value = 10 ** (part * 5 - 2);
      expect(valueAt(scale, positionOf(scale, value))).toBeCloseTo(value, 6);
    }
  });

  test('runs upwards too', () => {
    const up: LogScale = { from: 1, to: 100, start_px: 300, end_px: 100 };
    expect([1, 10, 100].map((value) => positionOf(up, value))).toEqual([300, 200, 100]);
    expect(valueAt(up, 200)).toBeCloseTo(10);
  });

  test('holds all values with room, and is a decade where there are none', () => {
    expect(intervalOf([3, 700, 0, -1, Infinity], 2)).toEqual({ from: 1.5, to: 1400 });
    expect(intervalOf([], 2)).toEqual({ from: 1, to: 10 });
  });

  test('has a labelled tick on powers of ten that have room, and none twice', () => {
    const labels = (from: number, to: number, length_px: number) =>
      ticksOf({ from, to, start_px: 0, end_px: length_px }, 50)
        .filter(({ labelled }) => labelled)
        .map(({ value }) => value);
    expect(labels(0.01, 1000, 500)).toEqual([0.01, 0.1, 1, 10, 100, 1000]);
    // 15 decades on 500 px: every second one, always the same ones.
    expect(labels(1e-2, 1e13, 500).every((value) => Math.round(Math.log10(value)) % 2 === 0)).toBe(true);
    // Two decades on 500 px: their 2 and 5 too.
    expect(labels(1, 100, 500)).toEqual([1, 2, 5, 10, 20, 50, 100]);
    // Less than a decade: round values.
    expect(labels(31, 38, 300)).toEqual([32, 34, 36, 38]);
    expect(labels(0.00031, 0.00038, 300)).toEqual([0.00032, 0.00034, 0.00036, 0.00038]);
  });

  test('has its ticks in order, inside, and two labels at least whatever one zooms to', () => {
    for (const part of numbers(200)) {
      const from = 10 ** (part * 30 - 12);
      for (const ratio of [1.05, 1.5, 3, 12, 1e4, 1e12]) {
        const ticks = ticksOf({ from, to: from * ratio, start_px: 0, end_px: 400 }, 48);
        const values = ticks.map(({ value }) => value);
        expect(values).toEqual([...new Set(values)].sort((one, other) => one - other));
        expect(values.every((value) => value >= from && value <= from * ratio)).toBe(true);
        expect(ticks.filter(({ labelled }) => labelled).length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThan(120);
      }
    }
  });

  test('zooms about a value that stays, never beyond what there is, and back', () => {
    const whole = { from: 0.01, to: 1000 };
    const near = zoomed(whole, 10, 0.5, whole);
    const before = positionOf({ ...whole, start_px: 0, end_px: 1 }, 10);
    expect(positionOf({ ...near, start_px: 0, end_px: 1 }, 10)).toBeCloseTo(before);
    const back = zoomed(near, 10, 2, whole);
    expect(back.from).toBeCloseTo(0.01);
    expect(back.to).toBeCloseTo(1000);
    expect(zoomed(whole, 10, 4, whole)).toEqual(whole);
    const least = Array.from({ length: 60 }).reduce<typeof whole>((shown) => zoomed(shown, 10, 0.5, whole), whole);
    expect(least.to / least.from).toBeCloseTo(1.05);
    expect(within({ from: 5, to: 2 }, whole)).toEqual({ from: 2, to: 5 });
  });

  test('moves as far as a value needs to be seen, and not otherwise', () => {
    const shown = { from: 1, to: 100 };
    expect(movedTo(shown, 10)).toEqual(shown);
    for (const value of [0.001, 1e6]) {
      const moved = movedTo(shown, value);
      expect(moved.to / moved.from).toBeCloseTo(100);
      expect(value).toBeGreaterThan(moved.from);
      expect(value).toBeLessThan(moved.to);
    }
  });
});

describe('the nearest point', () => {
  const points = [10, 50, 50, 90].map((x_px, at) => ({ x_px, y_px: 10, at }));

  test('is the one that is least far away, and of points at one place the first', () => {
    expect(nearestPoint(points, { x_px: 80, y_px: 12 }, 24)?.at).toBe(3);
    expect(nearestPoint(points, { x_px: 52, y_px: 10 }, 5)?.at).toBe(1);
  });

  test('is none where none is in reach', () => {
    expect(nearestPoint(points, { x_px: 52, y_px: 16 }, 5)).toBeNull();
    expect(nearestPoint([], { x_px: 0, y_px: 0 }, 100)).toBeNull();
  });
});

describe('the points', () => {
  const { record } = rooflineView();

  test('are those of a level and a memory space', () => {
    const keys = (...choice: ['op' | 'program', string]) => chosenRows(record, ...choice).map(({ key }) => key);
    expect(keys('op', 'main')).toEqual(['7/dot.1@main', '7/add.2@main']);
    expect(keys('op', 'vmem')).toEqual(['7/dot.1@vmem']);
    expect(keys('program', 'main')).toEqual(['jit_step@main']);
    expect(spacesOf({ ...record, rows: [...record.rows].reverse() })).toEqual(['main', 'vmem']);
    expect(categoriesOf(chosenRows(record, 'op', 'main'))).toEqual(['dot', 'loop fusion']);
  });

  test('have an area by their share of the time, and are never too small to be seen', () => {
    const radius = (share_ratio: number) => radiusOf(aPoint('a', 1, 1, { share_ratio }));
    expect(radius(0.8) ** 2 / radius(0.2) ** 2).toBeCloseTo(4);
    expect(radius(0)).toBe(radius(1e-9));
    expect(radius(0)).toBeGreaterThanOrEqual(3);
  });

  test('are found for what another panel selected, in the same memory if they are there', () => {
    const op = { kind: 'op', key: '7/dot.1', file: null, line: null } as const;
    expect(rowToShow(record, op, 'vmem')?.key).toBe('7/dot.1@vmem');
    expect(rowToShow(record, { ...op, key: '7/add.2' }, 'vmem')?.key).toBe('7/add.2@main');
    expect(rowToShow(record, { ...op, key: '7/none' }, 'main')).toBeNull();
    expect(rowToShow(record, { kind: 'line', file: '/w/model.py', line: 4 }, 'main')?.label).toBe('add.2');
  });

  test('that took next to no time do not stretch the axes, and are reached by zooming out', () => {
    const long = [aPoint('dot.1', 100, 5e11, { self_ps: 9_000 }), aPoint('add.2', 0.1, 5e9, { self_ps: 998 })];
    const tiny = [aPoint('iota.3', 1e-6, 1e3, { self_ps: 1 }), aPoint('iota.4', 1e5, 1e3, { self_ps: 1 })];
    const rows = [...tiny, ...long];
    const fitted = fittedView(rows, [aRoof]);
    expect(fitted).toEqual(wholeView(long, [aRoof]));
    expect(rowsBeyond(rows, fitted)).toEqual(tiny);
    expect(rowsBeyond(rows, wholeView(rows, [aRoof]))).toEqual([]);
    expect(viewWithin({ x: { from: 1e-9, to: 1e9 }, y: { from: 1, to: 1e15 } }, rows, [aRoof])).toEqual(
      wholeView(rows, [aRoof]),
    );
    // One that only moves data stretches them no more, however long it took.
    const copy = aPoint('copy.5', 1e-6, 1e3, { self_ps: 50_000 });
    expect(fittedView([...rows, copy], [aRoof])).toEqual(fitted);
    expect(fittedView([copy], [aRoof])).toEqual(wholeView([copy], [aRoof]));
    expect(fittedView([copy, ...long], [])).toEqual(wholeView([copy, ...long], []));
    const [first] = tiny;
    const widened = viewWith(fitted, first as RooflineRow);
    expect(rowsBeyond(rows, widened)).toEqual(tiny.slice(1));
    expect(widened.x.to).toBe(fitted.x.to);
    // Without times none is less than another.
    const untimed = rows.map((row) => ({ ...row, self_ps: 0 }));
    expect(fittedView(untimed, [aRoof])).toEqual(wholeView(untimed, [aRoof]));
  });

  test('are all inside what is shown, with the ridges', () => {
    const rows = chosenRows(record, 'op', 'main');
    const view = wholeView(rows, [aRoof]);
    for (const intensity of [...rows.map((row) => row.intensity_flops_per_byte), aRoof.ridge_flops_per_byte]) {
      expect(intensity).toBeGreaterThan(view.x.from);
      expect(intensity).toBeLessThan(view.x.to);
    }
    expect(view.y.to).toBeGreaterThan(aRoof.flops_per_s);
    const { x, y } = scalesOf(view, plotOf(900, 400));
    expect(positionOf(x, view.x.from)).toBeLessThan(positionOf(x, view.x.to));
    expect(positionOf(y, view.y.from)).toBeGreaterThan(positionOf(y, view.y.to));
  });
});

describe('a roof', () => {
  test('rises with the intensity to the ridge and is level from there', () => {
    expect(roofLine(aRoof, { from: 1, to: 1000 })).toEqual([
      [1, 1e11],
      [10, 1e12],
      [1000, 1e12],
    ]);
    expect(roofLine(aRoof, { from: 20, to: 40 })).toEqual([
      [20, 1e12],
      [40, 1e12],
    ]);
    expect(roofLine(aRoof, { from: 0.1, to: 1 })).toEqual([
      [0.1, 1e10],
      [1, 1e11],
    ]);
  });

  test('is shown for the memory and the types that ops compute in', () => {
    const roofs = [
      { ...aRoof, element_type: 's8', flops_per_s: 2e12 },
      { ...aRoof, element_type: 'f32', flops_per_s: 1e11 },
      aRoof,
      { ...aRoof, space: 'vmem' },
    ];
    const rows = [aPoint('a', 1, 1), aPoint('b', 1, 1, { element_type: 'f32' })];
    const { record } = rooflineView({ roofs, rows });
    expect(roofsOver(record, 'main').map(({ element_type }) => element_type)).toEqual(['bf16', 'f32']);
    expect(roofsOver({ ...record, rows: [] }, 'main')).toHaveLength(3);
  });
});

describe('the ceiling of caches', () => {
  test('is a slope above that of main memory which ends where it meets the highest roof', () => {
    expect(ceilingLine(aCeiling, [aRoof], { from: 0.01, to: 1000 })).toEqual([
      [0.01, 4e9],
      [2.5, 1e12],
    ]);
    expect(ceilingLine(aCeiling, [aRoof], { from: 0.01, to: 1 }).at(-1)).toEqual([1, 4e11]);
    expect(ceilingLine(aCeiling, [aRoof], { from: 5, to: 1000 })).toEqual([]);
    expect(ceilingLine(aCeiling, [], { from: 0.01, to: 1000 })).toEqual([]);
  });

  test('allows a point more than its limit to the left of the ridge, and as much to the right of it', () => {
    for (const intensity of numbers(50).map((number) => 10 ** (4 * number - 2))) {
      const point = aPoint('dot', intensity, 1e9);
      const ceiling = ceilingOf(point, [aCeiling], [aRoof]) ?? 0;
      expect(ceiling).toBeGreaterThanOrEqual(point.limit_flops_per_s ?? Infinity);
      expect(ceiling).toBeLessThanOrEqual(aRoof.flops_per_s);
    }
    expect(ceilingOf(aPoint('dot', 1, 1), [], [aRoof])).toBeNull();
    expect(ceilingOf(aPoint('dot', 1, 1, { element_type: 's4' }), [aCeiling], [aRoof])).toBeNull();
  });

  test('is over main memory alone', () => {
    const { record } = rooflineView({ ceilings: [aCeiling] });
    expect(ceilingsOver(record, 'main')).toEqual([aCeiling]);
    expect(ceilingsOver(record, 'vmem')).toEqual([]);
  });
});

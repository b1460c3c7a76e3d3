import { describe, expect, test } from 'vitest';
import { sectorPath, sectorsOf } from '../../../../extension/webview/shared/charts/pie';
import { placedNames } from '../../../../extension/webview/shared/charts/pieNames';

describe('the names around a pie', () => {
  const size = { radius_px: 84, height_px: 176, name_px: 22, between_px: 32 };

  test.each([
    [[1]],
    [[0.6, 0.25, 0.1, 0.05]],
    [[0.5, 0.5]],
    [[0.9, ...new Array<number>(8).fill(0.0125)]],
    [new Array<number>(9).fill(1 / 9)],
    [[0.55, 0.2, 0.1, 0.05, 0.04, 0.03, 0.02, 0.01, 0]],
  ])('of %j do not cover one another, and their lines do not cross', (shares) => {
    const names = placedNames(sectorsOf(shares), size);
    for (const side of ['start', 'end']) {
      const column = names.filter((name) => name.side === side).sort((one, other) => one.y_px - other.y_px);
      column.forEach(({ y_px, line }, row) => {
        expect(Math.abs(y_px)).toBeLessThanOrEqual(77);
        const above = column[row - 1];
        if (above !== undefined) {
          expect(y_px - above.y_px).toBeGreaterThanOrEqual(22 - 1e-9);
          expect(line[0]?.[1] ?? 0).toBeGreaterThanOrEqual((above.line[0]?.[1] ?? 0) - 1e-9);
        }
      });
    }
  });

  test('stand beside their slices where there is room', () => {
    const [first, second] = placedNames(sectorsOf([0.5, 0.5]), size);
    expect(first).toMatchObject({ side: 'end' });
    expect(second).toMatchObject({ side: 'start' });
    expect(first?.y_px).toBeCloseTo(0, 9);
    expect(second?.line[2]?.[0]).toBeCloseTo(-116, 9);
  });
});

describe('the slices of a pie', () => {
  test('fill the circle without a gap or an overlap', () => {
    const sectors = sectorsOf([0.5, 0.25, 0, 0.125]);
    expect(sectors[0]?.from_ratio).toBe(0);
    sectors.slice(1).forEach((sector, before) => expect(sector.from_ratio).toBe(sectors[before]?.to_ratio));
    expect(sectors.at(-1)?.to_ratio).toBe(1);
    expect(sectorsOf([0, 0])).toEqual([
      { from_ratio: 0, to_ratio: 0 },
      { from_ratio: 0, to_ratio: 0 },
    ]);
  });

  test('begin at the top and go clockwise; one alone is the whole circle', () => {
    expect(sectorPath({ from_ratio: 0, to_ratio: 0.25 })).toMatch(/^M 0 -100 A .* 100 0 L 0 0 Z$/);
    expect(sectorPath({ from_ratio: 0, to_ratio: 1 })).toBe('M 0 -100 A 100 100 0 0 1 0 100 A 100 100 0 0 1 0 -100 Z');
  });
});

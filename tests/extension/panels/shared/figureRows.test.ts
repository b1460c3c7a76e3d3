import { describe, expect, test } from 'vitest';
import { balancedRows, rowsThatFit } from '../../../../extension/webview/shared/frame/figureRows';

const GAP_PX = 16;
const WIDTHS_PX = [177, 118, 118, 165, 102, 109, 140, 61, 96];

describe('the rows that figures can stand in', () => {
  test.each([
    [1, [[1]]],
    [2, [[2], [1, 1]]],
    [3, [[3], [1, 1, 1]]],
    [4, [[4], [2, 2], [1, 1, 1, 1]]],
    [5, [[5], [3, 2], [1, 1, 1, 1, 1]]],
    [6, [[6], [3, 3], [2, 2, 2], [1, 1, 1, 1, 1, 1]]],
    [7, [[7], [4, 3], [3, 2, 2], [1, 1, 1, 1, 1, 1, 1]]],
  ])('of %d', (count, rows) => {
    expect(balancedRows(count)).toEqual(rows);
  });
});

describe.each([2, 3, 4, 5, 6, 7, 8, 9])('%d figures', (count) => {
  const widths_px = WIDTHS_PX.slice(0, count);

  test('leave none alone below others, at any width', () => {
    for (let room_px = 100; room_px <= 1600; room_px++) {
      const rows = rowsThatFit(widths_px, room_px, GAP_PX);
      expect(rows.reduce((sum, row) => sum + row, 0)).toBe(count);
      expect(Math.max(...rows) - Math.min(...rows)).toBeLessThanOrEqual(1);
      expect(Math.min(...rows) > 1 || Math.max(...rows) === 1).toBe(true);
    }
  });

  test('stand in one row where there is room for all, and in more only where there is not', () => {
    const whole_px = widths_px.reduce((sum, width_px) => sum + width_px) + GAP_PX * (count - 1);
    expect(rowsThatFit(widths_px, whole_px, GAP_PX)).toEqual([count]);
    expect(rowsThatFit(widths_px, whole_px - 1, GAP_PX).length).toBeGreaterThan(1);
  });
});

test('columns are as wide as the widest figure in them', () => {
  // Below one another 100 and 50, 60 and 90.
  expect(rowsThatFit([100, 60, 50, 90], 206, GAP_PX)).toEqual([2, 2]);
  expect(rowsThatFit([100, 60, 50, 90], 205, GAP_PX)).toEqual([1, 1, 1, 1]);
});

test('there are none without figures', () => {
  expect(rowsThatFit([], 500, GAP_PX)).toEqual([]);
});

import { beforeAll, describe, expect, test } from 'vitest';
import {
  align,
  columnsOf,
  GAP_COLUMNS,
  loadWidths,
  MOST_LINES_BETWEEN,
  MOST_PADDING_COLUMNS,
} from '../../../extension/src/lines/alignment';

beforeAll(loadWidths);

/** The columns at which the annotations of lines of these widths begin. */
function starts(lines: readonly { line: number; columns: number }[]): number[] {
  return align(lines).map((padding, index) => (lines[index]?.columns ?? 0) + padding);
}

test('a file of any number of lines is aligned', () => {
  const lines = Array.from({ length: 300_000 }, (_, index) => ({ line: index + 1, columns: index % 10 }));
  expect(new Set(starts(lines)).size).toBe(1);
});

describe('columns of a text', () => {
  test('reach to the next stop for a tab, wherever it begins', () => {
    expect(columnsOf('\tx', 4)).toBe(5);
    expect(columnsOf('ab\tx', 4)).toBe(5);
    expect(columnsOf('abcd\tx', 4)).toBe(9);
    expect(columnsOf('\t\t', 8)).toBe(16);
  });

  test('are two for a wide character and none for a combining one', () => {
    expect(columnsOf('# 学習率', 4)).toBe(8);
    expect(columnsOf('e\u0301x', 4)).toBe(2);
    expect(columnsOf('', 4)).toBe(0);
  });
});

describe('annotations', () => {
  test('of neighbours that are close in length begin in one column, right of the longest', () => {
    const lines = [
      { line: 10, columns: 24 },
      { line: 11, columns: 30 },
      { line: 14, columns: 18 },
    ];
    expect(starts(lines)).toEqual([30 + GAP_COLUMNS, 30 + GAP_COLUMNS, 30 + GAP_COLUMNS]);
  });

  test('never stand further from a line than the most padding', () => {
    const lines = Array.from({ length: 200 }, (_, line) => ({ line, columns: (line * 37) % 120 }));
    for (const padding of align(lines)) {
      expect(padding).toBeGreaterThanOrEqual(GAP_COLUMNS);
      expect(padding).toBeLessThanOrEqual(GAP_COLUMNS + MOST_PADDING_COLUMNS);
    }
  });

  test('of a very long line leave those of the short lines beside it where they are', () => {
    const lines = [
      { line: 1, columns: 20 },
      { line: 2, columns: 110 },
      { line: 3, columns: 22 },
    ];
    expect(starts(lines)).toEqual([20 + GAP_COLUMNS, 110 + GAP_COLUMNS, 22 + GAP_COLUMNS]);
  });

  test('of lines far from each other are not aligned', () => {
    const near = { line: 1 + MOST_LINES_BETWEEN + 1, columns: 20 };
    const far = { line: 1 + MOST_LINES_BETWEEN + 2, columns: 20 };
    expect(starts([{ line: 1, columns: 30 }, near])).toEqual([30 + GAP_COLUMNS, 30 + GAP_COLUMNS]);
    expect(starts([{ line: 1, columns: 30 }, far])).toEqual([30 + GAP_COLUMNS, 20 + GAP_COLUMNS]);
  });

  test('of no lines are none', () => {
    expect(align([])).toEqual([]);
  });
});

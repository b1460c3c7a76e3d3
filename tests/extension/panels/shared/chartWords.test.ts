import { describe, expect, test } from 'vitest';
import { cornersOf, type Word, WORD_HEIGHT_PX } from '../../../../extension/webview/shared/charts/words';

const AREA = { width_px: 400, height_px: 120 };
const place = (x_px: number, width_px = 90): Word => ({ at: 'place', x_px, width_px });
const level = (y_px: number, width_px = 110): Word => ({ at: 'level', y_px, width_px });

function boxes(words: readonly Word[], area = AREA) {
  return cornersOf(words, area).map(({ left_px, top_px }, at) => ({
    left_px,
    top_px,
    right_px: left_px + (words[at]?.width_px ?? 0),
    bottom_px: top_px + WORD_HEIGHT_PX,
  }));
}

function covered(words: readonly Word[], area = AREA): number {
  const all = boxes(words, area);
  return all.filter((one, at) =>
    all.some(
      (other, before) =>
        before < at &&
        one.left_px < other.right_px &&
        other.left_px < one.right_px &&
        one.top_px < other.bottom_px &&
        other.top_px < one.bottom_px,
    ),
  ).length;
}

describe('the words of marks', () => {
  test('stand behind their line, and before it near the end', () => {
    expect(cornersOf([place(100)], AREA)).toEqual([{ left_px: 104, top_px: 0 }]);
    expect(cornersOf([place(390)], AREA)).toEqual([{ left_px: 296, top_px: 0 }]);
  });

  test('of a level stand below it at its end, and above it where something stands there', () => {
    expect(cornersOf([level(40)], AREA)).toEqual([{ left_px: 286, top_px: 41 }]);
    const [, beside] = cornersOf([{ at: 'place', x_px: 300, width_px: 90 }, level(0)], AREA);
    expect(beside?.left_px).toBe(4);
  });

  test('of a level stand above it where what is drawn lies below it', () => {
    expect(cornersOf([{ at: 'level', y_px: 40, width_px: 110, isAbove: true }], AREA)).toEqual([
      { left_px: 286, top_px: 23 },
    ]);
  });

  test('never cover each other, wherever the peak is and however close the capacity', () => {
    for (let peak_px = 0; peak_px <= AREA.width_px; peak_px += 5) {
      for (let capacity_px = 0; capacity_px <= 60; capacity_px += 3) {
        const words = [place(peak_px), level(capacity_px), place(0), place(AREA.width_px)];
        expect(covered(words), `peak at ${peak_px}, capacity at ${capacity_px}`).toBe(0);
        for (const { left_px, right_px, top_px, bottom_px } of boxes(words)) {
          expect(left_px).toBeGreaterThanOrEqual(0);
          expect(right_px).toBeLessThanOrEqual(AREA.width_px);
          expect(top_px).toBeGreaterThanOrEqual(0);
          expect(bottom_px).toBeLessThanOrEqual(AREA.height_px);
        }
      }
    }
  });

  test('are not crossed by the line of another mark where there is room elsewhere', () => {
    const [, second] = boxes([place(150), place(120)]);
    expect((second?.right_px ?? 0) <= 150 || (second?.left_px ?? 0) >= 151).toBe(true);
  });

  test('stay within a chart that has room for none', () => {
    expect(cornersOf([place(10), level(5)], { width_px: 20, height_px: 10 })).toEqual([
      { left_px: 0, top_px: 0 },
      { left_px: 0, top_px: 0 },
    ]);
  });
});

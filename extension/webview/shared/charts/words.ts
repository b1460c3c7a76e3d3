// Where the words of a chart's marks stand, so that none covers another.

import type { Box } from './box';
import type { Place } from './seriesOptions';

/** Of a word, from the corner of the area within the axes. */
export type Corner = Pick<Box, 'left_px' | 'top_px'>;

/** What a mark says: beside a line across the height of the chart, or at an end of one across its width. */
export type Word =
  | { readonly at: 'place'; readonly x_px: number; readonly width_px: number }
  | { readonly at: 'level'; readonly y_px: number; readonly width_px: number; readonly isAbove?: boolean };

export const WORD_HEIGHT_PX = 16;
const ROW_PX = 18;
const GAP_PX = 4;
/** Beyond this part of the width a word stands before its line rather than behind it. */
const AT_END_RATIO = 0.7;

/** The corners of words: those that come first have the first choice, and no later one covers them if there is room. */
export function cornersOf(words: readonly Word[], area: Pick<Place, 'width_px' | 'height_px'>): readonly Corner[] {
  const lines = words.flatMap((word) =>
    word.at === 'place' ? [{ left_px: word.x_px, top_px: 0, width_px: 1, height_px: area.height_px }] : [],
  );
  const taken: Box[] = [];
  return words.map((word) => {
    const boxes = wishes(word, area).map((corner) => ({
      ...corner,
      width_px: word.width_px,
      height_px: WORD_HEIGHT_PX,
    }));
    const isFree = (box: Box, of: readonly Box[]): boolean => !of.some((each) => overlap(box, each));
    // A line through a word can be read, another word cannot.
    const box =
      boxes.find((each) => isFree(each, [...taken, ...lines])) ?? boxes.find((each) => isFree(each, taken)) ?? boxes[0];
    if (box === undefined) {
      return { left_px: 0, top_px: 0 };
    }
    taken.push(box);
    return { left_px: box.left_px, top_px: box.top_px };
  });
}

/** Where a word may stand, the best place first. */
function wishes(word: Word, area: Pick<Place, 'width_px' | 'height_px'>): readonly Corner[] {
  const most_px = Math.max(0, area.width_px - word.width_px);
  const lowest_px = Math.max(0, area.height_px - WORD_HEIGHT_PX);
  const inside = (corners: readonly Corner[]): readonly Corner[] =>
    corners.map(({ left_px, top_px }) => ({
      left_px: Math.min(Math.max(0, left_px), most_px),
      top_px: Math.min(Math.max(0, top_px), lowest_px),
    }));
  if (word.at === 'level') {
    const ends = [most_px - GAP_PX, GAP_PX];
    const [below, above] = [word.y_px + 1, word.y_px - WORD_HEIGHT_PX - 1];
    const sides = word.isAbove === true ? [above, below] : [below, above];
    return inside(
      ends
        .flatMap((left_px) => sides.map((top_px) => ({ left_px, top_px })))
        // Above a line at the top there is no room.
        .filter(({ top_px }) => top_px >= 0 && top_px <= lowest_px),
    );
  }
  const behind = word.x_px + GAP_PX;
  const before = word.x_px - GAP_PX - word.width_px;
  const isAtEnd = word.x_px > area.width_px * AT_END_RATIO;
  const rows = Array.from({ length: Math.max(1, Math.floor(area.height_px / ROW_PX)) }, (_, row) => row * ROW_PX);
  return inside(
    rows.flatMap((top_px) => (isAtEnd ? [before, behind] : [behind, before]).map((left_px) => ({ left_px, top_px }))),
  );
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.left_px < other.left_px + other.width_px &&
    other.left_px < one.left_px + one.width_px &&
    one.top_px < other.top_px + other.height_px &&
    other.top_px < one.top_px + one.height_px
  );
}

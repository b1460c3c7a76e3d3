// Marks over a chart of series: at a place of its axis, such as the peak, or at a height, such as the capacity.

import { type Box, boxStyle } from './box';
import type { Place } from './seriesOptions';
import { wordWidth } from './text';
import { cornersOf, type Word } from './words';

/** A line across the height of the chart, with a word beside it. */
export interface PlaceMark {
  readonly kind: 'peak' | 'forward' | 'backward' | 'picked' | 'snapshot';
  readonly key?: string;
  /** Null where there is no such place. */
  readonly at: number | null;
  readonly text?: string;
}

/** A line across the width of the chart, with a word at its end. */
export interface LevelMark {
  readonly kind: 'level';
  readonly key?: string;
  readonly value: number;
  readonly text: string;
  /** Not a limit, only to compare with. */
  readonly isQuiet?: boolean;
  /** The word stands above the line, where what is drawn lies below it. */
  readonly isAbove?: boolean;
}

interface DrawnMark {
  readonly key: string;
  /** The class that gives its line and its word their looks. */
  readonly look: string;
  readonly line: Partial<Box>;
  readonly text: string;
  readonly word: Word;
}

/** The marks of what is shown; the words of those that come first have the first choice of where they stand. */
export function Marks(props: { readonly place: Place; readonly marks: readonly (PlaceMark | LevelMark | null)[] }) {
  const { place } = props;
  const drawn = props.marks.flatMap((mark) => (mark === null ? [] : (drawnMark(mark, place) ?? [])));
  const worded = drawn.filter(({ text }) => text !== '');
  const corners = cornersOf(
    worded.map(({ word }) => word),
    place,
  );
  // The words last: no line is drawn over them.
  return (
    <>
      {drawn.map(({ key, look, line }) => (
        <span
          key={key}
          class={`${look.startsWith('level') ? 'level-mark' : 'place-mark'} ${look}`}
          style={boxStyle(line)}
        />
      ))}
      {worded.map(({ key, look, text }, at) => (
        <span key={`${key} word`} class={`mark-word ${look}`} style={boxStyle(corners[at] ?? {})}>
          {text}
        </span>
      ))}
    </>
  );
}

/** A mark as it is drawn; null where its place is not shown. */
function drawnMark(mark: PlaceMark | LevelMark, place: Place): DrawnMark | null {
  const { kind, text = '' } = mark;
  const width_px = text === '' ? 0 : wordWidth(text);
  if (mark.kind === 'level') {
    const y_px = place.y_px(mark.value) - place.top_px;
    const look = mark.isQuiet === true ? 'level quiet' : 'level';
    return {
      key: mark.key ?? kind,
      look,
      line: { top_px: y_px },
      text,
      word: { at: 'level', y_px, width_px, isAbove: mark.isAbove === true },
    };
  }
  const { at, key = kind } = mark;
  if (at === null || at < place.shown.from || at > place.shown.to) {
    return null;
  }
  const x_px = place.x_px(at) - place.left_px;
  return { key, look: kind, line: { left_px: x_px }, text, word: { at: 'place', x_px, width_px } };
}

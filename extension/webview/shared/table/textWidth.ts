// How wide a column must be for what stands in it, so that no number loses its unit.

import { wordWidth } from '../charts/text';
import type { Column } from './columns';
import { greatest, greatestRow } from './greatest';

/** The padding of a cell at both sides, and what the mark of the order takes beside a title. */
const PADDING_PX = 16;
const ORDER_PX = 20;
/** Where nothing measures text, a character is taken for somewhat wider than a digit. */
const CHARACTER_PX = 7.5;
/** What stands out is written in bold. */
const BOLD_RATIO = 1.08;
/** Of so many rows as many are looked at, evenly over all. */
const MOST_ROWS = 2_000;
/** Texts of one length differ little in width: as many are measured. */
const MOST_MEASURED = 8;

/** The column, never narrower than the longest of its texts. Its title gives way first, if it is longer than them. */
export function asWideAsItsTexts<Row>(
  column: Column<Row>,
  rows: readonly Row[],
  options: { readonly isBold?: boolean } = {},
): Column<Row> {
  const every = Math.max(1, Math.ceil(rows.length / MOST_ROWS));
  const texts = new Set<string>();
  for (let at = 0; at < rows.length; at += every) {
    texts.add(column.text(rows[at] as Row));
  }
  const longest = every === 1 ? null : greatestRow(rows, (row) => Math.abs(Number(column.value(row) ?? 0)) || 0);
  if (longest !== null) {
    texts.add(column.text(longest));
  }
  const text_px = textWidth(texts) * (options.isBold === true ? BOLD_RATIO : 1);
  const least_px = Math.ceil(text_px) + PADDING_PX;
  return { ...column, least_px, width_px: Math.max(least_px, textWidth([column.title]) + PADDING_PX + ORDER_PX) };
}

function textWidth(texts: Iterable<string>): number {
  const longest = [...texts].sort((one, other) => other.length - one.length).slice(0, MOST_MEASURED);
  return greatest(longest, (text) => wordWidth(text) || text.length * CHARACTER_PX);
}

// How figures stand in rows: as few as there is room for, none with a figure alone below a row of several.

import { greatest } from '../table/greatest';

/** Figures that stand below one another where there is no room for two. */
const ALONE = 1;

/** How many figures each row has, where no row has more than one more than another and none has one of several alone. */
export function balancedRows(count: number): readonly (readonly number[])[] {
  const each = Array.from({ length: count }, (_, at) => {
    const rows = at + 1;
    return Array.from({ length: rows }, (_row, row) => Math.floor(count / rows) + (row < count % rows ? 1 : 0));
  });
  return each.filter((rows) => rows.every((row) => row > ALONE) || rows.every((row) => row === ALONE));
}

/** The fewest rows that have room for figures of these widths in columns; one figure a row where no other has. */
export function rowsThatFit(widths_px: readonly number[], room_px: number, between_px: number): readonly number[] {
  const all = balancedRows(widths_px.length);
  return all.find((rows) => widthOf(rows, widths_px, between_px) <= room_px) ?? all.at(-1) ?? [];
}

/** Of all columns, each as wide as the widest figure in it. */
function widthOf(rows: readonly number[], widths_px: readonly number[], between_px: number): number {
  const columns = greatest(rows, (row) => row);
  const widest = new Array<number>(columns).fill(0);
  let before = 0;
  for (const row of rows) {
    for (let column = 0; column < row; column++) {
      widest[column] = Math.max(widest[column] ?? 0, widths_px[before + column] ?? 0);
    }
    before += row;
  }
  return widest.reduce((sum, width_px) => sum + width_px, between_px * (columns - 1));
}

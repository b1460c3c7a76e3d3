// What a table shows of a row, and how a person arranged its columns.

import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** What the column means, for its header's tooltip. */
  readonly meaning?: string;
  readonly width_px: number;
  /** Takes what the other columns leave of the table's width. */
  readonly fills?: boolean;
  /** Numbers stand at the end of their cell. */
  readonly align?: 'end';
  /** Where there is no room for all, columns of the highest rank are left out first; 0 and absent: never. */
  readonly rank?: number;
  /** What rows are sorted by; null, which is unknown, comes last either way. */
  readonly value: (row: Row) => number | string | null;
  /** The cell as text: shown, searched and copied. */
  readonly text: (row: Row) => string;
  /** The exact value, or what was cut off: the cell's tooltip. */
  readonly exact?: (row: Row) => string;
  /** The cell as it is drawn, where text does not do. */
  readonly cell?: (row: Row) => ComponentChildren;
}

export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

const NARROWEST_COLUMN_PX = 40;

/** The columns that a table of a width has room for, in their order. What they were resized to plays no part. */
export function fitting<Row>(columns: readonly Column<Row>[], table_px: number): readonly Column<Row>[] {
  const byRank = [...columns].sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
  const fits = new Set<Column<Row>>();
  let used_px = 0;
  for (const column of byRank) {
    used_px += column.width_px;
    if (used_px > table_px && (column.rank ?? 0) > 0) {
      break;
    }
    fits.add(column);
  }
  return columns.filter((column) => fits.has(column));
}

/** A width for `grid-template-columns`. */
export function track<Row>(column: Column<Row>, widths: Readonly<Record<string, number>>): string {
  const chosen_px = widths[column.id];
  if (chosen_px !== undefined) {
    return `${String(chosen_px)}px`;
  }
  return column.fills === true ? `minmax(${String(column.width_px)}px, 1fr)` : `${String(column.width_px)}px`;
}

/** A width as a person may choose it. */
export function chosenWidth(width_px: number): number {
  return Math.max(NARROWEST_COLUMN_PX, Math.round(width_px));
}

/** The next order when a header is pressed: numbers start with the greatest, names with the first. */
export function nextSort<Row>(sort: Sort, column: Column<Row>): Sort {
  if (sort.column === column.id) {
    return { column: column.id, descending: !sort.descending };
  }
  return { column: column.id, descending: column.align === 'end' };
}

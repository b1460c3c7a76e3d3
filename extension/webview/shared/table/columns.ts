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
  /** The narrowest table that has room for the column; what it says is then in the details. */
  readonly from_px?: number;
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

/** The columns that a table of a width has room for. */
export function fitting<Row>(columns: readonly Column<Row>[], table_px: number): readonly Column<Row>[] {
  return columns.filter((column) => (column.from_px ?? 0) <= table_px);
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

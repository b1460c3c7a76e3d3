// What a table shows of a row, and how a person arranged its columns.

import type { ComponentChildren } from 'preact';
import type { Grade } from '../charts/cells';
import type { Tint } from '../comparison/tint';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** What the column means, for its header's tooltip. */
  readonly meaning?: string;
  readonly width_px: number;
  /** How narrow it may become where even the columns of rank 0 have no room; absent: not narrower. */
  readonly least_px?: number;
  /** The column's part of what the columns leave of the table's width. */
  readonly fills?: number;
  /** Numbers stand at the end of their cell. */
  readonly align?: 'end';
  /** Its text is code: names of ops, shapes. */
  readonly isCode?: boolean;
  /** Where there is no room for all, columns of the highest rank are left out first; 0 and absent: never. */
  readonly rank?: number;
  /** What rows are sorted by; null, which is unknown, comes last either way. */
  readonly value: (row: Row) => number | string | null;
  /** The cell as text: shown, searched and copied. */
  readonly text: (row: Row) => string;
  /** The exact value, or what was cut off: the cell's tooltip. */
  readonly exact?: (row: Row) => string;
  /** What is copied in its place, for a spreadsheet: a number without its unit, which is in the title. */
  readonly copied?: { readonly title: string; readonly text: (row: Row) => string };
  /** A bar before the text, for numbers; null in rows that have none. */
  readonly meter?: (row: Row) => CellMeter | null;
  /** The cell as it is drawn, where text does not do. */
  readonly cell?: (row: Row) => ComponentChildren;
}

/** How far a bar is filled; a grade colours it besides, by how good that is. */
export interface CellMeter {
  readonly ratio: number;
  readonly grade?: Grade;
  /** Another form of bar, for what is another kind of quantity. */
  readonly form?: 'waiting' | 'waiting data';
  /** The colour of what became of the row. */
  readonly tint?: Tint;
}

export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

const NARROWEST_COLUMN_PX = 40;

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

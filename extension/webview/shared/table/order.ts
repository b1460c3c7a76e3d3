// The order of a table's rows: by the values of a column, each asked for once.

import type { Column, Sort } from './columns';

/** Sorted rows by the list that they were sorted from: opening a row sorts none of the others anew. */
const known = new WeakMap<object, Sorted>();

interface Sorted {
  readonly column: unknown;
  readonly descending: boolean;
  readonly isLast: unknown;
  readonly rows: readonly unknown[];
}

/**
 * The rows in the order of a column of that sort; as they are where there is none. Unknown values come last either
 * way, and rows that stay at the end after those. Rows of equal value keep their order.
 */
export function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort,
  isLast: ((row: Row) => boolean) | undefined,
): readonly Row[] {
  const column = columns.find((each) => each.id === sort.column);
  if (column === undefined || rows.length < 2) {
    return rows;
  }
  const before = known.get(rows);
  if (before?.column === column && before.descending === sort.descending && before.isLast === isLast) {
    return before.rows as readonly Row[];
  }
  const values = rows.map((row) => column.value(row));
  const [ordered, unknown, last]: [number[], number[], number[]] = [[], [], []];
  rows.forEach((row, at) => (isLast?.(row) === true ? last : values[at] === null ? unknown : ordered).push(at));
  const compare = comparison(values, sort.descending ? -1 : 1);
  const order = [ordered, unknown, last].flatMap((places) => [...Uint32Array.from(places).sort(compare)]);
  const sorted = order.map((at) => rows[at] as Row);
  known.set(rows, { column, descending: sort.descending, isLast, rows: sorted });
  return sorted;
}

type Comparison = (one: number, other: number) => number;

/** Compares values by their places in the list. */
function comparison(values: readonly (number | string | null)[], sign: 1 | -1): Comparison {
  if (values.every((value) => typeof value !== 'string')) {
    const numbers = Float64Array.from(values, (value) => sign * (value ?? 0));
    return (one, other) => (numbers[one] ?? 0) - (numbers[other] ?? 0);
  }
  const texts = values.map((value) => String(value ?? ''));
  if (texts.every((text) => IS_ASCII.test(text))) {
    // Names of ops are: comparing keys is many times faster than the alphabet of a language.
    const keys = texts.map((text) => text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(DIGITS, '0')));
    return (one, other) => sign * compared(keys[one] ?? '', keys[other] ?? '');
  }
  return (one, other) => sign * alphabet.compare(texts[one] ?? '', texts[other] ?? '');
}

function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

const IS_ASCII = /^[\x20-\x7e]*$/;

/** Numbers in names are compared as numbers up to as many digits. */
const DIGITS = 16;

const alphabet = new Intl.Collator(undefined, { numeric: true });

// The rows that a table shows, in their order: sorted, searched, expanded.

import type { Column, Sort } from './columns';

/** How a table reads its rows. Keys must not change when the rows are fetched anew. */
export interface RowSource<Row> {
  readonly roots: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Rows below a row; absent in a flat table. Called only for rows that are expanded, or searched. */
  readonly childrenOf?: (row: Row) => readonly Row[];
  /** Rows that stay at the end in any order, such as what could not be attributed. */
  readonly isLast?: (row: Row) => boolean;
}

export interface ShownRow<Row> {
  readonly row: Row;
  readonly key: string;
  /** 1 at the root. */
  readonly level: number;
  readonly parentKey: string | null;
  readonly expandable: boolean;
  readonly expanded: boolean;
}

export interface Arrangement<Row> {
  readonly columns: readonly Column<Row>[];
  readonly sort: Sort;
  readonly search: string;
  readonly expanded: ReadonlySet<string>;
}

/**
 * The rows to show. With a search those that have its words, in any column and in any case, and the rows above them;
 * a row that has them itself shows all rows below it. Children are sorted when they are shown, not before.
 */
export function arrange<Row>(source: RowSource<Row>, arrangement: Arrangement<Row>): readonly ShownRow<Row>[] {
  const words = arrangement.search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const compare = comparison(source, arrangement);
  const shown: ShownRow<Row>[] = [];
  const childrenOf = (row: Row): readonly Row[] => source.childrenOf?.(row) ?? [];

  const add = (rows: readonly Row[], level: number, parentKey: string | null, isFound: boolean): void => {
    for (const row of sorted(rows, compare)) {
      const key = source.keyOf(row);
      const has = isFound || hasWords(row, arrangement.columns, words);
      const children = childrenOf(row);
      const below = has ? children : children.filter((child) => isBelow(child, childrenOf, arrangement.columns, words));
      if (!has && below.length === 0) {
        continue;
      }
      // A row that is only there for what was found below it shows that.
      const expanded = children.length > 0 && (!has || arrangement.expanded.has(key));
      shown.push({ row, key, level, parentKey, expandable: children.length > 0, expanded });
      if (expanded) {
        add(below, level + 1, key, has);
      }
    }
  };
  add(source.roots, 1, null, words.length === 0);
  return shown;
}

function isBelow<Row>(
  row: Row,
  childrenOf: (row: Row) => readonly Row[],
  columns: readonly Column<Row>[],
  words: readonly string[],
): boolean {
  return hasWords(row, columns, words) || childrenOf(row).some((child) => isBelow(child, childrenOf, columns, words));
}

function hasWords<Row>(row: Row, columns: readonly Column<Row>[], words: readonly string[]): boolean {
  if (words.length === 0) {
    return true;
  }
  const text = columns
    .map((column) => column.text(row))
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

function sorted<Row>(rows: readonly Row[], compare: ((one: Row, other: Row) => number) | null): readonly Row[] {
  return compare === null ? rows : [...rows].sort(compare);
}

function comparison<Row>(
  source: RowSource<Row>,
  { columns, sort }: Arrangement<Row>,
): ((one: Row, other: Row) => number) | null {
  const column = columns.find((each) => each.id === sort.column);
  if (column === undefined) {
    return null;
  }
  const sign = sort.descending ? -1 : 1;
  const isLast = source.isLast ?? (() => false);
  return (one, other) => {
    const lasts = Number(isLast(one)) - Number(isLast(other));
    if (lasts !== 0) {
      return lasts;
    }
    const [first, second] = [column.value(one), column.value(other)];
    if (first === null || second === null) {
      return Number(first === null) - Number(second === null);
    }
    if (typeof first === 'number' && typeof second === 'number') {
      return sign * (first - second);
    }
    return sign * alphabet.compare(String(first), String(second));
  };
}

const alphabet = new Intl.Collator(undefined, { numeric: true });

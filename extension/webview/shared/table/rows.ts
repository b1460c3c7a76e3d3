// The rows that a table shows, in their order: sorted, searched, expanded.

import type { Column, Sort } from './columns';
import { sortedRows } from './order';
import type { RowSource } from './rowSource';
import { search, wordsOf } from './search';

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

/** Rows of one parent that are being added; `isFound` where that, or one above it, has the words of the search. */
interface Siblings<Row> {
  readonly rows: readonly Row[];
  readonly level: number;
  readonly parentKey: string | null;
  readonly isFound: boolean;
  at: number;
}

/**
 * The rows to show. With a search those that have its words, in any case, and the rows above them; a row that has
 * them itself shows all rows below it. Children are sorted when they are shown, not before.
 */
export function arrange<Row>(source: RowSource<Row>, arrangement: Arrangement<Row>): readonly ShownRow<Row>[] {
  const { columns, sort } = arrangement;
  const hits = search(source, columns, wordsOf(arrangement.search));
  const shown: ShownRow<Row>[] = [];
  const childrenOf = (row: Row): readonly Row[] => source.childrenOf?.(row) ?? [];
  const inOrder = (rows: readonly Row[]): readonly Row[] => sortedRows(rows, columns, sort, source.isLast);

  const path: Siblings<Row>[] = [
    { rows: inOrder(source.roots), level: 1, parentKey: null, isFound: hits === null, at: 0 },
  ];
  // A loop and not a recursion: nobody knows how deep a tree from a file is.
  for (let siblings = path.at(-1); siblings !== undefined; siblings = path.at(-1)) {
    if (siblings.at === siblings.rows.length) {
      path.pop();
      continue;
    }
    const { level, parentKey } = siblings;
    const row = siblings.rows[siblings.at] as Row;
    siblings.at += 1;
    const isFound = siblings.isFound || hits?.rows.has(row) === true;
    const isAbove = hits?.above.has(row) === true;
    if (!isFound && !isAbove) {
      continue;
    }
    const key = source.keyOf(row);
    const children = childrenOf(row);
    // A row that is only there for what was found below it shows that.
    const isOpened = isAbove && (!isFound || source.opensFound === true);
    const expanded = children.length > 0 && (isOpened || arrangement.expanded.has(key));
    shown.push({ row, key, level, parentKey, expandable: children.length > 0, expanded });
    if (expanded) {
      path.push({ rows: inOrder(children), level: level + 1, parentKey: key, isFound, at: 0 });
    }
  }
  return shown;
}

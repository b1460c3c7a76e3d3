// Which rows of a tree have the words of a search, and which are above such a row.

import type { Column } from './columns';
import type { RowSource } from './rowSource';

export interface Hits<Row> {
  /** Rows that have all the words. */
  readonly rows: ReadonlySet<Row>;
  /** Rows with such a row below. */
  readonly above: ReadonlySet<Row>;
  /** Whether a row is of either kind: the same function for the same hits. */
  readonly leadsTo: (row: Row) => boolean;
}

/** The words of what was typed, in any case. */
export function wordsOf(search: string): readonly string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** What was found in all rows, also those in rows that are closed; null without words. */
export function search<Row>(
  source: RowSource<Row>,
  columns: readonly Column<Row>[],
  words: readonly string[],
): Hits<Row> | null {
  if (words.length === 0) {
    return null;
  }
  const kept = keptOf(source, columns);
  if (kept.last?.words === words.join(' ') && kept.last.childrenOf === source.childrenOf) {
    return kept.last.hits as Hits<Row>;
  }
  const texts = textsOf(source, columns, kept.texts);
  const all: Row[] = [...source.roots];
  const parents: number[] = all.map(() => -1);
  const found = new Set<Row>();
  const above = new Set<Row>();
  const leadsTo = (row: Row): boolean => found.has(row) || above.has(row);
  for (let at = 0; at < all.length; at += 1) {
    const row = all[at] as Row;
    for (const child of source.childrenOf?.(row) ?? []) {
      all.push(child);
      parents.push(at);
    }
    const text = texts(row);
    if (words.every((word) => text.includes(word))) {
      found.add(row);
    }
  }
  // A row stands after its parent, so this way every row knows of all that is below it.
  for (let at = all.length - 1; at >= 0; at -= 1) {
    const [row, parent] = [all[at] as Row, all[parents[at] ?? -1]];
    if (parent !== undefined && leadsTo(row)) {
      above.add(parent);
    }
  }
  const hits: Hits<Row> = { rows: found, above, leadsTo };
  kept.last = { words: words.join(' '), childrenOf: source.childrenOf, hits };
  return hits;
}

interface Kept {
  readonly by: unknown;
  readonly texts: Map<unknown, string>;
  /** What was found last: a panel that counts hits asks for the same as its table. */
  last: { readonly words: string; readonly childrenOf: unknown; readonly hits: unknown } | null;
}

/** What is searched in, by the list of rows: made when a row is first searched, and kept for the next letter. */
const known = new WeakMap<object, Kept>();

function keptOf<Row>(source: RowSource<Row>, columns: readonly Column<Row>[]): Kept {
  const by = source.textOf ?? columns;
  let kept = known.get(source.roots);
  if (kept?.by !== by) {
    kept = { by, texts: new Map(), last: null };
    known.set(source.roots, kept);
  }
  return kept;
}

function textsOf<Row>(
  source: RowSource<Row>,
  columns: readonly Column<Row>[],
  texts: Map<unknown, string>,
): (row: Row) => string {
  const textOf = source.textOf ?? ((row: Row) => columns.map((column) => column.text(row)).join('\n'));
  return (row) => {
    let text = texts.get(row);
    if (text === undefined) {
      text = textOf(row).toLowerCase();
      texts.set(row, text);
    }
    return text;
  };
}

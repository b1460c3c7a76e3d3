// Rows that are drawn as a picture, walked by keys: arrows go from one to the next in their order, as in a table.

export interface Walk<Row> {
  /** In the order in which they are walked. */
  readonly rows: readonly Row[];
  /** Where the walk goes on from, and what Enter opens; null without one. It may be none of the rows. */
  readonly chosen: Row | null;
  readonly onWalk: (row: Row) => void;
  readonly onOpen: (row: Row) => void;
  /** Keys of the picture's own; true where it was one. */
  readonly onKey?: (key: string) => boolean;
}

/** Does what a key means; what is no key of the picture's is left to the page. */
export function walkByKey<Row>(event: KeyboardEvent, walk: Walk<Row>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const { rows, chosen } = walk;
  const to = placeAfter(event.key, chosen === null ? -1 : rows.indexOf(chosen), rows.length);
  if (to !== null) {
    const row = rows[to];
    if (row !== undefined) {
      walk.onWalk(row);
    }
  } else if (event.key === 'Enter') {
    if (chosen !== null) {
      walk.onOpen(chosen);
    }
  } else if (walk.onKey?.(event.key) !== true) {
    return;
  }
  event.preventDefault();
}

/** The place that a key goes to from the place `at`, of so many; null where the key goes nowhere. */
export function placeAfter(key: string, at: number, places: number): number | null {
  const to = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    Home: 0,
    End: places - 1,
  }[key];
  return to === undefined ? null : Math.min(Math.max(0, to), places - 1);
}

/** The greatest of what rows have, at least `least`. Of any number of rows, which arguments of `Math.max` are not. */
export function greatest<Row>(rows: Iterable<Row>, valueOf: (row: Row) => number | null, least = 0): number {
  let most = least;
  for (const row of rows) {
    most = Math.max(most, valueOf(row) ?? 0);
  }
  return most;
}

/** The row with the greatest value; of equal ones the first. Null where there are none. */
export function greatestRow<Row>(rows: Iterable<Row>, valueOf: (row: Row) => number): Row | null {
  let found: { readonly row: Row; readonly value: number } | null = null;
  for (const row of rows) {
    const value = valueOf(row);
    if (found === null || value > found.value) {
      found = { row, value };
    }
  }
  return found?.row ?? null;
}

/** The greatest of what rows have, at least `least`. Of any number of rows, which arguments of `Math.max` are not. */
export function greatest<Row>(rows: Iterable<Row>, valueOf: (row: Row) => number | null, least = 0): number {
  let most = least;
  for (const row of rows) {
    most = Math.max(most, valueOf(row) ?? 0);
  }
  return most;
}

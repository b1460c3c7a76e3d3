// Where a table's rows come from.

/** How a table reads its rows. Keys must not change when the rows are fetched anew. */
export interface RowSource<Row> {
  readonly roots: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /**
   * Rows below a row, the same list each time; absent in a flat table. Called only for rows that are expanded, or
   * searched.
   */
  readonly childrenOf?: (row: Row) => readonly Row[];
  /** Rows that stay at the end in any order, such as what could not be attributed. */
  readonly isLast?: (row: Row) => boolean;
  /** What of a row is searched; absent: every column. The same function as long as the texts are the same. */
  readonly textOf?: (row: Row) => string;
  /** A search opens every row that has what was found below it, also one that was found itself. */
  readonly opensFound?: boolean;
}

// Which rows of many are in sight. All rows are equally high.

export const ROW_HEIGHT_PX = 24;

/** Rows drawn beyond the edges, so that scrolling a little shows no gap. */
const OVERSCAN = 4;

export interface RowWindow {
  readonly first: number;
  /** The row after the last one. */
  readonly end: number;
}

export function rowWindow(scroll_px: number, height_px: number, rows: number): RowWindow {
  const first = Math.floor(scroll_px / ROW_HEIGHT_PX) - OVERSCAN;
  const end = Math.ceil((scroll_px + height_px) / ROW_HEIGHT_PX) + OVERSCAN;
  return { first: Math.min(Math.max(0, first), rows), end: Math.min(Math.max(0, end), rows) };
}

/** How far to scroll so that a row is in sight: as little as possible. */
export function scrollToRow(row: number, scroll_px: number, height_px: number): number {
  const top_px = row * ROW_HEIGHT_PX;
  return Math.max(Math.min(scroll_px, top_px), top_px + ROW_HEIGHT_PX - height_px);
}

/** Rows that Page Up and Page Down move by. */
export function rowsPerPage(height_px: number): number {
  return Math.max(1, Math.floor(height_px / ROW_HEIGHT_PX) - 1);
}

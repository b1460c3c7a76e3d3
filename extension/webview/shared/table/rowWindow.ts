// Which rows of many are in sight. All rows are equally high.

export const ROW_HEIGHT_PX = 24;

/** Rows drawn beyond the edges, so that scrolling a little shows no gap. */
const OVERSCAN = 4;

/** No browser draws elements that are higher: beyond it a pixel of the scroll bar stands for several of the rows. */
const MOST_HEIGHT_PX = 8_000_000;

export interface RowWindow {
  readonly first: number;
  /** The row after the last one. */
  readonly end: number;
  /** How high the sheet is that rows are drawn on, and how much less far down than by their position they are on it. */
  readonly sheet_px: number;
  readonly moved_px: number;
}

export function rowWindow(scroll_px: number, height_px: number, rows: number): RowWindow {
  const top_px = scroll_px * rowPixels(height_px, rows);
  const first = Math.floor(top_px / ROW_HEIGHT_PX) - OVERSCAN;
  const end = Math.ceil((top_px + height_px) / ROW_HEIGHT_PX) + OVERSCAN;
  return {
    first: Math.min(Math.max(0, first), rows),
    end: Math.min(Math.max(0, end), rows),
    sheet_px: Math.min(MOST_HEIGHT_PX, rows * ROW_HEIGHT_PX),
    moved_px: top_px - scroll_px,
  };
}

/** How far to scroll so that a row is in sight: as little as possible. */
export function scrollToRow(row: number, scroll_px: number, height_px: number, rows: number): number {
  const ratio = rowPixels(height_px, rows);
  const top_px = row * ROW_HEIGHT_PX;
  return Math.max(Math.min(scroll_px * ratio, top_px), top_px + ROW_HEIGHT_PX - height_px) / ratio;
}

/** Rows that Page Up and Page Down move by. */
export function rowsPerPage(height_px: number): number {
  return Math.max(1, Math.floor(height_px / ROW_HEIGHT_PX) - 1);
}

/** How many pixels of the rows a pixel of the scroll bar stands for. */
function rowPixels(height_px: number, rows: number): number {
  const whole_px = rows * ROW_HEIGHT_PX;
  return whole_px <= MOST_HEIGHT_PX ? 1 : (whole_px - height_px) / (MOST_HEIGHT_PX - height_px);
}

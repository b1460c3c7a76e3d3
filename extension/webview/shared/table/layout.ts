// Which columns a table has room for, and how wide they are.

import type { Column } from './columns';

export interface LaidOut<Row> {
  readonly column: Column<Row>;
  readonly width_px: number;
}

/**
 * The columns that fit a width, in their order. Columns of the highest rank are left out first; what was resized by
 * hand keeps its width, and plays no part in what fits. What is left of the width goes to the columns that fill it.
 * The column that the rows are ordered by is never left out.
 */
export function layout<Row>(
  columns: readonly Column<Row>[],
  table_px: number,
  chosen: Readonly<Record<string, number>>,
  orderedBy: string | null = null,
): readonly LaidOut<Row>[] {
  const fits = fitting(columns, table_px, orderedBy);
  const wished_px = (column: Column<Row>): number => chosen[column.id] ?? column.width_px;
  const spare_px = table_px - sum(fits.map(wished_px));
  const isFree = (column: Column<Row>): boolean => !(column.id in chosen);
  if (spare_px >= 0) {
    const fills = sum(fits.map((column) => (isFree(column) ? (column.fills ?? 0) : 0)));
    return fits.map((column) => ({
      column,
      width_px: wished_px(column) + (isFree(column) && fills > 0 ? (spare_px * (column.fills ?? 0)) / fills : 0),
    }));
  }
  const slack = (column: Column<Row>): number =>
    isFree(column) ? column.width_px - (column.least_px ?? column.width_px) : 0;
  const slack_px = sum(fits.map(slack));
  const part = slack_px === 0 ? 0 : Math.min(1, -spare_px / slack_px);
  return fits.map((column) => ({ column, width_px: wished_px(column) - slack(column) * part }));
}

/** Cells drawn beyond the edges, so that scrolling a little shows no gap. */
const OVERSCAN_PX = 96;

/** The positions of the columns in sight of a table that is scrolled to the side. The first one names its row. */
export function columnsInSight<Row>(
  laidOut: readonly LaidOut<Row>[],
  left_px: number,
  table_px: number,
): readonly number[] {
  let end_px = 0;
  return laidOut.flatMap(({ width_px }, position) => {
    const start_px = end_px;
    end_px += width_px;
    const isInSight = end_px > left_px - OVERSCAN_PX && start_px < left_px + table_px + OVERSCAN_PX;
    return isInSight || position === 0 ? [position] : [];
  });
}

function fitting<Row>(
  columns: readonly Column<Row>[],
  table_px: number,
  orderedBy: string | null,
): readonly Column<Row>[] {
  const fits = new Set<Column<Row>>();
  const rankOf = ({ id, rank = 0 }: Column<Row>): number => (id === orderedBy ? 0 : rank);
  let used_px = 0;
  for (const column of [...columns].sort((one, other) => rankOf(one) - rankOf(other))) {
    used_px += column.width_px;
    if (used_px > table_px && rankOf(column) > 0) {
      break;
    }
    fits.add(column);
  }
  return columns.filter((column) => fits.has(column));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

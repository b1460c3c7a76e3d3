// The strip of the buffers at the peak: cells side by side, each as wide as its part of the whole.

import type { MemoryBuffer } from '../../../src/protocol';
import { greatestRow } from '../../shared/table/greatest';
import type { Category } from './categories';

/** Buffers whose cell would be narrower are drawn together with those after them. */
const NARROWEST_CELL_PX = 2;

export interface StripCell {
  /** The buffers that it stands for, in their order. */
  readonly buffers: readonly MemoryBuffer[];
  /** Of the largest of them. */
  readonly category: Category;
  readonly x_px: number;
  readonly width_px: number;
}

/** The cells of buffers in their order; those without any of the measure have none. */
export function stripCells(
  buffers: readonly MemoryBuffer[],
  measure: (buffer: MemoryBuffer) => number,
  width_px: number,
): readonly StripCell[] {
  const whole = buffers.reduce((sum, buffer) => sum + Math.max(0, measure(buffer)), 0);
  const cells: StripCell[] = [];
  if (whole === 0 || width_px <= 0) {
    return cells;
  }
  let [before, from] = [0, 0];
  let together: MemoryBuffer[] = [];
  const close = (): void => {
    const largest = greatestRow(together, measure);
    if (largest !== null) {
      const x_px = (from / whole) * width_px;
      cells.push({ buffers: together, category: largest.category, x_px, width_px: (before / whole) * width_px - x_px });
    }
    together = [];
    from = before;
  };
  for (const buffer of buffers) {
    const amount = measure(buffer);
    if (amount <= 0) {
      continue;
    }
    const isWide = (amount / whole) * width_px >= NARROWEST_CELL_PX;
    if (isWide) {
      close();
    }
    together.push(buffer);
    before += amount;
    if (isWide || ((before - from) / whole) * width_px >= NARROWEST_CELL_PX) {
      close();
    }
  }
  close();
  return cells;
}

/** The cell at a place; null beside them. */
export function cellAtPlace(cells: readonly StripCell[], x_px: number): StripCell | null {
  return cells.find((cell) => x_px >= cell.x_px && x_px < cell.x_px + cell.width_px) ?? null;
}

/** The buffer of a cell that is chosen where the cell is pointed at: the one with the most of the measure. */
export function largestOf(
  { buffers }: Pick<StripCell, 'buffers'>,
  measure: (buffer: MemoryBuffer) => number,
): MemoryBuffer | null {
  return greatestRow(buffers, measure);
}

// The strip of the buffers at the peak: cells side by side, each as wide as its part of the whole.

import type { MemoryBuffer } from '../../../src/protocol';

/** Buffers whose cell would be narrower are drawn together with those after them. */
const NARROWEST_CELL_PX = 2;

export interface StripCell {
  /** The buffers that it stands for, in their order. */
  readonly buffers: readonly MemoryBuffer[];
  /** The one with the most of the measure, by which the cell looks and which is chosen where it is pointed at. */
  readonly largest: MemoryBuffer;
  readonly x_px: number;
  readonly width_px: number;
}

/** The cells of buffers in their order; those without any of the measure have none. */
export function stripCells(
  buffers: readonly MemoryBuffer[],
  measure: (buffer: MemoryBuffer) => number,
  width_px: number,
): readonly StripCell[] {
  const measured = buffers.filter((buffer) => measure(buffer) > 0);
  const whole = measured.reduce((sum, buffer) => sum + measure(buffer), 0);
  const cells: { buffers: MemoryBuffer[]; largest: MemoryBuffer; x_px: number; width_px: number }[] = [];
  let before = 0;
  for (const buffer of width_px > 0 ? measured : []) {
    const own_px = (measure(buffer) / whole) * width_px;
    const last = cells.at(-1);
    if (last !== undefined && own_px < NARROWEST_CELL_PX && last.width_px < NARROWEST_CELL_PX) {
      last.buffers.push(buffer);
      last.largest = measure(buffer) > measure(last.largest) ? buffer : last.largest;
      last.width_px += own_px;
    } else {
      cells.push({ buffers: [buffer], largest: buffer, x_px: (before / whole) * width_px, width_px: own_px });
    }
    before += measure(buffer);
  }
  return cells;
}

/** The cell at a place; null beside them. */
export function cellAtPlace(cells: readonly StripCell[], x_px: number): StripCell | null {
  return cells.find((cell) => x_px >= cell.x_px && x_px < cell.x_px + cell.width_px) ?? null;
}

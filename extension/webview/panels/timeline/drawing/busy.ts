// How busy a device was over the run, as a curve.

import { timeAt, type Span } from '../state/viewport';

/** Where a curve is on a canvas: it stands on `floor_px` and is `most_px` high where its device was never idle. */
export interface CurvePlace {
  readonly width_px: number;
  readonly floor_px: number;
  readonly most_px: number;
}

/** Fills the area below a curve over a view; `parts` are the busy shares of equal parts of the run. */
export function fillBusy(
  context: CanvasRenderingContext2D,
  parts: readonly number[],
  duration_ps: number,
  view: Span,
  { width_px, floor_px, most_px }: CurvePlace,
): void {
  const ratioAt = (x_px: number): number => timeAt(view, width_px, x_px) / duration_ps;
  context.beginPath();
  context.moveTo(0, floor_px);
  for (let x_px = 0; x_px < width_px; x_px += 1) {
    context.lineTo(x_px, floor_px - most_px * meanOver(parts, ratioAt(x_px), ratioAt(x_px + 1)));
  }
  context.lineTo(width_px, floor_px);
  context.fill();
}

/** The mean of equal parts between two shares of all of them. */
export function meanOver(parts: readonly number[], from_ratio: number, to_ratio: number): number {
  const first = Math.min(parts.length - 1, Math.floor(from_ratio * parts.length));
  const last = Math.max(first, Math.min(parts.length, Math.ceil(to_ratio * parts.length)) - 1);
  let sum = 0;
  for (let part = first; part <= last; part += 1) {
    sum += parts[part] ?? 0;
  }
  return sum / (last - first + 1);
}

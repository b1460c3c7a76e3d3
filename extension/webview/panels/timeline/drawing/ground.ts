// What is drawn below the boxes: heads of sections, the grid of time, where steps begin.

import type { TimelineStepsRecord } from '../../../../src/protocol';
import type { Size } from '../../../shared/frame/size';
import { GRID, HEAD, STEP_LINE } from './boxes/palette';
import { addRectangle, type Rectangles } from './boxes/renderer';
import { type Layout, SECTION_PX, shownTop } from '../state/layout';
import { roundStep } from './ticks';
import { firstStepEndingAfter } from '../state/steps';
import { lengthOf, xOf, type Span } from '../state/viewport';

/** The marks of the axis above are as far apart. */
export const TICK_APART_PX = 96;
/** Steps that are narrower have no line. */
const LEAST_STEP_PX = 12;

export interface Ground {
  readonly view: Span;
  readonly size: Size;
  readonly layout: Layout;
  readonly scroll_px: number;
  readonly steps: TimelineStepsRecord | null;
}

/** Writes what is below the boxes into `to`, over what was there. */
export function layGround(to: Rectangles, { view, size, layout, scroll_px, steps }: Ground): void {
  to.count = 0;
  const { width_px, height_px } = size;
  if (lengthOf(view) <= 0 || width_px <= 0) {
    return;
  }
  const step_ps = roundStep((lengthOf(view) / width_px) * TICK_APART_PX);
  for (let at = Math.ceil(view.start_ps / step_ps); at * step_ps <= view.end_ps; at += 1) {
    addRectangle(to, xOf(view, width_px, at * step_ps), 0, 1, height_px, GRID);
  }
  if (steps !== null) {
    layStepLines(to, steps, view, size);
  }
  for (const place of layout.places) {
    if (place.kind === 'section') {
      const top_px = shownTop(layout, place, scroll_px);
      const isPinned = place.top_px < layout.pinned_px;
      const shown_px = isPinned ? top_px : Math.max(layout.pinned_px, top_px);
      addRectangle(to, 0, shown_px, width_px, top_px + SECTION_PX - shown_px, HEAD);
    }
  }
  if (layout.pinned_px > 0) {
    addRectangle(to, 0, layout.pinned_px - 1, width_px, 1, STEP_LINE);
  }
}

function layStepLines(to: Rectangles, steps: TimelineStepsRecord, view: Span, { width_px, height_px }: Size): void {
  let last_px = -Infinity;
  for (let step = firstStepEndingAfter(steps, view.start_ps); step < steps.start_ps.length; step += 1) {
    const start_ps = steps.start_ps[step] ?? 0;
    if (start_ps > view.end_ps) {
      return;
    }
    const x_px = xOf(view, width_px, start_ps);
    if (x_px - last_px >= LEAST_STEP_PX) {
      addRectangle(to, x_px, 0, 1, height_px, STEP_LINE);
    }
    last_px = x_px;
  }
}

// What is drawn below the boxes: heads of sections, the grid of time, where steps begin.

import type { TimelineStepsRecord } from '../../../../src/protocol';
import type { Size } from '../../../shared/frame/size';
import { GRID, HEAD, STEP_LINE } from './boxes/palette';
import type { Rectangle } from './boxes/renderer';
import { type Layout, placesBetween, SECTION_PX, shownTop } from '../state/layout';
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

/** What is below the boxes, in the order in which it is drawn. */
export function groundOf({ view, size, layout, scroll_px, steps }: Ground): readonly Rectangle[] {
  const { width_px, height_px } = size;
  if (lengthOf(view) <= 0 || width_px <= 0) {
    return [];
  }
  const ground: Rectangle[] = [];
  const addLine = (at_ps: number, entry: number): void => {
    ground.push({ left_px: xOf(view, width_px, at_ps), top_px: 0, width_px: 1, height_px, entry });
  };
  const step_ps = roundStep((lengthOf(view) / width_px) * TICK_APART_PX);
  for (let at = Math.ceil(view.start_ps / step_ps); at * step_ps <= view.end_ps; at += 1) {
    addLine(at * step_ps, GRID);
  }
  const least_ps = (LEAST_STEP_PX / width_px) * lengthOf(view);
  const { start_ps = [] } = steps ?? {};
  let last_ps = -Infinity;
  for (let step = steps === null ? 0 : firstStepEndingAfter(steps, view.start_ps); step < start_ps.length; step += 1) {
    const at_ps = start_ps[step] ?? 0;
    if (at_ps > view.end_ps) {
      break;
    }
    if (at_ps - last_ps >= least_ps) {
      addLine(at_ps, STEP_LINE);
    }
    last_ps = at_ps;
  }
  for (const place of placesBetween(layout, scroll_px, 0, height_px)) {
    if (place.kind === 'section') {
      const top_px = shownTop(layout, place, scroll_px);
      const shown_px = place.top_px < layout.pinned_px ? top_px : Math.max(layout.pinned_px, top_px);
      ground.push({ left_px: 0, top_px: shown_px, width_px, height_px: top_px + SECTION_PX - shown_px, entry: HEAD });
    }
  }
  if (layout.pinned_px > 0) {
    ground.push({ left_px: 0, top_px: layout.pinned_px - 1, width_px, height_px: 1, entry: STEP_LINE });
  }
  return ground;
}

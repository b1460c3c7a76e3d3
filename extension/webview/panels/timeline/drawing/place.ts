// Where a span of time is in the picture.

import type { TimelineState } from '../state/state';
import { xOf, type Span } from '../state/viewport';

/** Left edge and width in CSS pixels, cut a little outside of the picture so that numbers stay small. */
export function placeOf(state: TimelineState, span: Span): { readonly left_px: number; readonly width_px: number } {
  const { width_px } = state.size.value;
  const inside = (px: number): number => Math.min(width_px + OUTSIDE_PX, Math.max(-OUTSIDE_PX, px));
  const left_px = inside(xOf(state.view.value, width_px, span.start_ps));
  return { left_px, width_px: inside(xOf(state.view.value, width_px, span.end_ps)) - left_px };
}

const OUTSIDE_PX = 10;

/** A length for a style. */
export function px(length_px: number): string {
  return `${String(length_px)}px`;
}

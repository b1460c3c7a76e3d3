// The wheel and the trackpad: scroll, Shift pans, Ctrl (and the pinch of a trackpad) zooms.

import type { TimelineState } from '../state/state';

/** Lines and pages, which some mice count in, in pixels. */
const LINE_PX = 20;
/** One turn zooms by no more than this much of the wheel, whatever the mouse counts. */
const MOST_ZOOM_PX = 50;
const ZOOM_PER_PX = 0.01;

export type Turn = Pick<WheelEvent, 'deltaX' | 'deltaY' | 'deltaMode' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

export function turned(state: TimelineState, turn: Turn, at_ps: number): void {
  const unit_px = [1, LINE_PX, state.size.value.height_px][turn.deltaMode] ?? 1;
  const x_px = turn.deltaX * unit_px;
  const y_px = turn.deltaY * unit_px;
  if (turn.ctrlKey || turn.metaKey) {
    const by_px = Math.min(MOST_ZOOM_PX, Math.max(-MOST_ZOOM_PX, y_px));
    state.zoom(Math.exp(by_px * ZOOM_PER_PX), at_ps);
    return;
  }
  // Where Shift is held some systems turn the wheel to the side themselves.
  const pan_px = turn.shiftKey ? x_px + y_px : x_px;
  const scrolled_px = turn.shiftKey || Math.abs(x_px) > Math.abs(y_px) ? 0 : y_px;
  if (scrolled_px !== 0) {
    state.scrollTo(state.scroll_px.value + scrolled_px);
  } else if (pan_px !== 0) {
    state.pan(pan_px * state.timePerPixel_ps);
  }
}

// The wheel and the trackpad: scroll, Shift pans, Ctrl (and the pinch of a trackpad) zooms.

import type { TimelineState } from '../state/state';
import { panned, timePerPixel, zoomed } from '../state/viewport';

/** Lines and pages, which some mice count in, in pixels. */
const LINE_PX = 20;
/** One turn zooms by no more than this much of the wheel, whatever the mouse counts. */
const MOST_ZOOM_PX = 50;
const ZOOM_PER_PX = 0.01;

export type Turn = Pick<WheelEvent, 'deltaX' | 'deltaY' | 'deltaMode' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

export function turned(state: TimelineState, turn: Turn, at_ps: number): void {
  const { view, size, scroll_px, duration_ps, picture } = state;
  const unit_px = [1, LINE_PX, size.value.height_px][turn.deltaMode] ?? 1;
  const x_px = turn.deltaX * unit_px;
  const y_px = turn.deltaY * unit_px;
  if (turn.ctrlKey || turn.metaKey) {
    const by_px = Math.min(MOST_ZOOM_PX, Math.max(-MOST_ZOOM_PX, y_px));
    view.value = zoomed(view.value, Math.exp(by_px * ZOOM_PER_PX), at_ps, duration_ps.value);
    return;
  }
  // Where Shift is held some systems turn the wheel to the side themselves.
  const pan_px = turn.shiftKey ? x_px + y_px : x_px;
  const scrolled_px = turn.shiftKey || Math.abs(x_px) > Math.abs(y_px) ? 0 : y_px;
  if (scrolled_px !== 0) {
    const most_px = Math.max(0, (picture.value?.height_px.value ?? 0) - size.value.height_px);
    scroll_px.value = Math.min(most_px, Math.max(0, scroll_px.value + scrolled_px));
  } else if (pan_px !== 0) {
    const by_ps = pan_px * timePerPixel(view.value, Math.max(1, size.value.width_px));
    view.value = panned(view.value, by_ps, duration_ps.value);
  }
}

// The selected span of time, over the rows that it is of.

import type { Timeline } from '../state/controller';
import { placeOf, px } from '../drawing/place';

export function SelectedSpan(props: { readonly timeline: Timeline }) {
  const { state } = props.timeline;
  const span = state.selectedSpan.value;
  // Rows move with these.
  const moving = [state.scroll_px.value, state.arranged.value, state.drawn.value, state.size.value];
  if (span === null || moving.length === 0) {
    return null;
  }
  const tracks = new Set(span.tracks);
  const rows = (state.picture.value?.rows() ?? []).filter(({ track }) => tracks.has(track));
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) {
    return null;
  }
  const { left_px, width_px } = placeOf(state, span);
  const height_px = last.top_px + last.height_px - first.top_px;
  return (
    <div
      class="drag box"
      style={{ left: px(left_px), width: px(width_px), top: px(first.top_px), height: px(height_px) }}
      aria-hidden="true"
    />
  );
}

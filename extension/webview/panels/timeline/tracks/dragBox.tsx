// Spans of time over the picture: the one that is selected, and what is being dragged (a box of a selection, a span to
// zoom to, an interval to mark).

import { useRef } from 'preact/hooks';
import { type Box, boxStyle } from '../../../shared/charts/box';
import { duration } from '../../../shared/text/format';
import type { Timeline } from '../state/controller';
import { useLabelInSight } from '../drawing/labelInSight';
import { placeOf } from '../drawing/place';
import type { TimelineState } from '../state/state';
import { lengthOf, type Span } from '../state/viewport';

export function DragBox(props: { readonly timeline: Timeline }) {
  const { state, gestures } = props.timeline;
  const drag = gestures.drag.value;
  if (drag === null) {
    return null;
  }
  const rows = drag.kind === 'box' ? { top_px: drag.top_px, height_px: drag.bottom_px - drag.top_px } : {};
  return <SpanBox state={state} span={drag.span} kind={drag.kind} rows={rows} label={duration(lengthOf(drag.span))} />;
}

/** The selected span, over the rows that it is of. */
export function SelectedSpan(props: { readonly timeline: Timeline }) {
  const { state } = props.timeline;
  const span = state.selectedSpan.value;
  // Rows move with these.
  const moving = [state.scroll_px.value, state.arranged.value, state.drawn.value, state.size.value];
  const rows =
    span === null || moving.length === 0
      ? []
      : (state.picture.value?.rows() ?? []).filter(({ track }) => span.tracks.includes(track));
  const [first, last] = [rows[0], rows.at(-1)];
  if (span === null || first === undefined || last === undefined) {
    return null;
  }
  const height_px = last.top_px + last.height_px - first.top_px;
  return <SpanBox state={state} span={span} kind="box" rows={{ top_px: first.top_px, height_px }} />;
}

function SpanBox(props: {
  readonly state: TimelineState;
  readonly span: Span;
  readonly kind: string;
  readonly rows: Partial<Box>;
  readonly label?: string;
}) {
  const { state } = props;
  const place = placeOf(state, props.span);
  const label = useRef<HTMLSpanElement>(null);
  useLabelInSight(label, place, state.size.value.width_px);
  return (
    <div class={`drag ${props.kind}`} style={boxStyle({ ...place, ...props.rows })} aria-hidden="true">
      {props.label === undefined ? null : <span ref={label}>{props.label}</span>}
    </div>
  );
}

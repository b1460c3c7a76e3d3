// What is being dragged: a box of a selection, a span to zoom to, an interval to mark.

import { useRef } from 'preact/hooks';
import { duration } from '../../../shared/text/format';
import type { Timeline } from '../state/controller';
import { useLabelInSight } from '../drawing/labelInSight';
import { placeOf, px } from '../drawing/place';
import type { Drag } from '../tools/gestures';

export function DragBox(props: { readonly timeline: Timeline }) {
  const drag = props.timeline.gestures.drag.value;
  return drag === null ? null : <Dragged timeline={props.timeline} drag={drag} />;
}

function Dragged(props: { readonly timeline: Timeline; readonly drag: Drag }) {
  const { drag } = props;
  const { state } = props.timeline;
  const place = placeOf(state, drag.span);
  const label = useRef<HTMLSpanElement>(null);
  useLabelInSight(label, place, state.size.value.width_px);
  const height = drag.kind === 'box' ? { top: px(drag.top_px), height: px(drag.bottom_px - drag.top_px) } : {};
  return (
    <div
      class={`drag ${drag.kind}`}
      style={{ left: px(place.left_px), width: px(place.width_px), ...height }}
      aria-hidden="true"
    >
      <span ref={label}>{duration(drag.span.end_ps - drag.span.start_ps)}</span>
    </div>
  );
}

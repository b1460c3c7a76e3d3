// The whole run at a glance: how busy its devices were, where hits are, and which part is in sight. Dragging moves that
// part, drags its edges, or chooses another.

import * as l10n from '@vscode/l10n';
import { useMemo, useRef } from 'preact/hooks';
import type { TimelineRecord } from '../../../../src/protocol';
import { DrawnCanvas } from '../../../shared/charts/canvas';
import { duration } from '../../../shared/text/format';
import { useSize } from '../../../shared/frame/size';
import { themeColour } from '../../../shared/theme';
import { fillBusy } from '../drawing/busy';
import { px } from '../drawing/place';
import type { TimelineState } from '../state/state';
import {
  inside,
  LEAST_SPAN_PS,
  lengthOf,
  middleOf,
  panned,
  timeAt,
  whole,
  xOf,
  zoomed,
  type Span,
} from '../state/viewport';

const HEIGHT_PX = 40;
const HITS_PX = 6;
/** More devices than this are drawn as their mean: their strips would be too low to see. */
const MOST_STRIPS = 4;
/** A press that moves less chooses no part. */
const LEAST_DRAG_PX = 4;
const EDGE_PX = 5;

type Grip = 'start' | 'end' | 'part' | 'new';

interface Drag {
  readonly grip: Grip;
  readonly from_ps: number;
  readonly view: Span;
}

export function Minimap(props: { readonly state: TimelineState }) {
  const { state } = props;
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place);
  const drag = useRef<Drag | null>(null);
  const record = state.record.value;
  const marks = state.found.value?.marks ?? null;
  const width_px = size?.width_px ?? 0;
  const draw = useMemo(
    () => (context: CanvasRenderingContext2D) => {
      if (record !== null && width_px > 0) {
        drawOverview(context, record, marks, width_px);
      }
    },
    [record, marks, width_px],
  );
  if (record === null) {
    return null;
  }
  const { duration_ps } = record;
  const all = whole(duration_ps);
  const timeOf = (event: PointerEvent): number => {
    const left_px = place.current?.getBoundingClientRect().left ?? 0;
    return state.inProfile(timeAt(all, Math.max(1, width_px), event.clientX - left_px));
  };
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) {
      return;
    }
    const view = state.view.peek();
    place.current?.setPointerCapture(event.pointerId);
    drag.current = { grip: gripAt(view, all, width_px, timeOf(event)), from_ps: timeOf(event), view };
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (drag.current !== null) {
      state.view.value = dragged(drag.current, timeOf(event), all, width_px, duration_ps);
    }
  };
  const onPointerUp = (event: PointerEvent): void => {
    const { current } = drag;
    drag.current = null;
    const moved_px = current === null ? 0 : ((timeOf(event) - current.from_ps) / lengthOf(all)) * width_px;
    if (current?.grip === 'new' && Math.abs(moved_px) < LEAST_DRAG_PX) {
      // A press beside the part that is in sight brings it there.
      const { view } = current;
      state.view.value = panned(view, current.from_ps - middleOf(view), duration_ps);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = viewByKey(event, state.view.peek(), duration_ps);
    if (to !== null) {
      state.view.value = to;
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    <div class="minimap">
      <div class="beside-picture">{duration(duration_ps)}</div>
      <div
        class="overview"
        ref={place}
        style={{ height: px(HEIGHT_PX) }}
        role="slider"
        tabIndex={0}
        aria-label={l10n.t('Part of the run that is in sight: arrow keys move it, plus and minus zoom')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round((100 * state.view.value.start_ps) / Math.max(1, duration_ps))}
        aria-valuetext={spanText(state.view.value)}
        title={l10n.t('Drag to move what is in sight, or to choose another part; double click for all')}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => (drag.current = null)}
        onDblClick={() => (state.view.value = all)}
        onKeyDown={onKeyDown}
      >
        {width_px > 0 ? <DrawnCanvas size={{ width_px, height_px: HEIGHT_PX }} draw={draw} /> : null}
        <Shown state={state} all={all} width_px={width_px} />
      </div>
    </div>
  );
}

/** The part that is in sight, and veils over what is not. */
function Shown(props: { readonly state: TimelineState; readonly all: Span; readonly width_px: number }) {
  const view = props.state.view.value;
  const left_px = Math.max(0, xOf(props.all, props.width_px, view.start_ps));
  const right_px = Math.min(props.width_px, xOf(props.all, props.width_px, view.end_ps));
  if (lengthOf(view) <= 0) {
    return null;
  }
  const start_px = Math.min(left_px, props.width_px - 2);
  return (
    <>
      <span class="away" style={{ left: '0', width: px(left_px) }} />
      <span class="away" style={{ left: px(right_px), right: '0' }} />
      <span class="shown" style={{ left: px(start_px), width: px(Math.max(2, right_px - start_px)) }}>
        <span class="handle start" />
        <span class="handle end" />
      </span>
    </>
  );
}

function spanText(view: Span): string {
  return l10n.t('{0} from {1}', duration(lengthOf(view)), duration(view.start_ps));
}

/** What a press at a time takes hold of. */
export function gripAt(view: Span, all: Span, width_px: number, at_ps: number): Grip {
  const distance_px = (time_ps: number): number => Math.abs(((at_ps - time_ps) / lengthOf(all)) * width_px);
  const isAll = view.start_ps <= all.start_ps && view.end_ps >= all.end_ps;
  const isWide = (lengthOf(view) / lengthOf(all)) * width_px > 3 * EDGE_PX;
  if (distance_px(view.start_ps) <= EDGE_PX && (isWide || at_ps < view.start_ps)) {
    return 'start';
  }
  if (distance_px(view.end_ps) <= EDGE_PX && (isWide || at_ps > view.end_ps)) {
    return 'end';
  }
  return !isAll && at_ps >= view.start_ps && at_ps <= view.end_ps ? 'part' : 'new';
}

function dragged(drag: Drag, at_ps: number, all: Span, width_px: number, duration_ps: number): Span {
  const { view, grip, from_ps } = drag;
  switch (grip) {
    case 'part':
      return panned(view, at_ps - from_ps, duration_ps);
    case 'start':
      return between(Math.min(at_ps, view.end_ps - LEAST_SPAN_PS), view.end_ps, duration_ps);
    case 'end':
      return between(view.start_ps, Math.max(at_ps, view.start_ps + LEAST_SPAN_PS), duration_ps);
    case 'new': {
      const moved_px = (Math.abs(at_ps - from_ps) / lengthOf(all)) * width_px;
      return moved_px < LEAST_DRAG_PX ? view : between(Math.min(at_ps, from_ps), Math.max(at_ps, from_ps), duration_ps);
    }
  }
}

function between(start_ps: number, end_ps: number, duration_ps: number): Span {
  return inside({ start_ps, end_ps }, duration_ps);
}

function viewByKey(event: KeyboardEvent, view: Span, duration_ps: number): Span | null {
  if (event.altKey || event.ctrlKey || event.metaKey) {
    return null;
  }
  switch (event.key) {
    case 'ArrowLeft':
      return panned(view, -lengthOf(view) / 4, duration_ps);
    case 'ArrowRight':
      return panned(view, lengthOf(view) / 4, duration_ps);
    case 'PageUp':
      return panned(view, -lengthOf(view), duration_ps);
    case 'PageDown':
      return panned(view, lengthOf(view), duration_ps);
    case 'Home':
      return panned(view, -duration_ps, duration_ps);
    case 'End':
      return panned(view, duration_ps, duration_ps);
    case '+':
    case 'ArrowUp':
      return zoomed(view, 1 / 2, middleOf(view), duration_ps);
    case '-':
    case 'ArrowDown':
      return zoomed(view, 2, middleOf(view), duration_ps);
    default:
      return null;
  }
}

/** How busy each device was as a curve of its own, or of all where they are many; below them where hits are. */
function drawOverview(
  context: CanvasRenderingContext2D,
  record: TimelineRecord,
  marks: readonly number[] | null,
  width_px: number,
): void {
  const devices = busyOf(record);
  const height_px = HEIGHT_PX - HITS_PX;
  const strip_px = height_px / Math.max(1, devices.length);
  context.fillStyle = themeColour('--mark');
  const all = whole(record.duration_ps);
  devices.forEach((busy, at) => {
    fillBusy(context, busy, lengthOf(all), all, { width_px, floor_px: (at + 1) * strip_px, most_px: strip_px - 2 });
  });
  context.fillStyle = themeColour('--line');
  context.fillRect(0, height_px, width_px, 1);
  if (marks !== null) {
    drawHits(context, marks, width_px);
  }
}

function drawHits(context: CanvasRenderingContext2D, marks: readonly number[], width_px: number): void {
  context.fillStyle = themeColour('--text');
  marks.forEach((hits, at) => {
    if (hits > 0) {
      const left_px = Math.floor((at / marks.length) * width_px);
      const right_px = Math.ceil(((at + 1) / marks.length) * width_px);
      context.fillRect(left_px, HEIGHT_PX - HITS_PX + 2, Math.max(1, right_px - left_px), HITS_PX - 3);
    }
  });
}

function busyOf(record: TimelineRecord): readonly (readonly number[])[] {
  const devices = record.sections.flatMap(({ id }) => {
    const busy = record.busy[id];
    return busy === undefined || busy.length === 0 ? [] : [busy];
  });
  const [first] = devices;
  if (first === undefined || devices.length <= MOST_STRIPS) {
    return devices;
  }
  return [first.map((_, part) => devices.reduce((sum, busy) => sum + (busy[part] ?? 0), 0) / devices.length)];
}

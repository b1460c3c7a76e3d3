// The whole of an axis at a glance, below a chart that may show a part of it: dragging moves that part, drags its edges,
// or chooses another.

import * as l10n from '@vscode/l10n';
import { useCallback, useRef } from 'preact/hooks';
import { useSize } from '../frame/size';
import { DrawnCanvas } from './canvas';
import { inside, isWhole, lengthOf, movedSpan, type Span, zoomedSpan } from './span';

const HEIGHT_PX = 24;
/** A press that moves less chooses no part. */
const LEAST_DRAG_PX = 4;
const EDGE_PX = 5;

type Grip = 'start' | 'end' | 'part' | 'new';

interface Drag {
  readonly grip: Grip;
  readonly at: number;
  readonly span: Span;
}

export interface ZoomBarProps {
  readonly label: string;
  readonly whole: Span;
  /** The part that is shown; null is all of it. */
  readonly shown: Span | null;
  /** The shortest part that can be shown. */
  readonly least: number;
  readonly onShow: (span: Span | null) => void;
  /** A part in words. */
  readonly text: (span: Span) => string;
  /** Draws the whole, in pixels of the page; the same function as long as it is the same. */
  readonly draw: (context: CanvasRenderingContext2D, width_px: number, height_px: number) => void;
}

export function ZoomBar(props: ZoomBarProps) {
  const { whole, least } = props;
  const place = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  const size = useSize(place);
  const width_px = size?.width_px ?? 0;
  const shown = props.shown ?? whole;
  const { draw } = props;
  const drawHere = useCallback((on: CanvasRenderingContext2D) => draw(on, width_px, HEIGHT_PX), [draw, width_px]);
  const show = (span: Span): void => props.onShow(isWhole(span, whole) ? null : span);
  const valueOf = (event: PointerEvent): number => {
    const left_px = place.current?.getBoundingClientRect().left ?? 0;
    const part = (event.clientX - left_px) / Math.max(1, width_px);
    return whole.from + Math.max(0, Math.min(1, part)) * lengthOf(whole);
  };
  const pxOf = (value: number): number => ((value - whole.from) / lengthOf(whole)) * width_px;
  const gripAt = (value: number): Grip => {
    if (props.shown === null) {
      return 'new';
    }
    const distance_px = (edge: number): number => Math.abs(pxOf(value) - pxOf(edge));
    if (distance_px(shown.from) <= EDGE_PX) {
      return 'start';
    }
    if (distance_px(shown.to) <= EDGE_PX) {
      return 'end';
    }
    return value > shown.from && value < shown.to ? 'part' : 'new';
  };
  const onPointerMove = (event: PointerEvent): void => {
    const { current } = drag;
    if (current === null) {
      return;
    }
    const value = valueOf(event);
    const { at, span } = current;
    switch (current.grip) {
      case 'part':
        show(movedSpan(span, value - at, whole));
        break;
      case 'start':
        show({ from: Math.min(value, span.to - least), to: span.to });
        break;
      case 'end':
        show({ from: span.from, to: Math.max(value, span.from + least) });
        break;
      case 'new':
        if (Math.abs(pxOf(value) - pxOf(at)) >= LEAST_DRAG_PX) {
          show(inside({ from: Math.min(value, at), to: Math.max(value, at) }, whole, least));
        }
        break;
    }
  };
  const onPointerUp = (event: PointerEvent): void => {
    const { current } = drag;
    drag.current = null;
    const isPress = current !== null && Math.abs(pxOf(valueOf(event)) - pxOf(current.at)) < LEAST_DRAG_PX;
    if (isPress && current.grip === 'new' && props.shown !== null) {
      // A press beside the part that is shown brings it there.
      show(movedSpan(shown, current.at - (shown.from + shown.to) / 2, whole));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = event.altKey || event.ctrlKey || event.metaKey ? null : spanByKey(event.key, shown, whole, least);
    if (to !== null) {
      show(to);
      event.preventDefault();
    }
  };
  const px = (value: number): string => `${String(value)}px`;
  const [left_px, right_px] = [pxOf(shown.from), pxOf(shown.to)];
  return (
    <div
      class="zoom-bar"
      ref={place}
      role="slider"
      tabIndex={0}
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round((100 * (shown.from - whole.from)) / lengthOf(whole))}
      aria-valuetext={props.text(shown)}
      title={l10n.t('Drag to move what is shown, or to choose another part; double click for all')}
      style={{ height: px(HEIGHT_PX) }}
      onPointerDown={(event) => {
        if (event.button === 0) {
          place.current?.setPointerCapture(event.pointerId);
          drag.current = { grip: gripAt(valueOf(event)), at: valueOf(event), span: shown };
        }
      }}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => (drag.current = null)}
      onDblClick={() => props.onShow(null)}
      onKeyDown={onKeyDown}
    >
      {width_px > 0 ? <DrawnCanvas size={{ width_px, height_px: HEIGHT_PX }} draw={drawHere} /> : null}
      {props.shown === null ? null : (
        <>
          <span class="away" style={{ left: '0', width: px(left_px) }} />
          <span class="away" style={{ left: px(right_px), right: '0' }} />
        </>
      )}
      <span class="shown" style={{ left: px(left_px), width: px(Math.max(2, right_px - left_px)) }} />
    </div>
  );
}

function spanByKey(key: string, shown: Span, whole: Span, least: number): Span | null {
  const middle = (shown.from + shown.to) / 2;
  switch (key) {
    case 'ArrowLeft':
      return movedSpan(shown, -lengthOf(shown) / 4, whole);
    case 'ArrowRight':
      return movedSpan(shown, lengthOf(shown) / 4, whole);
    case 'PageUp':
      return movedSpan(shown, -lengthOf(shown), whole);
    case 'PageDown':
      return movedSpan(shown, lengthOf(shown), whole);
    case 'Home':
      return movedSpan(shown, -lengthOf(whole), whole);
    case 'End':
      return movedSpan(shown, lengthOf(whole), whole);
    case '+':
    case '=':
    case 'ArrowUp':
      return zoomedSpan(shown, middle, 0.5, whole, least);
    case '-':
    case 'ArrowDown':
      return zoomedSpan(shown, middle, 2, whole, least);
    case 'Escape':
      return whole;
    default:
      return null;
  }
}

// The whole of an axis at a glance, beside a picture that may show a part of it: dragging moves that part, drags its
// edges, or chooses another.

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useCallback, useRef } from 'preact/hooks';
import { useDrag } from '../controls/drag';
import { useSize } from '../frame/size';
import { boxStyle } from './box';
import { DrawnCanvas } from './canvas';
import { inside, isWhole, lengthOf, movedSpan, type Span, zoomedSpan } from './span';

/** A press that moves less chooses no part. */
const LEAST_DRAG_PX = 4;
const EDGE_PX = 5;

type Grip = 'start' | 'end' | 'part' | 'new';

interface Taken {
  readonly grip: Grip;
  readonly at: number;
  readonly span: Span;
}

export function ZoomBar(props: {
  readonly label: string;
  readonly height_px: number;
  readonly whole: Span;
  /** The part that is shown; null is all of it. */
  readonly shown: Span | null;
  /** The shortest part that can be shown. */
  readonly least: number;
  readonly onShow: (span: Span | null) => void;
  /** Whether Escape shows all; absent: it is left to the page. */
  readonly resetsByEscape?: boolean;
  /** A part in words. */
  readonly text: (span: Span) => string;
  /** Draws the whole, in pixels of the page; the same function as long as it is the same. */
  readonly draw: (context: CanvasRenderingContext2D, width_px: number, height_px: number) => void;
  /** What stands in the part that is shown. */
  readonly children?: ComponentChildren;
}) {
  const { whole, least, draw, height_px } = props;
  const place = useRef<HTMLDivElement>(null);
  const width_px = useSize(place)?.width_px ?? 0;
  const shown = props.shown ?? whole;
  const drawHere = useCallback(
    (on: CanvasRenderingContext2D) => draw(on, width_px, height_px),
    [draw, width_px, height_px],
  );
  const show = (span: Span): void => props.onShow(isWhole(span, whole) ? null : span);
  const valueOf = (event: PointerEvent): number => {
    const left_px = place.current?.getBoundingClientRect().left ?? 0;
    const part = (event.clientX - left_px) / Math.max(1, width_px);
    return whole.from + Math.max(0, Math.min(1, part)) * lengthOf(whole);
  };
  const pxOf = (value: number): number => ((value - whole.from) / lengthOf(whole)) * width_px;
  const isPress = (at: number, value: number): boolean => Math.abs(pxOf(value) - pxOf(at)) < LEAST_DRAG_PX;
  const drag = useDrag<Taken>({
    take: (event) => {
      const at = valueOf(event);
      return event.button === 0 ? { grip: gripAt(shown, whole, width_px, at), at, span: shown } : null;
    },
    move: ({ grip, at, span }, event) => {
      const value = valueOf(event);
      switch (grip) {
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
          if (!isPress(at, value)) {
            show(inside({ from: Math.min(value, at), to: Math.max(value, at) }, whole, least));
          }
          break;
      }
    },
    drop: ({ grip, at, span }, event) => {
      if (grip === 'new' && event !== undefined && isPress(at, valueOf(event))) {
        // A press beside the part that is shown brings it there.
        show(movedSpan(span, at - (span.from + span.to) / 2, whole));
      }
    },
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const isOwn = !event.altKey && !event.ctrlKey && !event.metaKey;
    const isReset = event.key === 'Escape' && props.resetsByEscape === true;
    const to = isReset ? whole : spanByKey(event.key, shown, whole, least);
    if (isOwn && to !== null) {
      show(to);
      event.preventDefault();
    }
  };
  const [left_px, right_px] = [Math.max(0, pxOf(shown.from)), Math.min(width_px, pxOf(shown.to))];
  const start_px = Math.min(left_px, width_px - 2);
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
      title={l10n.t('Drag to move what is in sight, or to choose another part; double click for all')}
      style={boxStyle({ height_px })}
      {...drag}
      onDblClick={() => props.onShow(null)}
      onKeyDown={onKeyDown}
    >
      {width_px > 0 ? <DrawnCanvas size={{ width_px, height_px }} draw={drawHere} /> : null}
      <span class="away" style={boxStyle({ left_px: 0, width_px: left_px })} />
      <span class="away" style={{ ...boxStyle({ left_px: right_px }), right: '0' }} />
      <span class="shown" style={boxStyle({ left_px: start_px, width_px: Math.max(2, right_px - start_px) })}>
        {props.children}
      </span>
    </div>
  );
}

/** What a press at a place of the axis takes hold of. */
export function gripAt(shown: Span, whole: Span, width_px: number, at: number): Grip {
  const px = (length: number): number => (length / lengthOf(whole)) * width_px;
  const isAtEdge = (edge: number): boolean => px(Math.abs(at - edge)) <= EDGE_PX;
  const isWide = px(lengthOf(shown)) > 3 * EDGE_PX;
  if (isAtEdge(shown.from) && (isWide || at < shown.from)) {
    return 'start';
  }
  if (isAtEdge(shown.to) && (isWide || at > shown.to)) {
    return 'end';
  }
  return !isWhole(shown, whole) && at >= shown.from && at <= shown.to ? 'part' : 'new';
}

/** The part that a key goes to; null where it is no key of the bar's. */
function spanByKey(key: string, shown: Span, whole: Span, least: number): Span | null {
  const by = (length: number): Span => movedSpan(shown, length, whole);
  const zoomed = (factor: number): Span => zoomedSpan(shown, (shown.from + shown.to) / 2, factor, whole, least);
  const keys: Readonly<Record<string, Span>> = {
    ArrowLeft: by(-lengthOf(shown) / 4),
    ArrowRight: by(lengthOf(shown) / 4),
    PageUp: by(-lengthOf(shown)),
    PageDown: by(lengthOf(shown)),
    Home: by(-lengthOf(whole)),
    End: by(lengthOf(whole)),
    '+': zoomed(0.5),
    '=': zoomed(0.5),
    ArrowUp: zoomed(0.5),
    '-': zoomed(2),
    ArrowDown: zoomed(2),
  };
  return keys[key] ?? null;
}

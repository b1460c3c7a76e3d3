// Several quantities over one axis, such as memory over time: read by hovering or by arrow keys, zoomed by dragging or by
// + and −, picked by a click or Enter. Drawn by uPlot; what it shows must be in a table as well.

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useSize } from '../frame/size';
import { themeGeneration } from '../theme';
import { boxStyle } from './box';
import { type Paint, type Place, type Series, type SeriesAxes, seriesOptions } from './seriesOptions';
import { inside, isWhole, lengthOf, positionAt, type Span, spanHolding, zoomedSpan } from './span';

/** A press that moves less is a click. */
const CLICK_PX = 4;
/** Page Up and Page Down move by this part of what is shown. */
const PAGE_RATIO = 0.1;

export interface SeriesChartProps {
  /** What the chart shows, for assistive technology. */
  readonly label: string;
  readonly axes: SeriesAxes;
  readonly series: readonly Series[];
  /** Values hold until the next one. */
  readonly isStepped?: boolean;
  /** The part of the axis that is shown; null is all of it. */
  readonly shown: Span | null;
  readonly onShow: (span: Span | null) => void;
  /** The position of the point that is read. */
  readonly point: number | null;
  /** Told which point is pointed at, and how high, as a value of the first axis. */
  readonly onRead: (point: number | null, height: number | null) => void;
  /** A click on a point, or Enter where one is read. */
  readonly onPick: (point: number) => void;
  /** A double click; what it returns false for resets the zoom. */
  readonly onDoublePress?: () => boolean;
  /** The point that P reads and picks; -1 is none. */
  readonly peak?: number;
  /** Escape where nothing is zoomed. */
  readonly onLeave?: () => void;
  /** Keys of the panel's own, before those of the chart; true where it was one. */
  readonly onKey?: (key: string) => boolean;
  /** What is drawn below the series, and over them. */
  readonly paint?: Paint;
  readonly paintOver?: Paint;
  /** What lies over the chart, such as a mark at the peak. */
  readonly over?: (place: Place) => ComponentChildren;
}

export function SeriesChart(props: SeriesChartProps) {
  const { axes, series, isStepped = false, shown, point, peak = -1 } = props;
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const pressed_px = useRef<number | null>(null);
  /** The point below the mouse. */
  const pointed = useRef<number | null>(null);
  const size = useSize(element);
  const [place, setPlace] = useState<Place | null>(null);
  const generation = themeGeneration().value;
  const { values } = axes.x;
  const whole = useMemo(() => wholeOf(values, series.some(({ kind }) => kind === 'bars') ? 0.5 : 0), [values, series]);
  const span = shown ?? whole;
  // What events and drawing read is always the newest.
  const latest = useRef({ props, span, place });
  latest.current = { props, span, place };
  const [width, height] = [size?.width_px ?? 0, size?.height_px ?? 0];
  /** Below this there is nothing more to be told apart. */
  const least = lengthOf(whole) / Math.max(1, values.length - 1);

  useEffect(() => {
    if (element.current === null || width === 0 || height === 0) {
      return undefined;
    }
    const options = seriesOptions({
      axes,
      series,
      isStepped,
      size: { width, height },
      shown: () => latest.current.span,
      paint: (context, at) => latest.current.props.paint?.(context, at),
      paintOver: (context, at) => latest.current.props.paintOver?.(context, at),
      onPlace: setPlace,
      onPoint: (x, height) => {
        pointed.current = x === null ? null : pointAt(values, x, isStepped);
        latest.current.props.onRead(pointed.current, height);
      },
      onBrush: (brushed) => show(brushed),
      onReset: () => {
        if (latest.current.props.onDoublePress?.() !== true) {
          latest.current.props.onShow(null);
        }
      },
    });
    const data = [values, ...series.map((each) => each.values)] as unknown as uPlot.AlignedData;
    const drawn = new uPlot(options, data, element.current);
    plot.current = drawn;
    return () => {
      drawn.destroy();
      plot.current = null;
    };
  }, [width, height, generation, axes, series, isStepped]);

  useEffect(() => {
    plot.current?.setScale('x', { min: span.from, max: span.to });
  }, [span.from, span.to]);

  useEffect(() => plot.current?.redraw(false), [props.paint, props.paintOver]);

  const show = (to: Span): void => {
    const next = inside(to, whole, least * 2);
    props.onShow(isWhole(next, whole) ? null : next);
  };
  const read = (to: number): void => {
    const at = Math.max(0, Math.min(values.length - 1, to));
    const x = values[at];
    if (x === undefined) {
      return;
    }
    const next = spanHolding(span, x, whole);
    if (next !== span) {
      show(next);
    }
    props.onRead(at, null);
  };
  const zoom = (factor: number): void => {
    const about = point === null ? (span.from + span.to) / 2 : (values[point] ?? span.from);
    show(zoomedSpan(span, Math.min(Math.max(about, span.from), span.to), factor, whole, least * 2));
  };
  const first = positionAt(values, span.from);
  const last = positionAt(values, span.to);
  const page = Math.max(1, Math.round((last - first) * PAGE_RATIO));

  const readPeak = (): void => {
    if (peak !== -1) {
      props.onRead(peak, null);
      props.onPick(peak);
    }
  };
  const keys: Readonly<Record<string, () => void>> = {
    p: readPeak,
    P: readPeak,
    ArrowRight: () => read(point === null ? first : point + 1),
    ArrowLeft: () => read(point === null ? last : point - 1),
    PageDown: () => read((point ?? first) + page),
    PageUp: () => read((point ?? last) - page),
    Home: () => read(0),
    End: () => read(values.length - 1),
    '+': () => zoom(0.5),
    '=': () => zoom(0.5),
    '-': () => zoom(2),
    Enter: () => (point === null ? undefined : props.onPick(point)),
    Escape: () => (shown === null ? props.onLeave?.() : props.onShow(null)),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (props.onKey?.(event.key) === true) {
      event.preventDefault();
      return;
    }
    const act = keys[event.key];
    if (act !== undefined) {
      act();
      event.preventDefault();
    }
  };

  const at = point === null ? undefined : values[point];
  return (
    <div
      class="series-chart"
      role="application"
      aria-roledescription={l10n.t('chart')}
      aria-label={props.label}
      tabIndex={0}
      ref={element}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => (pressed_px.current = event.button === 0 ? event.clientX : null)}
      onClick={(event) => {
        const moved_px = pressed_px.current === null ? Infinity : Math.abs(event.clientX - pressed_px.current);
        if (moved_px < CLICK_PX && pointed.current !== null) {
          props.onPick(pointed.current);
        }
      }}
    >
      {place === null ? null : (
        <div class="over" aria-hidden="true" style={boxStyle(place)}>
          {at === undefined || at < place.shown.from || at > place.shown.to ? null : (
            <span class="read-mark" style={boxStyle({ left_px: place.x_px(at) - place.left_px })} />
          )}
          {props.over?.(place)}
        </div>
      )}
    </div>
  );
}

/** The whole axis, with room at its ends where bars would be cut. */
function wholeOf(values: ArrayLike<number>, room: number): Span {
  const from = (values[0] ?? 0) - room;
  const to = (values[values.length - 1] ?? 0) + room;
  return to > from ? { from, to } : { from: from - 0.5, to: from + 0.5 };
}

/** The point that a place of the axis belongs to: of steps the one that holds there, otherwise the nearest. */
function pointAt(values: ArrayLike<number>, x: number, isStepped: boolean): number {
  const before = positionAt(values, x);
  const [left, right] = [values[before] ?? x, values[before + 1]];
  return isStepped || right === undefined || x - left <= right - x ? before : before + 1;
}

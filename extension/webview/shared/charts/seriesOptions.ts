// How a chart of several quantities over one axis is drawn by uPlot: lines and areas, a second axis for ratios.

import uPlot from 'uplot';
import { wholeShare } from '../text/format';
import { isHighContrast, themeColour } from '../theme';
import { hatched } from './hatch';
import type { Span } from './span';

/** A quantity over the axis. Values are as many as the axis has; null is unknown, and leaves a gap. */
export interface Series {
  readonly values: ArrayLike<number | null>;
  readonly hue: `--${string}`;
  /**
   * Areas reach down to zero: what is stacked is given summed up, the greatest first. Nothing is drawn of a series that
   * only stands for what `Paint` draws, and of points no line from one to the next.
   */
  readonly kind: 'line' | 'points' | 'bars' | 'area' | 'hatchedArea' | 'faintArea' | 'nothing';
  readonly dash?: readonly number[];
  /** Of a hue that is dim in high contrast: there its area has all of it, and its line is of the text's colour. */
  readonly isDim?: boolean;
  /** Of the second axis, which goes from 0 to 1. */
  readonly isRatio?: boolean;
}

export interface SeriesAxes {
  readonly x: {
    /** What is counted, where ticks do not say it by their unit; else empty. */
    readonly label: string;
    /** Ascending. */
    readonly values: ArrayLike<number>;
    /** A tick's, whose neighbours are `apart` from it: no two of them may read the same. */
    readonly text: (value: number, apart: number) => string;
    /** Whether there are values between whole ones. */
    readonly hasParts?: boolean;
  };
  readonly y: {
    /** What it is of, where nothing else says it. */
    readonly label?: string;
    readonly greatest: number;
    readonly text: (value: number) => string;
    /** Whether there is room below zero, so that a curve that stays there is seen whole. */
    readonly showsZero?: boolean;
    /** Whether ticks are round in decimal or, when absent, in binary units. */
    readonly steps?: 'decimal';
  };
}

/** Where the area within the axes is, in pixels of the page from the corner of the chart, and what stands where in it. */
export interface Place {
  readonly left_px: number;
  readonly top_px: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly shown: Span;
  /** From the corner of the chart. */
  readonly x_px: (value: number) => number;
  readonly y_px: (value: number) => number;
}

/** Draws within the axes, in pixels of the page. */
export type Paint = (context: CanvasRenderingContext2D, place: Place) => void;

/** The right side, as uPlot numbers them. */
const RIGHT = 1;
const Y_AXIS_PX = 68;
const RATIO_AXIS_PX = 52;
const X_AXIS_PX = 24;
const LABEL_PX = 14;
const POINT_PX = 6;
const ROOM_BELOW_RATIO = 0.04;
/** Where so many points or more share a pixel, steps cannot be told from slopes, which are faster to draw. */
const POINTS_PER_PX = 2;

/** Steps between ticks of the axis, whose values are whole: positions, or times in picoseconds. */
const WHOLE_STEPS = [1, 2, 5]
  .flatMap((first) => Array.from({ length: 18 }, (_, power) => first * 10 ** power))
  .sort((one, other) => one - other);

/** Steps between ticks of bytes: powers of two, so that ticks are round in binary units. */
const BYTE_STEPS = Array.from({ length: 50 }, (_, power) => 2 ** power);

export interface SeriesDrawing {
  readonly axes: SeriesAxes;
  readonly series: readonly Series[];
  /** Values hold until the next one. */
  readonly isStepped: boolean;
  readonly size: { readonly width: number; readonly height: number };
  readonly shown: () => Span;
  /** Before the series are drawn, and after them. */
  readonly paint: Paint;
  readonly paintOver: Paint;
  readonly onPlace: (place: Place) => void;
  /** A place of the axis that is pointed at, and how high. */
  readonly onPoint: (x: number | null, height: number | null) => void;
  /** A part of the axis that was dragged over. */
  readonly onBrush: (span: Span) => void;
  readonly onReset: () => void;
}

/** Options for a chart in the theme's present colours. */
export function seriesOptions(drawing: SeriesDrawing): uPlot.Options {
  const { axes, series, size } = drawing;
  const text = themeColour('--vscode-descriptionForeground');
  // Fainter than borders, which some themes draw in a strong colour.
  const grid = { stroke: `color-mix(in srgb, ${themeColour('--vscode-panel-border')} 50%, transparent)`, width: 1 };
  const font = `11px ${themeColour('--vscode-font-family')}`;
  const axis: uPlot.Axis = { stroke: text, font, grid, ticks: { ...grid, size: 4 } };
  const hasRatio = series.some(({ isRatio }) => isRatio);
  return {
    ...size,
    legend: { show: false },
    padding: [8, hasRatio ? 0 : 12, 0, 0],
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false },
      bind: {
        dblclick: () => () => {
          drawing.onReset();
          return null;
        },
      },
    },
    scales: {
      x: { time: false, range: () => pair(drawing.shown()) },
      // From zero, so that heights can be compared.
      y: {
        range: () => {
          const highest = axes.y.greatest > 0 ? axes.y.greatest * 1.05 : 1;
          return [axes.y.showsZero === true ? -highest * ROOM_BELOW_RATIO : 0, highest];
        },
      },
      ratio: { range: () => [0, 1.05] },
    },
    axes: [
      {
        ...axis,
        size: X_AXIS_PX,
        ...(axes.x.label === '' ? {} : { label: axes.x.label, labelSize: LABEL_PX, labelGap: 0, labelFont: font }),
        gap: 2,
        space: 80,
        ...(axes.x.hasParts === true ? {} : { incrs: WHOLE_STEPS }),
        values: (_, ticks, __, ___, apart) => ticks.map((tick) => axes.x.text(tick, apart)),
      },
      {
        ...axis,
        size: Y_AXIS_PX,
        ...(axes.y.label === undefined
          ? {}
          : { label: axes.y.label, labelSize: LABEL_PX, labelGap: 0, labelFont: font }),
        gap: 4,
        space: 28,
        ...(axes.y.steps === 'decimal' ? {} : { incrs: BYTE_STEPS }),
        values: (_, ticks) => ticks.map((tick) => (tick === 0 ? '0' : axes.y.text(tick))),
      },
      ...(hasRatio ? [ratioAxis(axis)] : []),
    ],
    series: [{}, ...series.map((each) => seriesLook(each, drawing.isStepped))],
    hooks: {
      drawAxes: [(plot) => painted(plot, drawing.paint)],
      draw: [
        (plot) => {
          painted(plot, drawing.paintOver);
          drawing.onPlace(placeOf(plot));
        },
      ],
      setCursor: [
        (plot) => {
          const { left = -1, top = -1 } = plot.cursor;
          drawing.onPoint(left < 0 ? null : plot.posToVal(left, 'x'), top < 0 ? null : plot.posToVal(top, 'y'));
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width > 0) {
            drawing.onBrush({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') });
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          }
        },
      ],
    },
  };
}

function ratioAxis(axis: uPlot.Axis): uPlot.Axis {
  const right: uPlot.Axis = {
    ...axis,
    scale: 'ratio',
    size: RATIO_AXIS_PX,
    gap: 4,
    incrs: [0.25, 0.5],
    grid: { show: false },
    values: (_, ticks) => ticks.map(wholeShare),
  };
  // The enum of sides is in uPlot's declarations only.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
  right.side = RIGHT;
  return right;
}

function pair({ from, to }: Span): uPlot.Range.MinMax {
  return [from, to > from ? to : from + 1];
}

function seriesLook(series: Series, isStepped: boolean): uPlot.Series {
  const hue = themeColour(series.hue);
  const isDim = series.isDim === true && isHighContrast();
  const ground = themeColour('--surface');
  const { linear, stepped, bars } = uPlot.paths;
  const slopes = linear?.();
  const steps = isStepped ? stepped?.({ align: 1 }) : undefined;
  const rows = series.kind === 'bars' ? bars?.({ size: [0.7, 24] }) : undefined;
  return {
    scale: series.isRatio === true ? 'ratio' : 'y',
    stroke: isDim ? themeColour('--text') : hue,
    width: series.kind === 'nothing' || series.kind === 'bars' || series.kind === 'points' ? 0 : isDim ? 2 : 1.5,
    points: series.kind === 'points' ? { show: true, size: POINT_PX, width: 0, fill: hue } : { show: false },
    ...(series.dash === undefined ? {} : { dash: [...series.dash] }),
    ...(series.kind === 'line' || series.kind === 'points' || series.kind === 'nothing'
      ? {}
      : { fill: (plot) => fillOf(plot, series, hue, ground) }),
    paths: (plot, at, first, last) => {
      if (series.kind === 'points') {
        return null;
      }
      const areMany = last - first > POINTS_PER_PX * plot.bbox.width;
      return (rows ?? (areMany ? slopes : (steps ?? slopes)))?.(plot, at, first, last) ?? null;
    },
  };
}

function fillOf(plot: uPlot, { kind, isDim }: Series, hue: string, ground: string): string | CanvasPattern {
  switch (kind) {
    case 'bars':
      return hue;
    case 'area':
      return isDim === true && isHighContrast() ? hue : `color-mix(in srgb, ${hue} 40%, ${ground})`;
    case 'faintArea':
      return `color-mix(in srgb, ${hue} 12%, ${ground})`;
    case 'hatchedArea':
      return hatched(plot.ctx, `color-mix(in srgb, ${hue} 60%, ${ground})`, 'diagonal', 'screen');
    case 'line':
    case 'points':
    case 'nothing':
      return 'transparent';
  }
}

function painted(plot: uPlot, paint: Paint): void {
  const { ctx: context, bbox: box } = plot;
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.width, box.height);
  context.clip();
  context.scale(devicePixelRatio, devicePixelRatio);
  paint(context, placeOf(plot));
  context.restore();
}

function placeOf(plot: uPlot): Place {
  const { left, top, width, height } = plot.bbox;
  const density = devicePixelRatio;
  const { min, max } = plot.scales['x'] ?? {};
  const place = {
    left_px: left / density,
    top_px: top / density,
    width_px: width / density,
    height_px: height / density,
  };
  const shown = { from: min ?? 0, to: max ?? 1 };
  const { min: lowest = 0, max: highest = 1 } = plot.scales['y'] ?? {};
  return {
    ...place,
    shown,
    x_px: (value) => place.left_px + ((value - shown.from) / (shown.to - shown.from)) * place.width_px,
    y_px: (value) => place.top_px + (1 - (value - lowest) / (highest - lowest)) * place.height_px,
  };
}

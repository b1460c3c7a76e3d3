// How a chart is drawn by uPlot: axes with units, levels such as a median as lines, the peak as a ring.

import uPlot from 'uplot';
import { themeColour } from '../theme';

export interface Axis {
  readonly label: string;
  readonly values: readonly number[];
  /** A value with its unit. */
  readonly text: (value: number) => string;
  /** A value in full, where that says more. */
  readonly exact?: (value: number) => string;
}

/** A height that is marked across the chart. */
export interface Level {
  readonly label: string;
  readonly value: number;
}

export interface Drawing {
  readonly kind: 'bars' | 'line';
  readonly x: Axis;
  readonly y: Axis;
  readonly levels: readonly Level[];
  readonly hue: `--${string}`;
}

const DASH_PX = 4;
const RING_PX = 4;

/** The position of the greatest value; -1 without one. */
export function peakOf(values: readonly number[]): number {
  return values.reduce((peak, value, index) => (value > (values[peak] ?? -Infinity) ? index : peak), -1);
}

/** Options for a chart of that size, in the theme's present colours. `onPoint` is told the point that is read. */
export function chartOptions(
  drawing: Drawing,
  size: { readonly width: number; readonly height: number },
  onPoint: (index: number | null) => void,
): uPlot.Options {
  const text = themeColour('--vscode-descriptionForeground');
  const grid = { stroke: themeColour('--vscode-panel-border'), width: 1 };
  const hue = themeColour(drawing.hue);
  const font = `11px ${themeColour('--vscode-font-family')}`;
  const axis = { stroke: text, font, grid, ticks: { ...grid, size: 4 } };
  const peak = peakOf(drawing.y.values);
  return {
    ...size,
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false } },
    scales: {
      x: { time: false, range: (_, least, greatest) => padded(least, greatest, drawing.kind) },
      // From zero, so that heights can be compared.
      y: { range: (_, __, greatest) => [0, greatest > 0 ? greatest * 1.1 : 1] },
    },
    axes: [
      { ...axis, size: 24, gap: 2, space: 24, incrs: wholeSteps, values: (_, ticks) => ticks.map(drawing.x.text) },
      {
        ...axis,
        size: 60,
        gap: 4,
        values: (_, ticks) => ticks.map((tick) => (tick === 0 ? '0' : drawing.y.text(tick))),
      },
    ],
    series: [
      {},
      {
        stroke: hue,
        width: drawing.kind === 'line' ? 1.5 : 0,
        points: { show: drawing.kind === 'line' && drawing.y.values.length < 100 },
        ...(drawing.kind === 'bars' && uPlot.paths.bars !== undefined
          ? { fill: hue, paths: uPlot.paths.bars({ size: [0.7, 24] }) }
          : {}),
      },
    ],
    hooks: {
      draw: [
        (plot) => {
          for (const level of drawing.levels) {
            drawLevel(plot, level.value, themeColour('--vscode-foreground'));
          }
          drawRing(plot, drawing.x.values[peak], drawing.y.values[peak], themeColour('--vscode-foreground'));
        },
      ],
      setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)],
    },
  };
}

const wholeSteps = [1, 2, 5]
  .flatMap((first) => Array.from({ length: 9 }, (_, power) => first * 10 ** power))
  .sort((one, other) => one - other);

/** Room at the ends, where bars would be cut. */
function padded(least: number, greatest: number, kind: Drawing['kind']): [number, number] {
  const room = kind === 'bars' ? 0.5 : least === greatest ? 1 : 0;
  return [least - room, greatest + room];
}

function drawLevel(plot: uPlot, value: number, colour: string): void {
  const { ctx: context, bbox: box } = plot;
  const y_px = Math.round(plot.valToPos(value, 'y', true)) + 0.5;
  if (y_px < box.top || y_px > box.top + box.height) {
    return;
  }
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.setLineDash([DASH_PX, DASH_PX]);
  context.beginPath();
  context.moveTo(box.left, y_px);
  context.lineTo(box.left + box.width, y_px);
  context.stroke();
  context.restore();
}

function drawRing(plot: uPlot, x: number | undefined, y: number | undefined, colour: string): void {
  const { ctx: context, bbox: box } = plot;
  if (x === undefined || y === undefined) {
    return;
  }
  const x_px = plot.valToPos(x, 'x', true);
  if (x_px < box.left || x_px > box.left + box.width) {
    return;
  }
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(x_px, plot.valToPos(y, 'y', true), RING_PX * devicePixelRatio, 0, 2 * Math.PI);
  context.stroke();
  context.restore();
}

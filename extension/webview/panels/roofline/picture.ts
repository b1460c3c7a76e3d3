// A roofline on a canvas: axes with ticks, roofs with their ridges, points.

import * as l10n from '@vscode/l10n';
import type { RooflineCeiling, RooflineRoof } from '../../../src/protocol';
import { positionOf, ticksOf } from '../../shared/charts/logScale';
import { fitted } from '../../shared/charts/text';
import { byteRate, flopRate, intensity } from '../../shared/text/format';
import { themeColour } from '../../shared/theme';
import {
  type Bound,
  boundOf,
  BOUNDS,
  ceilingLine,
  LEAST_RADIUS_PX,
  type Plot,
  type Point,
  radiusOf,
  roofLine,
  type Scales,
} from './points';

export interface Picture {
  readonly points: readonly Point[];
  readonly roofs: readonly RooflineRoof[];
  readonly ceilings: readonly RooflineCeiling[];
  readonly scales: Scales;
  readonly plot: Plot;
}

const X_LABEL_PX = 56;
const Y_LABEL_PX = 24;
const FONT_PX = 11;
/** A mark of the least size with its edge. */
const STAMP_PX = 4 * LEAST_RADIUS_PX;

/** Each bound's hue; the shape says the same. */
const boundHues: Readonly<Record<Bound, `--${string}`>> = {
  compute: '--vscode-charts-blue',
  main: '--vscode-charts-orange',
  other: '--vscode-charts-purple',
  unknown: '--vscode-descriptionForeground',
};

/** Roofs of several types are told apart by their dashes; the labels name them. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3]];
/** A ceiling is told from a roof by its dashes and its thinness; its label names it. */
const CEILING_DASHES = [1, 4];

export function drawRoofline(context: CanvasRenderingContext2D, picture: Picture): void {
  context.font = `${String(FONT_PX)}px ${themeColour('--vscode-font-family')}`;
  drawAxes(context, picture);
  const { plot } = picture;
  context.save();
  context.beginPath();
  context.rect(plot.left_px, plot.top_px, plot.right_px - plot.left_px, plot.bottom_px - plot.top_px);
  context.clip();
  drawPoints(context, picture);
  drawRoofs(context, picture);
  drawCeilings(context, picture);
  drawRoofLabels(context, picture);
  context.restore();
}

function drawAxes(context: CanvasRenderingContext2D, { scales, plot }: Picture): void {
  const quiet = themeColour('--quiet');
  context.strokeStyle = themeColour('--line');
  context.fillStyle = quiet;
  context.lineWidth = 1;
  const line = (x1: number, y1: number, x2: number, y2: number): void => {
    context.beginPath();
    context.moveTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
    context.lineTo(Math.round(x2) + 0.5, Math.round(y2) + 0.5);
    context.stroke();
  };
  const faintness = (labelled: boolean): number => (labelled ? 1 : 0.4);
  context.textBaseline = 'top';
  context.textAlign = 'center';
  for (const { value, labelled } of ticksOf(scales.x, X_LABEL_PX)) {
    const x_px = positionOf(scales.x, value);
    context.globalAlpha = faintness(labelled);
    line(x_px, plot.top_px, x_px, plot.bottom_px + (labelled ? 4 : 0));
    if (labelled) {
      context.fillText(intensity(value).replace(' FLOP/byte', ''), x_px, plot.bottom_px + 6);
    }
  }
  context.textBaseline = 'middle';
  context.textAlign = 'end';
  for (const { value, labelled } of ticksOf(scales.y, Y_LABEL_PX)) {
    const y_px = positionOf(scales.y, value);
    context.globalAlpha = faintness(labelled);
    line(plot.left_px - (labelled ? 4 : 0), y_px, plot.right_px, y_px);
    if (labelled) {
      context.fillText(flopRate(value), plot.left_px - 6, y_px);
    }
  }
  context.globalAlpha = 1;
  context.textBaseline = 'top';
  context.fillText(l10n.t('FLOP/byte'), plot.right_px, plot.bottom_px + 22);
  context.textAlign = 'start';
}

function drawRoofs(context: CanvasRenderingContext2D, { roofs, scales, plot }: Picture): void {
  const text = themeColour('--text');
  for (const [at, roof] of roofs.entries()) {
    const corners = roofLine(roof, scales.x).map(
      ([x, y]) => [positionOf(scales.x, x), positionOf(scales.y, y)] as const,
    );
    context.strokeStyle = text;
    context.lineWidth = 1.5;
    context.setLineDash([...(DASHES[at % DASHES.length] ?? [])]);
    context.beginPath();
    corners.forEach(([x_px, y_px], corner) => (corner === 0 ? context.moveTo(x_px, y_px) : context.lineTo(x_px, y_px)));
    context.stroke();
    // The ridge: where memory no longer limits.
    const ridge_px = positionOf(scales.x, roof.ridge_flops_per_byte);
    const top_px = positionOf(scales.y, roof.flops_per_s);
    context.lineWidth = 1;
    context.setLineDash([1, 3]);
    context.beginPath();
    context.moveTo(ridge_px, top_px);
    context.lineTo(ridge_px, plot.bottom_px);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = text;
    context.beginPath();
    context.arc(ridge_px, top_px, 2.5, 0, 2 * Math.PI);
    context.fill();
  }
}

function drawCeilings(context: CanvasRenderingContext2D, { ceilings, roofs, scales }: Picture): void {
  context.strokeStyle = themeColour('--text');
  context.lineWidth = 1;
  context.setLineDash(CEILING_DASHES);
  for (const ceiling of ceilings) {
    context.beginPath();
    for (const [x, y] of ceilingLine(ceiling, roofs, scales.x)) {
      context.lineTo(positionOf(scales.x, x), positionOf(scales.y, y));
    }
    context.stroke();
  }
  context.setLineDash([]);
}

/** Labels are on the ground of the page, so that a point below them does not make them unreadable. */
function drawRoofLabels(context: CanvasRenderingContext2D, { roofs, ceilings, scales, plot }: Picture): void {
  const text = themeColour('--text');
  const ground = themeColour('--surface');
  const written: { readonly x_px: number; readonly y_px: number; readonly width_px: number }[] = [];
  const write = (label: string, x_px: number, y_px: number): void => {
    const shown = fitted(context, label, plot.right_px - plot.left_px - 8);
    const width_px = context.measureText(shown).width;
    const left_px = Math.min(Math.max(x_px, plot.left_px + 4), plot.right_px - width_px - 4);
    const middle_px = Math.min(Math.max(y_px, plot.top_px + FONT_PX), plot.bottom_px - FONT_PX);
    const isCovered = written.some(
      (other) =>
        Math.abs(other.y_px - middle_px) < FONT_PX + 3 &&
        left_px < other.x_px + other.width_px &&
        other.x_px < left_px + width_px,
    );
    // What has no room is in the list below the chart as well.
    if (isCovered || y_px < plot.top_px - FONT_PX || y_px > plot.bottom_px + FONT_PX) {
      return;
    }
    written.push({ x_px: left_px, y_px: middle_px, width_px });
    context.globalAlpha = 0.85;
    context.fillStyle = ground;
    context.fillRect(left_px - 2, middle_px - FONT_PX / 2 - 2, width_px + 4, FONT_PX + 4);
    context.globalAlpha = 1;
    context.fillStyle = text;
    context.fillText(shown, left_px, middle_px);
  };
  context.textBaseline = 'middle';
  context.textAlign = 'start';
  for (const { element_type, flops_per_s, ridge_flops_per_byte: ridge } of roofs) {
    const label = `${element_type} ${flopRate(flops_per_s)}`;
    const y_px = positionOf(scales.y, flops_per_s);
    write(label, plot.right_px - context.measureText(label).width - 8, y_px - FONT_PX);
    write(l10n.t('ridge {0}', intensity(ridge)), positionOf(scales.x, ridge) + 6, plot.bottom_px - FONT_PX);
  }
  const slope = roofs[0];
  if (slope !== undefined) {
    const alongSlope = (label: string, bytes_per_s: number, aside_px: number): void => {
      // A third of the way up.
      const low = Math.max(scales.x.from, scales.y.from / bytes_per_s);
      const at = low * (slope.flops_per_s / bytes_per_s / low) ** 0.35;
      write(label, positionOf(scales.x, at) + aside_px, positionOf(scales.y, at * bytes_per_s) + FONT_PX);
    };
    alongSlope(byteRate(slope.bytes_per_s), slope.bytes_per_s, 10);
    for (const { bytes_per_s } of ceilings) {
      const label = l10n.t('caches {0}', byteRate(bytes_per_s));
      // To the left of the slope: what is to the right of it may be where the roof's label is.
      alongSlope(label, bytes_per_s, -10 - context.measureText(label).width);
    }
  }
}

/** All points: first the many of the least size, then, through which those are seen, the ones that took time. */
function drawPoints(context: CanvasRenderingContext2D, { points }: Picture): void {
  const isSmall = ({ row }: Point): boolean => radiusOf(row) <= LEAST_RADIUS_PX;
  // There may be tens of thousands of them: each bound's is drawn once, and copied.
  const density = devicePixelRatio;
  const whole = (value_px: number): number => Math.round(value_px * density) / density;
  const stamps = new Map(BOUNDS.map((bound) => [bound, stampOf(bound, density)]));
  for (const { row, x_px, y_px } of points.filter(isSmall)) {
    const [left_px, top_px] = [whole(x_px - STAMP_PX / 2), whole(y_px - STAMP_PX / 2)];
    context.drawImage(stamps.get(boundOf(row)) as HTMLCanvasElement, left_px, top_px, STAMP_PX, STAMP_PX);
  }
  for (const point of points) {
    if (!isSmall(point)) {
      drawPoint(context, boundOf(point.row), point.x_px, point.y_px, radiusOf(point.row));
    }
  }
}

/** A point of the least size, with as many pixels as the screen has there. */
function stampOf(bound: Bound, density: number): HTMLCanvasElement {
  const stamp = document.createElement('canvas');
  stamp.width = stamp.height = Math.round(STAMP_PX * density);
  const context = stamp.getContext('2d');
  if (context !== null) {
    context.scale(density, density);
    drawPoint(context, bound, STAMP_PX / 2, STAMP_PX / 2, LEAST_RADIUS_PX);
  }
  return stamp;
}

function drawPoint(
  context: CanvasRenderingContext2D,
  bound: Bound,
  x_px: number,
  y_px: number,
  radius_px: number,
): void {
  const hue = themeColour(boundHues[bound]);
  context.fillStyle = hue;
  context.strokeStyle = bound === 'unknown' ? hue : themeColour('--surface');
  context.lineWidth = 1;
  context.beginPath();
  addShape(context, bound, x_px, y_px, radius_px);
  if (bound !== 'unknown') {
    context.globalAlpha = 0.75;
    context.fill();
  }
  context.globalAlpha = 1;
  context.stroke();
}

/** The mark of a bound: circle, square, triangle; a ring where it is not known. */
function addShape(path: CanvasRenderingContext2D, bound: Bound, x_px: number, y_px: number, radius_px: number): void {
  switch (bound) {
    case 'compute':
    case 'unknown':
      path.moveTo(x_px + radius_px, y_px);
      path.arc(x_px, y_px, radius_px, 0, 2 * Math.PI);
      break;
    case 'main': {
      // As large as the circle.
      const side_px = radius_px * Math.sqrt(Math.PI);
      path.rect(x_px - side_px / 2, y_px - side_px / 2, side_px, side_px);
      break;
    }
    case 'other': {
      const side_px = radius_px * Math.sqrt((4 * Math.PI) / Math.sqrt(3));
      const up_px = side_px / Math.sqrt(3);
      path.moveTo(x_px, y_px - up_px);
      path.lineTo(x_px + side_px / 2, y_px + up_px / 2);
      path.lineTo(x_px - side_px / 2, y_px + up_px / 2);
      path.closePath();
      break;
    }
  }
}

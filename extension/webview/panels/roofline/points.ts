// The points of a roofline: which rows they are, how they look, where they stand.

import type { Selection } from '../../../src/panels/messages';
import type { RooflineCeiling, RooflineRecord, RooflineRoof, RooflineRow } from '../../../src/protocol';
import { namedOp, opName } from '../../shared/op/opName';
import { greatestRow } from '../../shared/table/greatest';
import { intervalOf, type LogScale, positionOf, within } from '../../shared/charts/logScale';
import type { Span } from '../../shared/charts/span';

export type Level = RooflineRow['kind'];

/** What bounds a point, as far as its look goes: each has its shape. */
export type Bound = 'compute' | 'main' | 'other' | 'unknown';

export const BOUNDS: readonly Bound[] = ['compute', 'main', 'other', 'unknown'];

/** The rows of a level in a memory space, the longest first. */
export function chosenRows({ rows }: RooflineRecord, level: Level, space: string): readonly RooflineRow[] {
  const chosen = rows.filter((row) => row.kind === level && row.space === space);
  return chosen.sort((one, other) => other.self_ps - one.self_ps);
}

/** Memory spaces that rows are in: main memory first, then in the record's order. */
export function spacesOf({ rows }: RooflineRecord): readonly string[] {
  const spaces = [...new Set(rows.map(({ space }) => space))];
  return spaces.sort((one, other) => Number(other === 'main') - Number(one === 'main'));
}

/** Categories of the rows, the one with the most time first. */
export function categoriesOf(rows: readonly RooflineRow[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { category, self_ps } of rows) {
    times.set(category, (times.get(category) ?? 0) + self_ps);
  }
  return [...times].sort(([, one], [, other]) => other - one).map(([category]) => category);
}

/** The roofs over a memory space, the highest first. Types that no row has are left out where some row has a roof. */
export function roofsOver(record: RooflineRecord, space: string): readonly RooflineRoof[] {
  const roofs = record.roofs.filter((roof) => roof.space === space);
  const types = new Set(record.rows.map(({ element_type }) => element_type));
  const used = roofs.filter((roof) => types.has(roof.element_type));
  return [...(used.length > 0 ? used : roofs)].sort((one, other) => other.flops_per_s - one.flops_per_s);
}

/** What lies above the slope of a memory space. */
export function ceilingsOver(record: RooflineRecord, space: string): readonly RooflineCeiling[] {
  return record.ceilings.filter((ceiling) => ceiling.space === space);
}

/** The rate that a ceiling allows at a point's intensity, no more than the roof of its type; null without both. */
export function ceilingOf(
  row: RooflineRow,
  ceilings: readonly RooflineCeiling[],
  roofs: readonly RooflineRoof[],
): number | null {
  const [ceiling] = ceilings;
  const roof = roofs.find(({ element_type }) => element_type === row.element_type);
  return ceiling === undefined || roof === undefined
    ? null
    : Math.min(roof.flops_per_s, ceiling.bytes_per_s * row.intensity_flops_per_byte);
}

export function boundOf({ bound_by }: RooflineRow): Bound {
  return bound_by === null ? 'unknown' : bound_by === 'compute' || bound_by === 'main' ? bound_by : 'other';
}

/** Share of the limit at a point's intensity that it reached; null without a limit. */
export function shareOfLimit({ flops_per_s, limit_flops_per_s }: RooflineRow): number | null {
  return limit_flops_per_s === null || limit_flops_per_s === 0 ? null : flops_per_s / limit_flops_per_s;
}

export const LEAST_RADIUS_PX = 3;
const GREATEST_RADIUS_PX = 28;

/** The area is the share of the time, from where it can be seen at all to where it would cover others. */
export function radiusOf({ share_ratio }: RooflineRow): number {
  const radius_px = GREATEST_RADIUS_PX * Math.sqrt(Math.min(1, Math.max(0, share_ratio)));
  return Math.max(LEAST_RADIUS_PX, radius_px);
}

export interface View {
  readonly x: Span;
  readonly y: Span;
}

const ROOM = 2;

/** The share of the time of all points that the axes are fitted to: what is left would only stretch them. */
const FITTED_RATIO = 0.999;

/** How far below the ridge an op only moves data: what it computes besides, as a counter, says nothing of the roof. */
const COMPUTES_FROM_RIDGE = 1e-5;

/**
 * The longest points that together took nearly all of the time, with the roofs' ridges and tops. Ops that compute next
 * to nothing for what they move do not count, however long they took.
 */
export function fittedView(rows: readonly RooflineRow[], roofs: readonly RooflineRoof[]): View {
  const ridge = roofs.reduce((least, roof) => Math.min(least, roof.ridge_flops_per_byte), Infinity);
  const from = ridge === Infinity ? 0 : ridge * COMPUTES_FROM_RIDGE;
  const computing = rows.filter((row) => row.intensity_flops_per_byte >= from);
  const longestFirst = [...(computing.length > 0 ? computing : rows)].sort((one, other) => other.self_ps - one.self_ps);
  const whole_ps = longestFirst.reduce((sum, { self_ps }) => sum + self_ps, 0);
  if (whole_ps === 0) {
    return wholeView(rows, roofs);
  }
  let covered_ps = 0;
  const end = longestFirst.findIndex(({ self_ps }) => (covered_ps += self_ps) >= whole_ps * FITTED_RATIO);
  return wholeView(longestFirst.slice(0, end + 1), roofs);
}

/** Those rows whose point is not within a view. */
export function rowsBeyond(rows: readonly RooflineRow[], { x, y }: View): readonly RooflineRow[] {
  const isIn = ({ from, to }: Span, value: number): boolean => value >= from && value <= to;
  return rows.filter((row) => !isIn(x, row.intensity_flops_per_byte) || !isIn(y, row.flops_per_s));
}

/** All points with the roofs' ridges and tops, and room around them: as far as one can zoom out. */
export function wholeView(rows: readonly RooflineRow[], roofs: readonly RooflineRoof[]): View {
  const x = [...rows.map((row) => row.intensity_flops_per_byte), ...roofs.map((roof) => roof.ridge_flops_per_byte)];
  const y = [...rows.map((row) => row.flops_per_s), ...roofs.map((roof) => roof.flops_per_s)];
  return { x: intervalOf(x, ROOM), y: intervalOf(y, ROOM) };
}

/** A view with room for one more point. */
export function viewWith({ x, y }: View, row: RooflineRow): View {
  const widened = ({ from, to }: Span, value: number): Span => ({
    from: Math.min(from, value / ROOM),
    to: Math.max(to, value * ROOM),
  });
  return { x: widened(x, row.intensity_flops_per_byte), y: widened(y, row.flops_per_s) };
}

/** A view cut to what there is to see. */
export function viewWithin(view: View, rows: readonly RooflineRow[], roofs: readonly RooflineRoof[]): View {
  const whole = wholeView(rows, roofs);
  return { x: within(view.x, whole.x), y: within(view.y, whole.y) };
}

export interface Scales {
  readonly x: LogScale;
  readonly y: LogScale;
}

export interface Plot {
  readonly left_px: number;
  readonly top_px: number;
  readonly right_px: number;
  readonly bottom_px: number;
}

/** The area within the axes. */
export function plotOf(width_px: number, height_px: number): Plot {
  const left_px = 88;
  const top_px = 8;
  return {
    left_px,
    top_px,
    right_px: Math.max(left_px + 1, width_px - 12),
    bottom_px: Math.max(top_px + 1, height_px - 40),
  };
}

export function scalesOf(view: View, plot: Plot): Scales {
  return {
    x: { ...view.x, start_px: plot.left_px, end_px: plot.right_px },
    y: { ...view.y, start_px: plot.bottom_px, end_px: plot.top_px },
  };
}

/** A place in the chart. */
export interface Place {
  readonly x_px: number;
  readonly y_px: number;
}

/** Where a point stands. */
export function placeOf(row: RooflineRow, { x, y }: Scales): readonly [x_px: number, y_px: number] {
  return [positionOf(x, row.intensity_flops_per_byte), positionOf(y, row.flops_per_s)];
}

/** A point within the axes. */
export interface Point extends Place {
  readonly row: RooflineRow;
}

/** The points within the axes, in the order of their rows. */
export function pointsOf(rows: readonly RooflineRow[], scales: Scales, plot: Plot): readonly Point[] {
  return rows.flatMap((row) => {
    const [x_px, y_px] = placeOf(row, scales);
    return isInside(plot, x_px, y_px) ? [{ row, x_px, y_px }] : [];
  });
}

/** The nearest of points within reach; of points as near the one that comes first. Null without. */
export function nearestPoint<At extends Place>(
  points: readonly At[],
  { x_px, y_px }: Place,
  reach_px: number,
): At | null {
  const squareTo = (point: At): number => (point.x_px - x_px) ** 2 + (point.y_px - y_px) ** 2;
  const nearest = greatestRow(points, (point) => -squareTo(point));
  return nearest !== null && squareTo(nearest) <= reach_px ** 2 ? nearest : null;
}

export function isInside(plot: Plot, x_px: number, y_px: number): boolean {
  return x_px >= plot.left_px && x_px <= plot.right_px && y_px >= plot.top_px && y_px <= plot.bottom_px;
}

/** The corners of a roof between two intensities: along the memory's slope to the ridge, then level. */
export function roofLine(roof: RooflineRoof, { from, to }: Span): readonly (readonly [number, number])[] {
  const height = (intensity: number): number => Math.min(roof.flops_per_s, roof.bytes_per_s * intensity);
  const ridge = roof.ridge_flops_per_byte;
  const corners = ridge > from && ridge < to ? [from, ridge, to] : [from, to];
  return corners.map((intensity) => [intensity, height(intensity)]);
}

/** The ends of a ceiling's slope from an intensity to where it meets the highest roof; none where that is farther left. */
export function ceilingLine(
  ceiling: RooflineCeiling,
  roofs: readonly RooflineRoof[],
  { from, to }: Span,
): readonly (readonly [number, number])[] {
  const top = roofs.reduce((highest, roof) => Math.max(highest, roof.flops_per_s), 0);
  const end = Math.min(to, top / ceiling.bytes_per_s);
  return end <= from ? [] : [from, end].map((intensity) => [intensity, intensity * ceiling.bytes_per_s]);
}

/** The row of what was selected elsewhere: of the op, or of the heaviest op on the line; in that space if it has one. */
export function rowToShow(record: RooflineRecord, selection: Selection, space: string): RooflineRow | null {
  return greatestRow(
    record.rows.filter((row) => isSelected(row, selection)),
    (row) => (row.space === space ? row.self_ps : -1),
  );
}

function isSelected(row: RooflineRow, selection: Selection): boolean {
  switch (selection.kind) {
    case 'op':
      return row.op_key === selection.key;
    case 'line':
      return row.kind === 'op' && row.file === selection.file && row.line === selection.line;
    case 'program':
      return row.kind === 'program' && programNames(row).includes(selection.name);
    default:
      return false;
  }
}

/** A program by its name alone, and with its id as where two have that name. */
function programNames({ label, program_id: id }: RooflineRow): readonly string[] {
  return [label, `${label} (${id})`];
}

/** A row by its name: of a program its own, of an op what it is in jax first. */
export function rowName(row: RooflineRow): string {
  return row.kind === 'program' ? row.label : opName(namedOp(row));
}

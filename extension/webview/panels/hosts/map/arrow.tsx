// The chosen link over the map: an arrow from cell to cell, thick by its bytes; of a link of several devices, a line
// through them.

import type { Geometry } from './geometry';
import type { CoreGrid } from '../places';

const THINNEST_PX = 2;
const THICKEST_PX = 7;
const HEAD_PX = 10;
/** Where in its height a cell is met: below what is written in it. */
const BELOW_TEXT = 0.76;

export interface DrawnLink {
  /** The positions of its cores, from the source on. */
  readonly cores: readonly number[];
  readonly isDirected: boolean;
  /** Of the bytes of the link with most. */
  readonly bytes_ratio: number;
}

export function LinkArrow(props: { readonly grid: CoreGrid; readonly geometry: Geometry; readonly link: DrawnLink }) {
  const { grid, geometry, link } = props;
  const points = link.cores.flatMap((core) => {
    const at = grid.cells.findIndex(({ item }) => item.cores.includes(core));
    const box = geometry.boxes[at];
    return box === undefined
      ? []
      : [[box.left_px + box.width_px / 2, box.top_px + box.height_px * BELOW_TEXT] as const];
  });
  const distinct = points.filter(([x, y], at) => at === 0 || x !== points[at - 1]?.[0] || y !== points[at - 1]?.[1]);
  if (distinct.length < 2) {
    return null;
  }
  const width_px = THINNEST_PX + (THICKEST_PX - THINNEST_PX) * link.bytes_ratio;
  const [from, to] = [distinct.at(-2), distinct.at(-1)];
  const ends = link.isDirected && from !== undefined && to !== undefined ? headOf(from, to, width_px) : null;
  const line = ends === null ? distinct : [...distinct.slice(0, -1), ends.neck];
  const path = line.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join(' ');
  return (
    <svg class="link-arrow" width={geometry.width_px} height={geometry.height_px} aria-hidden="true">
      <path class="halo" d={path} style={{ strokeWidth: width_px + 4 }} />
      <path class={link.isDirected ? 'shaft' : 'shaft of-group'} d={path} style={{ strokeWidth: width_px }} />
      {ends === null ? null : <polygon class="head-of-arrow" points={ends.points} />}
    </svg>
  );
}

type Point = readonly [x_px: number, y_px: number];

/** The head of an arrow at its end, and where its line ends below it. */
function headOf([x1, y1]: Point, [x2, y2]: Point, width_px: number): { readonly neck: Point; readonly points: string } {
  const length_px = Math.max(1, Math.hypot(x2 - x1, y2 - y1));
  const [along_x, along_y] = [(x2 - x1) / length_px, (y2 - y1) / length_px];
  const long_px = Math.min(HEAD_PX + width_px, length_px * 0.6);
  const wide_px = width_px / 2 + 5;
  const neck: Point = [x2 - along_x * long_px, y2 - along_y * long_px];
  const corners: readonly Point[] = [
    [x2, y2],
    [neck[0] - along_y * wide_px, neck[1] + along_x * wide_px],
    [neck[0] + along_y * wide_px, neck[1] - along_x * wide_px],
  ];
  return { neck, points: corners.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ') };
}

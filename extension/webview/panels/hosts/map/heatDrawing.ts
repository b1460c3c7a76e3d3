// The map of cores on a canvas: a shade and a bar for each value, the tiles of hosts, what rows and columns are called.

import { fitted } from '../../../shared/charts/text';
import { hatched } from '../../../shared/charts/hatch';
import { duration } from '../../../shared/text/format';
import { themeColour } from '../../../shared/theme';
import type { Geometry } from './geometry';
import { type CoreGrid, hostBorders, placeKey } from '../places';
import { type Extent, shadeOf } from './shades';

/** Of more cells none has its value written in it. */
const MOST_LABELS = 1000;
const LABELLED_FROM = { width_px: 52, height_px: 24 };
const BAR_PX = 4;
const PADDING_PX = 4;
const DOUBLE_FROM_PX = 16;
const ROW_TEXT_FROM_PX = 14;
const COLUMN_TEXT_PX = 24;

/** Whether cells have room for their value. */
export function hasLabels({ cells }: CoreGrid, { cell }: Geometry): boolean {
  const parts = cells.reduce((most, { of }) => Math.max(most, of), 1);
  return (
    cells.length <= MOST_LABELS &&
    cell.width_px / parts >= LABELLED_FROM.width_px &&
    cell.height_px >= LABELLED_FROM.height_px
  );
}

export function drawHeat(
  context: CanvasRenderingContext2D,
  grid: CoreGrid,
  geometry: Geometry,
  values: readonly (number | null)[],
  extent: Extent | null,
  mostShade: number,
): void {
  const [mark, text, quiet] = [themeColour('--mark'), themeColour('--text'), themeColour('--quiet')];
  const unknown = hatched(context, themeColour('--line') || quiet, 'diagonal');
  const labelled = hasLabels(grid, geometry);
  context.font = `${themeColour('--vscode-font-size')} ${themeColour('--vscode-font-family')}`;
  context.textBaseline = 'middle';
  geometry.boxes.forEach((box, at) => {
    const value = values[at] ?? null;
    const gap_px = box.width_px > 8 ? 1 : 0;
    const [x, y, width, height] = [box.left_px, box.top_px, box.width_px - gap_px, box.height_px - gap_px];
    if (value === null || extent === null) {
      context.fillStyle = unknown;
      context.fillRect(x, y, width, height);
      return;
    }
    context.globalAlpha = shadeOf(value, extent, mostShade);
    context.fillStyle = mark;
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
    if (labelled) {
      const ratio = extent.most > 0 ? Math.max(0, value) / extent.most : 0;
      context.fillRect(x, y + height - BAR_PX, width * ratio, BAR_PX);
      context.fillStyle = text;
      const label = fitted(context, duration(value), width - 2 * PADDING_PX);
      context.fillText(label, x + PADDING_PX, y + (height - BAR_PX) / 2 + 1);
    }
  });
  drawTiles(context, grid, geometry, text);
  drawEdges(context, grid, geometry, quiet);
}

/** The outlines of hosts: one line at either side of a border, where cells are small enough only one. */
function drawTiles(context: CanvasRenderingContext2D, grid: CoreGrid, { boxes, cell }: Geometry, colour: string): void {
  const places = new Set(grid.cells.map(placeKey));
  const isSmall = Math.min(cell.width_px, cell.height_px) < DOUBLE_FROM_PX;
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  hostBorders(grid).forEach(({ cell: { x, y, z }, sides: [isLeft, isTop, isRight, isBottom] }, at) => {
    const box = boxes[at];
    if (box === undefined) {
      return;
    }
    const [left, top] = [Math.round(box.left_px) + 0.5, Math.round(box.top_px) + 0.5];
    const [right, bottom] = [
      Math.round(box.left_px + box.width_px) - 0.5,
      Math.round(box.top_px + box.height_px) - 0.5,
    ];
    const line = (isDrawn: boolean, x1: number, y1: number, x2: number, y2: number): void => {
      if (isDrawn) {
        context.moveTo(x1, y1);
        context.lineTo(x2, y2);
      }
    };
    line(isLeft, left, top - 0.5, left, bottom + 0.5);
    line(isTop, left - 0.5, top, right + 0.5, top);
    const isLast = (dx: number, dy: number): boolean => !isSmall || !places.has(placeKey({ x: x + dx, y: y + dy, z }));
    line(isRight && isLast(1, 0), right, top - 0.5, right, bottom + 0.5);
    line(isBottom && isLast(0, 1), left - 0.5, bottom, right + 0.5, bottom);
  });
  context.stroke();
}

/** Above columns their numbers, before rows theirs or their names; where there are several planes, which one it is. */
function drawEdges(context: CanvasRenderingContext2D, grid: CoreGrid, geometry: Geometry, colour: string): void {
  if (grid.isOfHosts) {
    return;
  }
  const { cell, margin_px } = geometry;
  context.fillStyle = colour;
  const everyColumn = Math.ceil(COLUMN_TEXT_PX / cell.width_px);
  const everyRow = Math.ceil(ROW_TEXT_FROM_PX / cell.height_px);
  for (const plane of geometry.planes) {
    context.textAlign = 'center';
    for (let x = 0; x < grid.columns; x += everyColumn) {
      context.fillText(String(x), plane.left_px + (x + 0.5) * cell.width_px, plane.top_px - 9);
    }
    context.textAlign = 'end';
    for (let y = 0; y < grid.rows; y += everyRow) {
      const name = fitted(context, grid.rowNames[y] ?? String(y), margin_px - 6);
      context.fillText(name, plane.left_px - 6, plane.top_px + (y + 0.5) * cell.height_px);
    }
    if (grid.planes > 1) {
      context.fillText(`z${String(plane.z)}`, plane.left_px - 6, plane.top_px - 9);
    }
  }
  context.textAlign = 'start';
}

// The boxes of cells in pixels: planes side by side as far as there is room, and the ways between cells by keys.

import type { Box } from '../../../shared/charts/box';
import type { CoreCell, CoreGrid } from '../places';

const TOP_PX = 20;
const PLANE_GAP_PX = 16;
const WIDEST_PX = 112;
const NARROWEST_PX = 6;
const HIGHEST_PX = 40;
const LOWEST_PX = 6;
/** The height that the rows of a plane share. */
const PLANE_HEIGHT_PX = 320;
/** Planes are below each other before their cells are narrower. */
const SIDE_BY_SIDE_FROM_PX = 10;

export interface PlaneBox extends Box {
  readonly z: number;
}

export interface Geometry {
  readonly width_px: number;
  readonly height_px: number;
  /** Where numbers or names of rows stand, before each plane. */
  readonly margin_px: number;
  readonly planes: readonly PlaneBox[];
  readonly cell: { readonly width_px: number; readonly height_px: number };
  /** As many as the grid has cells. */
  readonly boxes: readonly Box[];
}

export function geometryOf(grid: CoreGrid, room_px: number, margin_px: number): Geometry {
  const { columns, rows, planes } = grid;
  // Hosts alone have no numbers above them.
  const above_px = grid.isOfHosts ? 1 : TOP_PX;
  const plane_px = (cell_px: number): number => margin_px + columns * cell_px + PLANE_GAP_PX;
  const fitting = Math.floor((room_px + PLANE_GAP_PX) / plane_px(SIDE_BY_SIDE_FROM_PX));
  const across = Math.max(1, Math.min(planes, fitting));
  const free_px = (room_px + PLANE_GAP_PX) / across - margin_px - PLANE_GAP_PX;
  const width_px = between(Math.floor(free_px / columns), NARROWEST_PX, WIDEST_PX);
  const height_px = between(Math.floor(PLANE_HEIGHT_PX / rows), LOWEST_PX, Math.min(HIGHEST_PX, 2 * width_px));
  const boxes = Array.from({ length: planes }, (_, z): PlaneBox => {
    const [column, row] = [z % across, Math.floor(z / across)];
    return {
      z,
      left_px: column * plane_px(width_px) + margin_px,
      top_px: row * (above_px + rows * height_px + PLANE_GAP_PX) + above_px,
      width_px: columns * width_px,
      height_px: rows * height_px,
    };
  });
  const last = boxes.at(-1);
  return {
    width_px: across * plane_px(width_px) - PLANE_GAP_PX + 1,
    height_px: (last === undefined ? 0 : last.top_px + last.height_px) + 1,
    margin_px,
    planes: boxes,
    cell: { width_px, height_px },
    boxes: grid.cells.map((cell) => boxOf(cell, boxes[cell.z], width_px, height_px)),
  };
}

function boxOf({ x, y, part, of }: CoreCell, plane: PlaneBox | undefined, width_px: number, height_px: number): Box {
  return {
    left_px: (plane?.left_px ?? 0) + x * width_px + (part * width_px) / of,
    top_px: (plane?.top_px ?? 0) + y * height_px,
    width_px: width_px / of,
    height_px,
  };
}

function between(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** The position of the cell at a place; -1 where there is none. */
export function cellAt({ boxes }: Geometry, x_px: number, y_px: number): number {
  return boxes.findIndex(
    ({ left_px, top_px, width_px, height_px }) =>
      x_px >= left_px && x_px < left_px + width_px && y_px >= top_px && y_px < top_px + height_px,
  );
}

/** The cell that an arrow key goes to: the nearest in its direction, in line before aside. Null for other keys. */
export function cellAfter({ boxes }: Geometry, at: number, key: string): number | null {
  const direction = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  if (direction === undefined) {
    return { Home: 0, End: boxes.length - 1 }[key] ?? null;
  }
  const from = boxes[at];
  if (from === undefined) {
    return boxes.length > 0 ? 0 : null;
  }
  const [right = 0, down = 0] = direction;
  let found = { at, distance: Infinity };
  boxes.forEach((box, position) => {
    const x_px = centre(box)[0] - centre(from)[0];
    const y_px = centre(box)[1] - centre(from)[1];
    const ahead_px = x_px * right + y_px * down;
    const aside_px = Math.abs(x_px * down) + Math.abs(y_px * right);
    const distance = ahead_px + aside_px * 8;
    if (ahead_px > 0.5 && distance < found.distance) {
      found = { at: position, distance };
    }
  });
  return found.at;
}

export function centre({ left_px, top_px, width_px, height_px }: Box): readonly [x_px: number, y_px: number] {
  return [left_px + width_px / 2, top_px + height_px / 2];
}

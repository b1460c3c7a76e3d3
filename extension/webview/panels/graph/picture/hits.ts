// Which box is at a place of the picture: boxes by the cells of a grid that they lie in.

import type { Layout, LayoutBox } from '../layout/request';

const CELL_PX = 256;

export type BoxAt = (x_px: number, y_px: number) => LayoutBox | null;

/** Nodes before the groups that they are in, inner groups before outer ones. */
export function boxFinder({ nodes, groups }: Layout): BoxAt {
  const cells = new Map<string, LayoutBox[]>();
  const cell = (px: number): number => Math.floor(px / CELL_PX);
  for (const box of [...nodes, ...groups.toReversed()]) {
    for (let row = cell(box.top_px); row <= cell(box.top_px + box.height_px); row += 1) {
      for (let column = cell(box.left_px); column <= cell(box.left_px + box.width_px); column += 1) {
        const key = `${String(column)} ${String(row)}`;
        const known = cells.get(key);
        if (known === undefined) {
          cells.set(key, [box]);
        } else {
          known.push(box);
        }
      }
    }
  }
  return (x_px, y_px) =>
    cells
      .get(`${String(cell(x_px))} ${String(cell(y_px))}`)
      ?.find(
        ({ left_px, top_px, width_px, height_px }) =>
          x_px >= left_px && x_px <= left_px + width_px && y_px >= top_px && y_px <= top_px + height_px,
      ) ?? null;
}

// The geometry of an icicle: a row of cells for each level, each cell as wide as its part of the cell above.

import { measured, type FlopsNode, type Measure } from './tree';

/** Cells that would be narrower are drawn together as one. */
export const NARROWEST_CELL_PX = 3;

/** Levels that are drawn at once; what is deeper is seen by zooming. */
export const MOST_LEVELS = 24;

export interface Cell {
  /** The node, or the first of those that are drawn together. */
  readonly node: FlopsNode;
  /** How many nodes the cell stands for. */
  readonly nodes: number;
  readonly level: number;
  readonly x_px: number;
  readonly width_px: number;
  /** Of the measure: of all nodes that the cell stands for. */
  readonly amount: number;
}

/** Levels from the top; the cells of a level from left to right. They do not overlap. */
export interface Icicle {
  readonly levels: readonly (readonly Cell[])[];
  /** Nodes that have a cell of their own. */
  readonly cellOf: ReadonlyMap<FlopsNode, Cell>;
}

/** The icicle below a root, which is as wide as there is room. Children stand by their amount, the greatest first. */
export function icicle(root: FlopsNode, measure: Measure, width_px: number): Icicle {
  const top: Cell = { node: root, nodes: 1, level: 0, x_px: 0, width_px, amount: measured(root, measure) };
  const levels: (readonly Cell[])[] = width_px > 0 ? [[top]] : [];
  while (levels.length > 0 && levels.length < MOST_LEVELS) {
    const below = levels[levels.length - 1]?.flatMap((cell) => cellsBelow(cell, measure)) ?? [];
    if (below.length === 0) {
      break;
    }
    levels.push(below);
  }
  const own = levels.flat().filter(({ nodes }) => nodes === 1);
  return { levels, cellOf: new Map(own.map((cell) => [cell.node, cell])) };
}

function cellsBelow(above: Cell, measure: Measure): readonly Cell[] {
  if (above.nodes > 1) {
    return [];
  }
  const children = above.node.children
    .map((node) => ({ node, amount: measured(node, measure) }))
    .filter(({ amount }) => amount > 0)
    .sort((one, other) => other.amount - one.amount);
  const whole = Math.max(
    above.amount,
    children.reduce((sum, { amount }) => sum + amount, 0),
  );
  const level = above.level + 1;
  const xOf = (before: number): number => above.x_px + (before / whole) * above.width_px;
  const cells: Cell[] = [];
  let before = 0;
  for (const [at, { node, amount }] of children.entries()) {
    const x_px = xOf(before);
    const width = xOf(before + amount) - x_px;
    if (width < NARROWEST_CELL_PX && at < children.length - 1) {
      // All that follow are narrower still.
      const rest = children.slice(at);
      const total = rest.reduce((sum, each) => sum + each.amount, 0);
      cells.push({ node, nodes: rest.length, level, x_px, width_px: xOf(before + total) - x_px, amount: total });
      break;
    }
    cells.push({ node, nodes: 1, level, x_px, width_px: width, amount });
    before += amount;
  }
  return cells;
}

/** The cell at a place, where there is one. */
export function cellAt({ levels }: Icicle, x_px: number, y_px: number, level_px: number): Cell | null {
  const level = levels[Math.floor(y_px / level_px)] ?? [];
  let [low, high] = [0, level.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((level[middle]?.x_px ?? 0) <= x_px) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const cell = level[low - 1];
  return cell !== undefined && x_px < cell.x_px + cell.width_px ? cell : null;
}

/** The cell of a node: its own, that of the smaller ones among which it is, or of what is above it. */
export function cellHolding({ levels, cellOf }: Icicle, node: FlopsNode, measure: Measure): Cell | null {
  for (let at: FlopsNode | null = node, below: FlopsNode | null = null; at !== null; below = at, at = at.parent) {
    const cell = cellOf.get(at);
    if (cell !== undefined) {
      const isAmongRest = below !== null && measured(below, measure) > 0;
      const rest = isAmongRest
        ? levels[cell.level + 1]?.find((each) => each.nodes > 1 && each.node.parent === at)
        : null;
      return rest ?? cell;
    }
  }
  return null;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The node that an arrow key goes to: along the level, to the one above, or to the widest below. */
export function neighbour(shape: Icicle, node: FlopsNode, direction: Direction): FlopsNode | null {
  const cell = shape.cellOf.get(node);
  if (cell === undefined) {
    return null;
  }
  switch (direction) {
    case 'up':
      return cell.level > 0 ? node.parent : null;
    case 'down':
      return shape.levels[cell.level + 1]?.find((each) => each.nodes === 1 && each.node.parent === node)?.node ?? null;
    case 'left':
    case 'right': {
      const level = (shape.levels[cell.level] ?? []).filter(({ nodes }) => nodes === 1);
      return level[level.indexOf(cell) + (direction === 'left' ? -1 : 1)]?.node ?? null;
    }
  }
}

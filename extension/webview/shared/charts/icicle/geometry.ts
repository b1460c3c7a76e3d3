// The geometry of an icicle: a row of cells for each level, each cell as wide as its part of the cell above.

import type { Branch } from '../../table/tree';
import { firstNotBefore } from '../ascending';

/** Cells that would be narrower are drawn together as one. */
export const NARROWEST_CELL_PX = 3;

/** Levels that are drawn at once; what is deeper is seen by zooming. */
export const MOST_LEVELS = 48;

export interface Cell<Node> {
  /** The node, or the first of those that are drawn together. */
  readonly node: Node;
  /** How many nodes the cell stands for. */
  readonly nodes: number;
  readonly level: number;
  readonly x_px: number;
  readonly width_px: number;
  /** What the width stands for, of all nodes of the cell. */
  readonly amount: number;
}

/** Levels from the top; the cells of a level from left to right. They do not overlap. */
export interface Icicle<Node> {
  readonly levels: readonly (readonly Cell<Node>[])[];
  /** Nodes that have a cell of their own. */
  readonly cellOf: ReadonlyMap<Node, Cell<Node>>;
}

/** How much of what the width stands for a node has; 0 where nothing is to be drawn. */
export type AmountOf<Node> = (node: Node) => number;

/** Where the children of a node stand: the greatest first, or as they stand in the tree. */
export type SiblingOrder = 'amount' | 'tree';

/** The icicle below a root, which is as wide as there is room. */
export function icicle<Node extends Branch<Node>>(
  root: Node,
  amountOf: AmountOf<Node>,
  width_px: number,
  order: SiblingOrder = 'amount',
): Icicle<Node> {
  const top: Cell<Node> = { node: root, nodes: 1, level: 0, x_px: 0, width_px, amount: amountOf(root) };
  const levels: (readonly Cell<Node>[])[] = width_px > 0 ? [[top]] : [];
  while (levels.length > 0 && levels.length < MOST_LEVELS) {
    const below = levels[levels.length - 1]?.flatMap((cell) => cellsBelow(cell, amountOf, order)) ?? [];
    if (below.length === 0) {
      break;
    }
    levels.push(below);
  }
  const own = levels.flat().filter(({ nodes }) => nodes === 1);
  return { levels, cellOf: new Map(own.map((cell) => [cell.node, cell])) };
}

function cellsBelow<Node extends Branch<Node>>(
  above: Cell<Node>,
  amountOf: AmountOf<Node>,
  order: SiblingOrder,
): readonly Cell<Node>[] {
  if (above.nodes > 1) {
    return [];
  }
  const children = above.node.children
    .map((node) => ({ node, amount: amountOf(node) }))
    .filter(({ amount }) => amount > 0);
  if (order === 'amount') {
    children.sort((one, other) => other.amount - one.amount);
  }
  const whole = Math.max(
    above.amount,
    children.reduce((sum, { amount }) => sum + amount, 0),
  );
  const level = above.level + 1;
  const widthOf = (amount: number): number => (amount / whole) * above.width_px;
  const cells: Cell<Node>[] = [];
  let before = 0;
  for (const { node, amount } of children) {
    const last = cells[cells.length - 1];
    const cell = { node, nodes: 1, level, x_px: above.x_px + widthOf(before), width_px: widthOf(amount), amount };
    before += amount;
    if (last !== undefined && cell.width_px < NARROWEST_CELL_PX && last.width_px < NARROWEST_CELL_PX * last.nodes) {
      // Neighbours that are too narrow for a cell of their own have one together.
      const both = last.amount + amount;
      cells[cells.length - 1] = { ...last, nodes: last.nodes + 1, width_px: widthOf(both), amount: both };
    } else {
      cells.push(cell);
    }
  }
  return cells;
}

/** The cell of a level at a place, where there is one. */
export function cellAt<Node>({ levels }: Icicle<Node>, x_px: number, at: number): Cell<Node> | null {
  const level = levels[at] ?? [];
  const cell = level[firstNotBefore(0, level.length, (place) => (level[place]?.x_px ?? 0) <= x_px) - 1];
  return cell !== undefined && x_px < cell.x_px + cell.width_px ? cell : null;
}

/** The cell of a node: its own, that of the smaller ones among which it is, or of what is above it. */
export function cellHolding<Node extends Branch<Node>>(
  { levels, cellOf }: Icicle<Node>,
  node: Node,
  amountOf: AmountOf<Node>,
): Cell<Node> | null {
  for (let at: Node | null = node, below: Node | null = null; at !== null; below = at, at = at.parent) {
    const above: Node = at;
    const cell = cellOf.get(above);
    if (cell !== undefined) {
      const rests =
        below !== null && amountOf(below) > 0
          ? (levels[cell.level + 1]?.filter((each) => each.nodes > 1 && each.node.parent === above) ?? [])
          : [];
      // Of several, as where children stand as in the tree, the one that begins last before the node.
      const before = above.children.slice(0, rests.length > 1 ? above.children.indexOf(below as Node) + 1 : undefined);
      const rest = rests.findLast(({ node: first }) => before.includes(first));
      return rest ?? cell;
    }
  }
  return null;
}

export type Direction = 'left' | 'right' | 'above' | 'below';

/** The node that an arrow key goes to: along the level, to the one above, or to the widest below. */
export function neighbour<Node extends Branch<Node>>(
  shape: Icicle<Node>,
  node: Node,
  direction: Direction,
): Node | null {
  const cell = shape.cellOf.get(node);
  if (cell === undefined) {
    return null;
  }
  switch (direction) {
    case 'above':
      return cell.level > 0 ? node.parent : null;
    case 'below':
      return shape.levels[cell.level + 1]?.find((each) => each.nodes === 1 && each.node.parent === node)?.node ?? null;
    case 'left':
    case 'right': {
      const level = (shape.levels[cell.level] ?? []).filter(({ nodes }) => nodes === 1);
      return level[level.indexOf(cell) + (direction === 'left' ? -1 : 1)]?.node ?? null;
    }
  }
}

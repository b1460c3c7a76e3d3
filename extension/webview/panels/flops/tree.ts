// The tree of the record's rows: the model, its scopes, their ops.

import type { FlopsRow } from '../../../src/protocol';
import type { Phase } from '../../shared/theme';

export interface FlopsNode {
  readonly row: FlopsRow;
  readonly parent: FlopsNode | null;
  readonly children: readonly FlopsNode[];
}

export interface FlopsTree {
  readonly roots: readonly FlopsNode[];
  readonly byKey: ReadonlyMap<string, FlopsNode>;
}

/** What the width of a cell may stand for. */
export type Measure = 'flops' | 'model_flops' | 'self_ps';

export const MEASURES: readonly Measure[] = ['flops', 'model_flops', 'self_ps'];

/** Rows in preorder as a tree: a row's parent is the last one before it that is less deep. */
export function flopsTree(rows: readonly FlopsRow[]): FlopsTree {
  const roots: FlopsNode[] = [];
  const byKey = new Map<string, FlopsNode>();
  const open: (FlopsNode & { readonly children: FlopsNode[] })[] = [];
  for (const row of rows) {
    while ((open.at(-1)?.row.depth ?? -1) >= row.depth) {
      open.pop();
    }
    const parent = open.at(-1) ?? null;
    const node = { row, parent, children: [] };
    (parent?.children ?? roots).push(node);
    open.push(node);
    byKey.set(row.key, node);
  }
  return { roots, byKey };
}

/** How much of a measure a node has; 0 where it is not known, since there is nothing to draw. */
export function measured({ row }: FlopsNode, measure: Measure): number {
  return Math.max(0, row[measure] ?? 0);
}

/** The node and those above it, from the root down. */
export function pathTo(node: FlopsNode): readonly FlopsNode[] {
  const path: FlopsNode[] = [];
  for (let at: FlopsNode | null = node; at !== null; at = at.parent) {
    path.push(at);
  }
  return path.reverse();
}

/** The deepest node that is or is above both; null where they are of different trees. */
export function commonAbove(one: FlopsNode, other: FlopsNode): FlopsNode | null {
  const above = new Set(pathTo(one));
  return pathTo(other).findLast((node) => above.has(node)) ?? null;
}

/** The heaviest op on a line. */
export function heaviestOnLine(tree: FlopsTree, file: string, line: number): FlopsNode | null {
  let found: FlopsNode | null = null;
  for (const node of tree.byKey.values()) {
    const { row } = node;
    if (row.kind === 'op' && row.file === file && row.line === line && row.self_ps > (found?.row.self_ps ?? -1)) {
      found = node;
    }
  }
  return found;
}

/**
 * The share of each phase in the ops of a node. What a fusion of another phase computes again counts as recomputed, so
 * that the share of FLOPs is the row's `recompute_ratio`; time is an op's as a whole.
 */
export function phaseShares(node: FlopsNode, measure: Measure): Readonly<Record<Phase, number>> {
  const amounts: Record<Phase, number> = { forward: 0, backward: 0, recompute: 0, optimizer: 0, other: 0 };
  let whole = 0;
  const left = [node];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (const child of at.children) {
      left.push(child);
    }
    if (at.row.kind === 'op') {
      const amount = measured(at, measure);
      const again = measure === 'flops' ? repeatedFlops(at.row) : 0;
      amounts.recompute += again;
      amounts[at.row.phase ?? 'other'] += amount - again;
      whole += amount;
    }
  }
  return Object.fromEntries(
    Object.entries(amounts).map(([phase, amount]) => [phase, whole === 0 ? 0 : amount / whole]),
  ) as Record<Phase, number>;
}

/** What of an op's FLOPs was computed before. */
function repeatedFlops({ flops, model_flops }: FlopsRow): number {
  return flops === null || model_flops === null ? 0 : Math.max(0, flops - model_flops);
}

// The tree of the model, its scopes and their ops, and what its parts have of a measure.

import type { FlopsRow } from '../../../src/protocol';
import type { TreeNode } from '../../shared/table/tree';
import type { Phase } from '../../shared/theme';

export type FlopsNode = TreeNode<FlopsRow>;

/** What the width of a cell may stand for. */
export type Measure = 'flops' | 'model_flops' | 'self_ps';

export const MEASURES: readonly Measure[] = ['flops', 'model_flops', 'self_ps'];

/** How much of a measure a row has; 0 where it is not known, since there is nothing to draw. */
export function measured(row: FlopsRow, measure: Measure): number {
  return Math.max(0, row[measure] ?? 0);
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
    if (at.kind === 'op') {
      const amount = measured(at, measure);
      const again = measure === 'flops' ? repeatedFlops(at) : 0;
      amounts.recompute += again;
      amounts[at.phase ?? 'other'] += amount - again;
      whole += amount;
    }
  }
  return Object.fromEntries(
    Object.entries(amounts).map(([phase, amount]) => [phase, whole === 0 ? 0 : amount / whole]),
  ) as Record<Phase, number>;
}

/** What of an op's FLOPs was computed before. */
function repeatedFlops({ flops, recompute_ratio }: FlopsRow): number {
  return (flops ?? 0) * (recompute_ratio ?? 0);
}

/** The keys of the ops in a node, found once for each. */
export function opsBelow(): (node: FlopsNode) => readonly string[] {
  const known = new Map<FlopsNode, readonly string[]>();
  return (node) => {
    let keys = known.get(node);
    if (keys === undefined) {
      const found: string[] = [];
      const left = [node];
      for (let at = left.pop(); at !== undefined; at = left.pop()) {
        left.push(...at.children);
        if (at.kind === 'op') {
          found.push(at.key);
        }
      }
      keys = found;
      known.set(node, keys);
    }
    return keys;
  };
}

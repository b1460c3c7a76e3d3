// What of the rows below a row is shown at once: the most expensive ones. The rest is below a row of its own, so that
// nothing is left out of the sums.

import * as l10n from '@vscode/l10n';
import { count } from '../../shared/text/format';
import { pathTo } from '../../shared/table/tree';
import type { ProfileNode } from './tree';

export type Measure = 'self_ps' | 'wasted_ps';

export interface Folding {
  readonly measure: Measure;
  /** How many rows to show at most; null is all. */
  readonly most: number | null;
  /** The share of the sum at which to stop; null is all. */
  readonly coverage_ratio: number | null;
}

/** The rows to show below a row: always the same list for the same row. */
export type ChildrenOf = (node: ProfileNode) => readonly ProfileNode[];

export function foldedChildren(folding: Folding): ChildrenOf {
  const known = new Map<ProfileNode, readonly ProfileNode[]>();
  return (node) => {
    let children = known.get(node);
    if (children === undefined) {
      children = node.kind === 'more' ? node.children : fold(node, folding);
      known.set(node, children);
    }
    return children;
  };
}

function fold(parent: ProfileNode, folding: Folding): readonly ProfileNode[] {
  const { measure, most, coverage_ratio } = folding;
  if (coverage_ratio === null && parent.children.length <= (most ?? Infinity)) {
    return parent.children;
  }
  // Idle time competes with no op for a place.
  const idle = parent.children.filter(({ kind }) => kind === 'idle');
  const ops = parent.children.filter(({ kind }) => kind !== 'idle');
  const ordered = ops
    .map((node) => ({ node, amount: amountOf(node, measure) }))
    .sort((one, other) => other.amount - one.amount);
  const whole = ordered.reduce((sum, { amount }) => sum + amount, 0);
  let [shown, covered] = [0, 0];
  while (shown < ordered.length && shown < (most ?? Infinity)) {
    if (coverage_ratio !== null && whole > 0 && covered >= whole * coverage_ratio) {
      break;
    }
    covered += ordered[shown]?.amount ?? 0;
    shown += 1;
  }
  const rest = ordered.slice(shown).map(({ node }) => node);
  if (rest.length < 2) {
    // One row in the place of one row.
    return parent.children;
  }
  return [...ordered.slice(0, shown).map(({ node }) => node), ...idle, restNode(parent, rest)];
}

/** What rows are ranked by; elements of a fusion have no time, but work. */
function amountOf(node: ProfileNode, measure: Measure): number {
  return Math.max(0, (node.kind === 'element' ? node.flops : node[measure]) ?? 0);
}

function restNode(parent: ProfileNode, rest: readonly ProfileNode[]): ProfileNode {
  return {
    has_estimate: true,
    kind: 'more',
    key: `${parent.key} …`,
    op_key: null,
    depth: parent.depth + 1,
    label: l10n.t('{0} more', count(rest.length)),
    category: '',
    path: null,
    file: null,
    line: null,
    executions: null,
    self_ps: sum(rest, 'self_ps'),
    wall_ps: sum(rest, 'wall_ps'),
    share_ratio: null,
    wasted_ps: sum(rest, 'wasted_ps'),
    flops: sum(rest, 'flops'),
    bytes: sum(rest, 'bytes'),
    flop_utilisation_ratio: null,
    bandwidth_utilisation_ratio: null,
    bound_by: null,
    asynchronous: false,
    findings: [],
    utilisation_is_least: false,
    wasted_is_least: rest.some(({ wasted_is_least }) => wasted_is_least),
    primitive: '',
    phase: null,
    parent,
    children: rest,
  };
}

/** Null where nothing of it is known. */
function sum(
  nodes: readonly ProfileNode[],
  field: 'self_ps' | 'wall_ps' | 'wasted_ps' | 'flops' | 'bytes',
): number | null {
  return nodes.reduce<number | null>((total, node) => {
    const amount = node[field];
    return amount === null ? total : (total ?? 0) + amount;
  }, null);
}

/** The keys of the rows that must be open for a node to be seen. */
export function openedFor(node: ProfileNode, childrenOf: ChildrenOf): readonly string[] {
  const path = pathTo(node);
  return path.slice(1).flatMap((below, position) => {
    const parent = path[position];
    if (parent === undefined) {
      return [];
    }
    const shown = childrenOf(parent);
    const rest = shown.find(({ kind }) => kind === 'more');
    return shown.includes(below) || rest === undefined ? [parent.key] : [parent.key, rest.key];
  });
}

// The lines of a flame graph, whatever called them, and who calls whom: sums over the stacks that have them, each once.

import type { Phase } from '../../shared/theme';
import { addPhases, type FlameEntry, type FlameNode } from './tree';

/** A line, or what stands for one, with all of its nodes together. */
export interface FlameLine extends FlameEntry {
  /** The node with the most. */
  readonly greatest: FlameNode;
  readonly children: readonly never[];
}

export interface Call {
  readonly node: FlameNode;
  readonly value: number;
}

/** What names the line of a node, whatever called it. */
export function lineKey({ row, file, path, line, name }: FlameNode): string {
  return row === null || line === null ? `${row?.kind ?? ''}\n${name}` : `${file ?? path ?? ''}\n${String(line)}`;
}

/** All lines below a node, the greatest inclusive value first. */
export function linesOf(root: FlameNode): readonly FlameLine[] {
  return [...sumsOnce(root, lineKey)]
    .map(([key, { self, inclusive, phases, greatest }]) => {
      const { name, path, file, line } = greatest;
      return { key, name, path, file, line, self, inclusive, phases, greatest, children: [] };
    })
    .sort((one, other) => other.inclusive - one.inclusive || other.self - one.self);
}

/** The lines that call a line, and what goes through each call; the greatest first. */
export function callersOf(root: FlameNode, key: string): readonly Call[] {
  const sums = sumsOnce(root, (node) =>
    lineKey(node) === key && node.parent !== null && node.parent.row !== null ? lineKey(node.parent) : null,
  );
  return callsOf(sums, (called) => called.parent ?? called);
}

/** The lines that a line calls, and what goes through each call; the greatest first. */
export function calleesOf(root: FlameNode, key: string): readonly Call[] {
  const sums = sumsOnce(root, (node) => (node.parent !== null && lineKey(node.parent) === key ? lineKey(node) : null));
  return callsOf(sums, (called) => called);
}

function callsOf(sums: ReadonlyMap<string, Sum>, nodeOf: (called: FlameNode) => FlameNode): readonly Call[] {
  return [...sums.values()]
    .map(({ inclusive, greatest }) => ({ node: nodeOf(greatest), value: inclusive }))
    .sort((one, other) => other.value - one.value);
}

interface Sum {
  /** Of all nodes. */
  self: number;
  /** Of nodes below each other the upper ones alone, as all that follows. */
  inclusive: number;
  readonly phases: Partial<Record<Phase, number>>;
  greatest: FlameNode;
  /** How many of the nodes are on the way to the one that is looked at. */
  open: number;
}

/** Sums by what `keyOf` calls a node, null being nothing. Stacks may be deep: no function calls itself for them. */
function sumsOnce(root: FlameNode, keyOf: (node: FlameNode) => string | null): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  const path: { readonly node: FlameNode; readonly sum: Sum | null; next: number }[] = [
    { node: root, sum: null, next: 0 },
  ];
  for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
    const node = at.node.children[at.next];
    at.next += 1;
    if (node === undefined) {
      path.pop();
      if (at.sum !== null) {
        at.sum.open -= 1;
      }
      continue;
    }
    const key = keyOf(node);
    const sum = key === null ? null : (sums.get(key) ?? { self: 0, inclusive: 0, phases: {}, greatest: node, open: 0 });
    path.push({ node, sum, next: 0 });
    if (key === null || sum === null) {
      continue;
    }
    sums.set(key, sum);
    sum.self += node.self;
    if (sum.open === 0) {
      sum.inclusive += node.inclusive;
      addPhases(sum.phases, node.phases);
      sum.greatest = node.inclusive > sum.greatest.inclusive ? node : sum.greatest;
    }
    sum.open += 1;
  }
  return sums;
}

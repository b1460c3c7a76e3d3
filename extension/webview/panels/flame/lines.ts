// The lines of a flame graph, whatever called them, and who calls whom: sums over the stacks that have them, each once.

import type { Phase } from '../../shared/theme';
import { addPhases, type FlameNode } from './tree';

/** A line, or what stands for one, with all of its nodes together. */
export interface FlameLine {
  readonly key: string;
  readonly name: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly self: number;
  readonly inclusive: number;
  readonly phases: Readonly<Partial<Record<Phase, number>>>;
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
  const sums = sumsOnce(root, lineKey);
  const self = new Map<string, number>();
  walk(root, (node) => self.set(lineKey(node), (self.get(lineKey(node)) ?? 0) + node.self));
  return [...sums]
    .map(([key, { value, phases, greatest }]) => ({
      key,
      name: greatest.name,
      path: greatest.path,
      file: greatest.file,
      line: greatest.line,
      self: self.get(key) ?? 0,
      inclusive: value,
      phases,
      greatest,
      children: [],
    }))
    .sort((one, other) => other.inclusive - one.inclusive || other.self - one.self);
}

/** The lines that call a line, and what goes through each call; the greatest first. */
export function callersOf(root: FlameNode, key: string): readonly Call[] {
  const sums = sumsOnce(root, (node) =>
    lineKey(node) === key && node.parent !== null && node.parent.row !== null ? lineKey(node.parent) : null,
  );
  return [...sums.values()]
    .map(({ value, greatest }) => ({ node: greatest.parent ?? greatest, value }))
    .sort((one, other) => other.value - one.value);
}

/** The lines that a line calls, and what goes through each call; the greatest first. */
export function calleesOf(root: FlameNode, key: string): readonly Call[] {
  const sums = sumsOnce(root, (node) => (node.parent !== null && lineKey(node.parent) === key ? lineKey(node) : null));
  return [...sums.values()]
    .map(({ value, greatest }) => ({ node: greatest, value }))
    .sort((one, other) => other.value - one.value);
}

interface Sum {
  value: number;
  readonly phases: Partial<Record<Phase, number>>;
  greatest: FlameNode;
}

/** Sums of inclusive values by what `keyOf` calls a node, null being nothing: of nodes below each other the upper ones. */
function sumsOnce(root: FlameNode, keyOf: (node: FlameNode) => string | null): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  const open = new Map<string, number>();
  walk(
    root,
    (node) => {
      const key = keyOf(node);
      if (key === null) {
        return;
      }
      const depth = open.get(key) ?? 0;
      open.set(key, depth + 1);
      if (depth > 0) {
        return;
      }
      const sum = sums.get(key);
      if (sum === undefined) {
        sums.set(key, { value: node.inclusive, phases: { ...node.phases }, greatest: node });
      } else {
        sum.value += node.inclusive;
        addPhases(sum.phases, node.phases);
        sum.greatest = node.inclusive > sum.greatest.inclusive ? node : sum.greatest;
      }
    },
    (node) => {
      const key = keyOf(node);
      if (key !== null) {
        open.set(key, (open.get(key) ?? 1) - 1);
      }
    },
  );
  return sums;
}

/** Calls `enter` for every node below a root, and `leave` when all that is below it was entered. Stacks may be deep. */
function walk(root: FlameNode, enter: (node: FlameNode) => void, leave: (node: FlameNode) => void = () => undefined) {
  const path: { readonly node: FlameNode; next: number }[] = [{ node: root, next: 0 }];
  for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
    const child = at.node.children[at.next];
    at.next += 1;
    if (child !== undefined) {
      enter(child);
      path.push({ node: child, next: 0 });
    } else {
      path.pop();
      if (at.node !== root) {
        leave(at.node);
      }
    }
  }
}

// A record's rows as a tree, and the ways through it.

import { greatestRow } from './greatest';

export interface Branch<Node> {
  readonly parent: Node | null;
  readonly children: readonly Node[];
}

export type TreeNode<Row> = Row & Branch<TreeNode<Row>>;

export interface Tree<Node> {
  readonly roots: readonly Node[];
  readonly byKey: ReadonlyMap<string, Node>;
}

/** Rows in preorder as a tree: a row's parent is the last one before it that is less deep. */
export function treeOf<Row extends { readonly key: string; readonly depth: number }>(
  rows: readonly Row[],
): Tree<TreeNode<Row>> {
  const roots: TreeNode<Row>[] = [];
  const byKey = new Map<string, TreeNode<Row>>();
  const open: { readonly node: TreeNode<Row>; readonly children: TreeNode<Row>[] }[] = [];
  for (const row of rows) {
    while ((open.at(-1)?.node.depth ?? -1) >= row.depth) {
      open.pop();
    }
    const above = open.at(-1) ?? null;
    const children: TreeNode<Row>[] = [];
    const node: TreeNode<Row> = { ...row, parent: above?.node ?? null, children };
    (above?.children ?? roots).push(node);
    open.push({ node, children });
    byKey.set(row.key, node);
  }
  return { roots, byKey };
}

/** The node and those above it, from the root down. */
export function pathTo<Node extends Branch<Node>>(node: Node): readonly Node[] {
  const path: Node[] = [];
  for (let at: Node | null = node; at !== null; at = at.parent) {
    path.push(at);
  }
  return path.reverse();
}

/** The deepest node that is or is above both; null where they are of different trees. */
export function commonAbove<Node extends Branch<Node>>(one: Node, other: Node): Node | null {
  const above = new Set(pathTo(one));
  return pathTo(other).findLast((node) => above.has(node)) ?? null;
}

/** The row with the most self time of those that are meant: the first of equal ones. */
export function heaviest<Row extends { readonly self_ps: number | null }>(
  rows: Iterable<Row>,
  isMeant: (row: Row) => boolean,
): Row | null {
  return greatestRow([...rows].filter(isMeant), ({ self_ps }) => self_ps ?? 0);
}

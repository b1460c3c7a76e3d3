// The tree of the op profile: the record's rows with those below them.

import type { GroupSelection } from '../../../src/panels/messages';
import type { OpProfileRow } from '../../../src/protocol';

export interface ProfileNode extends Omit<OpProfileRow, 'kind'> {
  /** As the record has it; `more` stands for the rest of the rows below one, which are below it. */
  readonly kind: OpProfileRow['kind'] | 'more';
  readonly parent: ProfileNode | null;
  readonly children: readonly ProfileNode[];
}

export interface ProfileTree {
  /** One, the total; none where the record has no rows. */
  readonly roots: readonly ProfileNode[];
  /** The time that shares are of. */
  readonly whole_ps: number;
  readonly byKey: ReadonlyMap<string, ProfileNode>;
  readonly counts: Readonly<Record<OpProfileRow['kind'], number>>;
}

type GrowingNode = ProfileNode & { readonly children: ProfileNode[] };

/** Rows in preorder as a tree: a row's parent is the last one before it that is less deep. */
export function profileTree(rows: readonly OpProfileRow[], options: { readonly withIdle: boolean }): ProfileTree {
  const roots: ProfileNode[] = [];
  const byKey = new Map<string, ProfileNode>();
  const counts = { total: 0, category: 0, program: 0, scope: 0, line: 0, op: 0, element: 0, idle: 0 };
  const idle_ps = rows.reduce((sum, row) => sum + (row.kind === 'idle' ? (row.self_ps ?? 0) : 0), 0);
  const without_ps = options.withIdle ? 0 : idle_ps;
  const open: GrowingNode[] = [];
  for (const row of rows) {
    if (row.kind === 'idle' && !options.withIdle) {
      continue;
    }
    while ((open.at(-1)?.depth ?? -1) >= row.depth) {
      open.pop();
    }
    const parent = open.at(-1) ?? null;
    const node: GrowingNode = {
      ...row,
      // The time of the total is of all that is below it.
      self_ps: row.kind === 'total' && row.self_ps !== null ? row.self_ps - without_ps : row.self_ps,
      parent,
      children: [],
    };
    ((parent?.children as ProfileNode[] | undefined) ?? roots).push(node);
    open.push(node);
    byKey.set(row.key, node);
    counts[row.kind] += 1;
  }
  const whole_ps = roots.reduce((sum, { self_ps }) => sum + (self_ps ?? 0), 0);
  return { roots, whole_ps, byKey, counts };
}

/** The nodes above a node, from the root down. */
export function nodesAbove(node: ProfileNode): readonly ProfileNode[] {
  const above: ProfileNode[] = [];
  for (let at = node.parent; at !== null; at = at.parent) {
    above.push(at);
  }
  return above.reverse();
}

/** What a node stands for as a group of ops; null where it is none, or only a part of one. */
export function groupOf(node: ProfileNode): GroupSelection | null {
  const { kind, label } = node;
  switch (kind) {
    case 'category':
    case 'program':
      // A category below a program has only that one's ops.
      return node.parent?.kind === 'total' ? { kind, name: label, file: null, line: null } : null;
    case 'scope':
      return { kind, name: [...scopesAbove(node), label].join('/'), file: null, line: null };
    default:
      return null;
  }
}

function scopesAbove(node: ProfileNode): readonly string[] {
  return nodesAbove(node)
    .filter(({ kind }) => kind === 'scope')
    .map(({ label }) => label);
}

/** The node of a group. */
export function nodeOfGroup(tree: ProfileTree, { kind, name }: GroupSelection): ProfileNode | null {
  return heaviest(tree, (node) => {
    const group = groupOf(node);
    return group?.kind === kind && group.name === name;
  });
}

/** The node of an op: the heaviest, where its time is shared among lines that each have it. */
export function nodeOfOp(tree: ProfileTree, opKey: string): ProfileNode | null {
  return heaviest(tree, ({ kind, op_key }) => kind === 'op' && op_key === opKey);
}

/** The node of a line, where the tree has lines; else the heaviest op on it. */
export function nodeOfLine(tree: ProfileTree, file: string, line: number): ProfileNode | null {
  const isThere = (node: ProfileNode): boolean => node.file === file && node.line === line;
  return (
    heaviest(tree, (node) => node.kind === 'line' && isThere(node)) ??
    heaviest(tree, (node) => node.kind === 'op' && isThere(node))
  );
}

function heaviest(tree: ProfileTree, isMeant: (node: ProfileNode) => boolean): ProfileNode | null {
  let found: ProfileNode | null = null;
  for (const node of tree.byKey.values()) {
    if (isMeant(node) && (found === null || (node.self_ps ?? 0) > (found.self_ps ?? 0))) {
      found = node;
    }
  }
  return found;
}

// The tree of the op profile: the record's rows with those below them.

import type { GroupSelection, Selection } from '../../../src/panels/messages';
import type { OpProfileRow } from '../../../src/protocol';
import { type Branch, heaviest, pathTo, type Tree, treeOf } from '../../shared/table/tree';

export interface ProfileNode extends Omit<OpProfileRow, 'kind'>, Branch<ProfileNode> {
  /** As the record has it; `more` stands for the rest of the rows below one, which are below it. */
  readonly kind: OpProfileRow['kind'] | 'more';
}

/** The roots are one, the total; none where the record has no rows. */
export interface ProfileTree extends Tree<ProfileNode> {
  /** The time that shares are of. */
  readonly whole_ps: number;
  /** How many ops there are, however many rows each has. */
  readonly ops: number;
  /** Rows of ops: an op that lines share has one on each of them. */
  readonly opRows: number;
}

export function profileTree(rows: readonly OpProfileRow[], options: { readonly withIdle: boolean }): ProfileTree {
  const idle_ps = rows.reduce((sum, row) => sum + (row.kind === 'idle' ? (row.self_ps ?? 0) : 0), 0);
  const shown = options.withIdle
    ? rows
    : rows
        .filter(({ kind }) => kind !== 'idle')
        // The time of the total is of all that is below it.
        .map((row) =>
          row.kind === 'total' && row.self_ps !== null ? { ...row, self_ps: row.self_ps - idle_ps } : row,
        );
  const tree: Tree<ProfileNode> = treeOf(shown);
  const ofOps = rows.filter(({ kind }) => kind === 'op');
  return {
    ...tree,
    whole_ps: tree.roots.reduce((sum, { self_ps }) => sum + (self_ps ?? 0), 0),
    ops: new Set(ofOps.map(({ op_key, key }) => op_key ?? key)).size,
    opRows: ofOps.length,
  };
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
  return pathTo(node)
    .slice(0, -1)
    .filter(({ kind }) => kind === 'scope')
    .map(({ label }) => label);
}

/** The node of what is selected elsewhere. */
export function nodeOf(tree: ProfileTree, selection: Selection): ProfileNode | null {
  const nodes = [...tree.byKey.values()];
  switch (selection.kind) {
    case 'op':
      // The heaviest, where its time is shared among lines that each have it.
      return heaviest(nodes, ({ kind, op_key }) => kind === 'op' && op_key === selection.key);
    case 'line': {
      // The line itself, where the tree has lines; else the heaviest op on it.
      const there = nodes.filter(({ file, line }) => file === selection.file && line === selection.line);
      return heaviest(there, ({ kind }) => kind === 'line') ?? heaviest(there, ({ kind }) => kind === 'op');
    }
    default:
      return heaviest(nodes, (node) => {
        const group = groupOf(node);
        return group?.kind === selection.kind && group.name === selection.name;
      });
  }
}

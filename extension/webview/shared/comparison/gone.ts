// What is only before: rows that a table of the shown run would not have, so that columns sum to what they sum to.

import type { ComparedNode, ComparedRow } from '../../../src/protocol';
import { grouped } from '../grouped';
import { lineText } from '../op/words';
import { type Change, changeOfNode, changeOfRow } from './change';
import { rowLabel } from './words';

/** A row without anything after. */
export class Gone {
  constructor(
    readonly key: string,
    readonly label: string,
    readonly change: Change,
    readonly children: readonly Gone[] = [],
  ) {}

  /** It stands in no file as it is now. */
  readonly path: string | null = null;
  readonly file: string | null = null;
  readonly line: number | null = null;
}

/** By key of the row that they are below; null at the top. */
export type GoneBelow = ReadonlyMap<string | null, readonly Gone[]>;

export const NOTHING_GONE: GoneBelow = new Map();

export function goneRows(
  rows: readonly ComparedRow[],
  changeOf: (row: ComparedRow) => Change | null = changeOfRow,
): GoneBelow {
  const gone = rows.flatMap((row) => {
    const change = row.after_key === null ? changeOf(row) : null;
    return change === null || change.change === 0 ? [] : [new Gone(`gone ${row.key}`, labelOfRow(row), change)];
  });
  return gone.length === 0 ? NOTHING_GONE : new Map([[null, gone]]);
}

function labelOfRow(row: ComparedRow): string {
  const label = rowLabel(row);
  return row.kind === 'line' ? [lineText(row.before_path, row.before_line ?? row.line), label].join(' ').trim() : label;
}

/** Nodes that are only before, below those that are there after. */
export function goneNodes(nodes: readonly ComparedNode[]): GoneBelow {
  const gone = nodes.filter(({ after, change }) => after === null && change !== 0);
  const below = grouped(gone, ({ parent }) => parent);
  const keys = new Set(gone.map(({ key }) => key));
  // Preorder: what is below a node comes after it.
  const made = new Map<string, Gone>();
  for (const node of gone.toReversed()) {
    const children = (below.get(node.key) ?? []).flatMap(({ key }) => made.get(key) ?? []);
    made.set(node.key, new Gone(`gone ${node.key}`, labelOfNode(node), changeOfNode(node), children));
  }
  return new Map(
    [...below]
      .filter(([parent]) => parent === null || !keys.has(parent))
      .map(([parent, children]) => [parent, children.flatMap(({ key }) => made.get(key) ?? [])]),
  );
}

function labelOfNode(node: ComparedNode): string {
  switch (node.kind) {
    case 'frame':
    case 'buffer':
    case 'stage':
      return [node.label, lineText(node.path, node.line)].filter((part) => part !== '').join(' · ');
    case 'alive':
      return [lineText(node.path, node.line), node.label].filter((part) => part !== '').join(' · ');
    case 'line':
      return lineText(node.path, node.line);
    default:
      return node.label;
  }
}

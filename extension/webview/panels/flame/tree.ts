// The tree of a flame graph: the rows of the record below one root that stands for all of them.

import * as l10n from '@vscode/l10n';
import type { FlameRecord, FlameRow } from '../../../src/protocol';
import type { LinePlace } from '../../shared/controls/lineLink';
import { functionText } from '../../shared/op/words';
import type { Branch } from '../../shared/table/tree';
import { type Phase, PHASES } from '../../shared/theme';

/** What is known of a node of a stack, and of a line. */
export interface FlameEntry extends LinePlace {
  readonly key: string;
  readonly name: string;
  readonly self: number;
  readonly inclusive: number;
  readonly phases: Readonly<Partial<Record<Phase, number>>>;
}

export interface FlameNode extends FlameEntry, Branch<FlameNode> {
  /** Null for the root. */
  readonly row: FlameRow | null;
}

export interface FlameTree {
  readonly root: FlameNode;
  readonly byKey: ReadonlyMap<string, FlameNode>;
}

/** No row has it: keys of rows are not empty. */
const ROOT_KEY = '';
/** From this part of a node on a phase gives it its colour. */
const COLOURS_FROM = 0.75;

/** A node that nodes are put below. */
interface OpenNode extends FlameNode {
  readonly children: FlameNode[];
}

/** `inTime` orders siblings by when they first ran; else the greatest is first. */
export function flameTree(record: FlameRecord, inTime: boolean): FlameTree {
  const phases: Partial<Record<Phase, number>> = {};
  const root: OpenNode = {
    key: ROOT_KEY,
    row: null,
    name: l10n.t('All'),
    path: null,
    file: null,
    line: null,
    self: 0,
    inclusive: record.total,
    phases,
    parent: null,
    children: [],
  };
  const byKey = new Map([[ROOT_KEY, root]]);
  for (const row of record.rows) {
    const parent = byKey.get(row.parent ?? ROOT_KEY) ?? root;
    const node: OpenNode = {
      key: row.key,
      row,
      name: nameOf(row),
      path: row.path,
      file: row.file,
      line: row.line,
      self: row.self_value,
      inclusive: row.inclusive_value,
      phases: Object.fromEntries(row.phases.map(({ phase, value }) => [phase, value])),
      parent,
      children: [],
    };
    parent.children.push(node);
    byKey.set(row.key, node);
    if (parent === root) {
      addPhases(phases, node.phases);
    }
  }
  if (inTime) {
    for (const { children } of byKey.values()) {
      children.sort((one, other) => startOf(one) - startOf(other));
    }
  }
  return { root, byKey };
}

/** Adds the parts of phases to sums of them. */
export function addPhases(sums: Partial<Record<Phase, number>>, more: FlameNode['phases']): void {
  for (const phase of PHASES) {
    const value = more[phase];
    if (value !== undefined) {
      sums[phase] = (sums[phase] ?? 0) + value;
    }
  }
}

/** What never ran stands behind what did. */
function startOf({ row }: FlameNode): number {
  return row?.start_ps ?? Number.MAX_VALUE;
}

function nameOf({ kind, function: name, path, line }: FlameRow): string {
  switch (kind) {
    case 'library':
      return l10n.t('Libraries');
    case 'without-source':
      return l10n.t('Without source');
    case 'frame':
      return name === '' ? `${path ?? ''}:${String(line ?? '')}` : functionText(name);
  }
}

/** The phase that nearly all of a node belongs to; null where there is none. */
export function phaseOf({ phases, inclusive }: FlameNode): Phase | null {
  return PHASES.find((phase) => (phases[phase] ?? 0) >= COLOURS_FROM * inclusive && inclusive > 0) ?? null;
}

/** The share of each phase in a node, or in a line. */
export function phaseShares({
  phases,
  inclusive,
}: Pick<FlameNode, 'phases' | 'inclusive'>): Readonly<Partial<Record<Phase, number>>> {
  return Object.fromEntries(PHASES.map((phase) => [phase, inclusive === 0 ? 0 : (phases[phase] ?? 0) / inclusive]));
}

/** The nodes from the root on of which each has most of all: what is open before a person opens anything. */
export function mainPath(root: FlameNode): readonly FlameNode[] {
  const path: FlameNode[] = [];
  for (let node: FlameNode | undefined = root; node !== undefined;) {
    path.push(node);
    node = node.children.find(({ inclusive }) => inclusive > root.inclusive / 2);
  }
  return path;
}

/** What several nodes have together, of those below each other the upper ones. */
export function together(nodes: ReadonlySet<FlameNode>): number {
  let sum = 0;
  for (const node of nodes) {
    let above = node.parent;
    while (above !== null && !nodes.has(above)) {
      above = above.parent;
    }
    sum += above === null ? node.inclusive : 0;
  }
  return sum;
}

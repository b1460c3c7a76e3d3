// What became of the frames of a flame graph, and of its lines.

import { useMemo } from 'preact/hooks';
import type { FlameRecord } from '../../../src/protocol';
import { type Change, changeArrow, changeOfAll, changeOfNode, changeText } from '../../shared/comparison/change';
import { changeInWords } from '../../shared/comparison/columns';
import type { ComparedRows } from '../../shared/comparison/comparedTable';
import { useComparedTree } from '../../shared/comparison/comparedTree';
import { goneNodes, NOTHING_GONE } from '../../shared/comparison/gone';
import { type Tint, tintOf } from '../../shared/comparison/tint';
import { useDevice } from '../../shared/controls/deviceSelect';
import { BYTES, FLOPS, TIME } from '../../shared/text/quantities';
import { INCLUSIVE_COLUMN } from './columns';
import { type FlameLine, lineKey } from './lines';
import type { FlameNode, FlameTree } from './tree';
import { measureName } from './words';

export interface ComparedFlame {
  readonly rows: ComparedRows<FlameNode | FlameLine>;
  readonly tintOf: (node: FlameNode) => Tint | null;
  /** What it was, what became of it, and whether that can be told; empty where nothing is known. */
  readonly wordsOf: (node: FlameNode) => string;
  /** Which way it went, and by how much: `▲ +4.1 ms`; empty where nothing is known. */
  readonly markOf: (node: FlameNode) => readonly [arrow: string, text: string];
}

/** Null where nothing is compared. */
export function useComparedFlame(
  record: FlameRecord,
  libraries: boolean,
  { root, byKey }: FlameTree,
  showsLines: boolean,
): ComparedFlame | null {
  const tree = useComparedTree('comparedFlame', { measure: record.measure, libraries, device: useDevice() });
  const of = JSON.stringify(tree?.sides ?? null);
  return useMemo(() => {
    if (tree === null) {
      return null;
    }
    const compared = tree.record;
    const rounds = compared?.rounds ?? 1;
    const whole = Math.max(compared?.total_before ?? 0, compared?.total_after ?? 0);
    const quantity = { ps: TIME, flops: FLOPS, bytes: BYTES }[record.unit];
    const changeOfFrame = (node: FlameNode): Change | null => {
      if (node === root) {
        const all = compared?.whole ?? null;
        return all === null ? null : changeOfNode(all);
      }
      const found = tree.byKey.get(node.key);
      return found === undefined ? null : changeOfNode(found);
    };
    const nodesOfLine = showsLines ? upperNodes(byKey.values()) : new Map<string, FlameNode[]>();
    const changeOf = (row: FlameNode | FlameLine): Change | null =>
      'greatest' in row
        ? changeOfAll((nodesOfLine.get(row.key) ?? []).flatMap((node) => changeOfFrame(node) ?? []))
        : changeOfFrame(row);
    const gone = goneNodes(compared?.nodes ?? []);
    return {
      rows: {
        sides: tree.sides,
        changeOf,
        // Lines are sums over stacks, which do not sum to anything; at the top of stacks there is one root.
        gone: showsLines ? NOTHING_GONE : new Map([...gone].map(([parent, rows]) => [parent ?? root.key, rows])),
        quantity,
        meaning: measureName(record.measure),
        rounds,
        isPerStep: false,
        behind: INCLUSIVE_COLUMN,
      },
      tintOf: (node) => {
        const change = changeOfFrame(node);
        return change === null ? null : tintOf(change, whole);
      },
      wordsOf: (node) => {
        const change = changeOfFrame(node);
        return change === null ? '' : changeInWords(change, quantity, rounds);
      },
      markOf: (node) => {
        const change = changeOfFrame(node);
        return change === null ? ['', ''] : [changeArrow(change), changeText(change, quantity)];
      },
    };
  }, [of, tree?.record, record, root, showsLines]);
}

/** The nodes of each line that are below no other of the same line. */
function upperNodes(nodes: Iterable<FlameNode>): ReadonlyMap<string, readonly FlameNode[]> {
  const found = new Map<string, FlameNode[]>();
  for (const node of nodes) {
    const key = lineKey(node);
    let above = node.parent;
    while (above !== null && lineKey(above) !== key) {
      above = above.parent;
    }
    if (above === null) {
      found.set(key, [...(found.get(key) ?? []), node]);
    }
  }
  return found;
}

// What became of the nodes of the graph.

import { useMemo } from 'preact/hooks';
import type { GraphNode, GraphOptions } from '../../../src/protocol';
import { type Change, changeArrow, changeMark, changeOfNode } from '../../shared/comparison/change';
import { changeInWords, selfTimeText } from '../../shared/comparison/columns';
import type { ComparedRows } from '../../shared/comparison/comparedTable';
import { useComparedTree } from '../../shared/comparison/comparedTree';
import { goneNodes } from '../../shared/comparison/gone';
import { type Tint, tintOf } from '../../shared/comparison/tint';
import { TIME } from '../../shared/text/quantities';

export interface ComparedGraph {
  readonly rows: ComparedRows<GraphNode>;
  readonly tintOf: (node: GraphNode) => Tint | null;
  /** What it was, what became of it, and whether that can be told; empty where nothing is known. */
  readonly wordsOf: (node: GraphNode) => string;
  /** Which way it went, and by how much; empty where nothing is known. */
  readonly markOf: (node: GraphNode) => string;
  /** The same in one character. */
  readonly arrowOf: (node: GraphNode) => string;
}

/** Null where nothing is compared. */
export function useComparedGraph(params: GraphOptions): ComparedGraph | null {
  const tree = useComparedTree('comparedGraph', params);
  const of = JSON.stringify(tree?.sides ?? null);
  return useMemo(() => {
    if (tree === null) {
      return null;
    }
    const { record, byKey, sides } = tree;
    const rounds = record?.rounds ?? 1;
    const whole = Math.max(record?.total_before ?? 0, record?.total_after ?? 0);
    const changeOf = (node: GraphNode): Change | null => {
      const compared = byKey.get(node.key);
      return compared === undefined ? null : changeOfNode(compared);
    };
    return {
      rows: {
        sides,
        changeOf,
        gone: goneNodes(record?.nodes ?? []),
        quantity: TIME,
        meaning: selfTimeText(),
        rounds,
        isPerStep: false,
        behind: 'self',
      },
      tintOf: (node) => {
        const change = changeOf(node);
        return change === null ? null : tintOf(change, whole);
      },
      wordsOf: (node) => {
        const change = changeOf(node);
        return change === null ? '' : changeInWords(change, TIME, rounds);
      },
      markOf: (node) => {
        const change = changeOf(node);
        return change === null ? '' : changeMark(change, TIME);
      },
      arrowOf: (node) => {
        const change = changeOf(node);
        return change === null ? '' : changeArrow(change) || '±';
      },
    };
  }, [of, tree?.record]);
}

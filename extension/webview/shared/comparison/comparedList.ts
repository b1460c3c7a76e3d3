// What became of the rows of a table that are neither lines nor ops, by their keys in its own record.

import { useMemo } from 'preact/hooks';
import type { ComparedListOptions, ComparedNode } from '../../../src/protocol';
import type { Quantity } from '../text/quantities';
import { changeOfNode } from './change';
import type { ComparedRows } from './comparedTable';
import { useComparedTree } from './comparedTree';
import { goneNodes } from './gone';

/** Null where nothing is compared, or `params` are null. */
export function useComparedList<Row extends { readonly key: string }>(
  params: ComparedListOptions | null,
  options: {
    readonly quantity: Quantity;
    /** What is compared, in words. */
    readonly meaning: string;
    readonly behind: string;
    /** Which of what is compared the table is of: the same function as long as the table is. */
    readonly isOf?: (node: ComparedNode) => boolean;
  },
): ComparedRows<Row> | null {
  const { quantity, meaning, behind, isOf = isAny } = options;
  const tree = useComparedTree('comparedList', params);
  const of = JSON.stringify(tree?.sides ?? null);
  return useMemo(() => {
    if (tree === null) {
      return null;
    }
    const { sides, record, byKey } = tree;
    return {
      sides,
      changeOf: ({ key }) => {
        const node = byKey.get(key);
        return node === undefined ? null : changeOfNode(node);
      },
      gone: goneNodes(record?.nodes.filter(isOf) ?? []),
      quantity,
      meaning,
      behind,
      rounds: record?.rounds ?? 1,
      isPerStep: false,
    };
  }, [of, tree?.record, quantity, meaning, behind, isOf]);
}

const isAny = (): boolean => true;

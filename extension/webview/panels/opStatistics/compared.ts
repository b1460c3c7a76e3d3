// What became of the types of ops.

import { useMemo } from 'preact/hooks';
import type { ExtentRecord } from '../../../src/protocol';
import { type Change, changeOfAll, changeOfNode } from '../../shared/comparison/change';
import { selfTimeText } from '../../shared/comparison/columns';
import type { ComparedRows } from '../../shared/comparison/comparedTable';
import { useComparedTree } from '../../shared/comparison/comparedTree';
import { goneNodes } from '../../shared/comparison/gone';
import { useDevice } from '../../shared/controls/deviceSelect';
import { TIME } from '../../shared/text/quantities';
import type { OpType } from './types';

/** Null where nothing is compared, or what is shown is not all of what is: `isAll` says whether it is. */
export function useComparedTypes(extent: ExtentRecord, isAll: boolean): ComparedRows<OpType> | null {
  const tree = useComparedTree('comparedProfile', { by: 'category', device: useDevice() });
  const isOfSteps = extent.steps > 0 || !extent.has_steps;
  const of = JSON.stringify(tree?.sides ?? null);
  return useMemo(() => {
    if (tree === null || !isAll || !isOfSteps) {
      return null;
    }
    const { record, sides } = tree;
    const categories = record?.nodes.filter(({ kind }) => kind === 'category') ?? [];
    const changes = new Map<string, Change>(categories.map((node) => [node.label, changeOfNode(node)]));
    return {
      sides,
      changeOf: (type) => changeOfAll([...type.categories].flatMap((name) => changes.get(name) ?? [])),
      gone: goneNodes(categories.map((node) => ({ ...node, parent: null }))),
      quantity: TIME,
      meaning: selfTimeText(),
      rounds: record?.rounds ?? 1,
      isPerStep: record?.has_steps !== false,
      behind: 'self',
    };
  }, [of, tree?.record, isAll, isOfSteps]);
}

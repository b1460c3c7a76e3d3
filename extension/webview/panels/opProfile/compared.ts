// What became of the nodes of the op profile.

import { useMemo } from 'preact/hooks';
import type { OpProfileGrouping } from '../../../src/protocol';
import { type Change, changeOfAll, changeOfNode } from '../../shared/comparison/change';
import { useColouredBy } from '../../shared/comparison/colourBy';
import { selfTimeText } from '../../shared/comparison/columns';
import type { ComparedRows } from '../../shared/comparison/comparedTable';
import { useComparedTree } from '../../shared/comparison/comparedTree';
import { goneNodes } from '../../shared/comparison/gone';
import { tintOf } from '../../shared/comparison/tint';
import { useDevice } from '../../shared/controls/deviceSelect';
import { TIME } from '../../shared/text/quantities';
import { TIME_COLUMN } from './columns';
import type { ProfileNode } from './tree';

/** Null where nothing is compared. Without idle time the whole is what the ops have, before as after. */
export function useComparedProfile(by: OpProfileGrouping, withIdle: boolean): ComparedRows<ProfileNode> | null {
  const tree = useComparedTree('comparedProfile', { by, device: useDevice() });
  const isTinted = useColouredBy().by === 'change';
  const of = JSON.stringify(tree?.sides ?? null);
  return useMemo(() => {
    if (tree === null) {
      return null;
    }
    const { record, byKey, sides } = tree;
    const changeOf = (node: ProfileNode): Change | null => {
      if (node.kind === 'more') {
        return changeOfAll(node.children.flatMap((each) => changeOf(each) ?? []));
      }
      if (!node.has_estimate) {
        return null;
      }
      const isWithoutIdle = node.kind === 'total' && !withIdle;
      const compared = (isWithoutIdle ? record?.whole : null) ?? byKey.get(node.key);
      return compared === undefined ? null : changeOfNode(compared);
    };
    const whole = Math.max(record?.total_before ?? 0, record?.total_after ?? 0);
    return {
      sides,
      changeOf,
      gone: goneNodes(record?.nodes.filter(({ kind }) => withIdle || kind !== 'idle') ?? []),
      quantity: TIME,
      meaning: selfTimeText(),
      rounds: record?.rounds ?? 1,
      isPerStep: record?.has_steps !== false,
      behind: 'self',
      ...(isTinted ? { tinted: { column: TIME_COLUMN, tintOf: (change) => tintOf(change, whole) } } : {}),
    };
  }, [of, tree?.record, withIdle, isTinted]);
}

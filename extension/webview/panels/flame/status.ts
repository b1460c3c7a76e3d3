// The status line of a flame graph: what is found, what is shown, and of what.

import * as l10n from '@vscode/l10n';
import type { FlameRecord } from '../../../src/protocol';
import { extentText } from '../../shared/op/extent';
import { count } from '../../shared/text/format';
import type { Quantity } from '../../shared/text/quantities';
import { type FlameNode, together } from './tree';
import { partText, totalText } from './words';

/** `found` is null without a search. */
export function statusParts(
  record: FlameRecord,
  quantity: Quantity,
  found: ReadonlySet<FlameNode> | null,
): readonly (string | null)[] {
  return [
    found === null ? null : foundText(record, quantity, found),
    l10n.t('{0} in {1} frames', totalText(record), count(record.rows.length)),
    record.measure === 'memory' ? null : extentText(record.extent),
  ];
}

/** How many frames a search has found, and what all of them have together. */
export function foundText(record: FlameRecord, quantity: Quantity, found: ReadonlySet<FlameNode>): string {
  const value = together(found);
  const wheres = [quantity.text(value), partText(quantity, value / Math.max(1, record.total))] as const;
  return found.size === 1
    ? l10n.t('1 frame found: {0}, {1}', ...wheres)
    : l10n.t('{0} frames found: {1}, {2}', count(found.size), ...wheres);
}

// What became of a row or a node since the run that the shown one is compared with: one form for all tables and pictures.

import * as l10n from '@vscode/l10n';
import type { ComparedNode, ComparedRow, JudgedBy, PairedBy, Verdict } from '../../../src/protocol';
import { count } from '../text/format';
import type { Quantity } from '../text/quantities';
import { changeShare, evidenceName, pairingName, signed, signedShare, verdictText } from './words';

export interface Change {
  /** Null where it is not there. */
  readonly before: number | null;
  readonly after: number | null;
  readonly change: number;
  readonly verdict: Verdict;
  readonly judgedBy: JudgedBy;
  /** By how much it changed, of what it was, by what the verdict rests on: CPU time, say, where `change` is of a wall clock. */
  readonly told_ratio: number | null;
  /** As all that follows of what it is judged by. */
  readonly interval: readonly [number, number] | null;
  /** The smallest change that would have been seen, and as a part of what there was before. */
  readonly visible: number | null;
  readonly visible_ratio: number | null;
  readonly pairedBy: PairedBy | null;
}

/** The time of a row, or its bytes where it has no time. */
export function changeOfRow(row: ComparedRow): Change {
  const isOfBytes = row.change_ps === null && row.change_bytes !== null;
  return {
    before: isOfBytes ? row.before_bytes : row.before_ps,
    after: isOfBytes ? row.after_bytes : row.after_ps,
    change: (isOfBytes ? row.change_bytes : row.change_ps) ?? 0,
    verdict: row.verdict,
    judgedBy: row.judged_by,
    told_ratio: row.judged_change_ratio ?? row.change_ratio,
    interval: row.interval_ps ?? row.interval_cpu_ps,
    visible: row.visible_ps ?? row.visible_cpu_ps,
    visible_ratio: row.visible_ratio,
    pairedBy: row.paired_by,
  };
}

/** The FLOPs of a row, which are counted: any change of them is one. Null where they are not known of a side. */
export function flopsChangeOfRow(row: ComparedRow): Change | null {
  const { before_flops: before, after_flops: after } = row;
  const isKnown = (row.before_key === null || before !== null) && (row.after_key === null || after !== null);
  if (!isKnown || (before === null && after === null)) {
    return null;
  }
  const change = (after ?? 0) - (before ?? 0);
  return {
    before,
    after,
    change,
    verdict:
      before === null
        ? 'only-after'
        : after === null
          ? 'only-before'
          : change > 0
            ? 'worse'
            : change < 0
              ? 'better'
              : 'same',
    judgedBy: 'exact',
    told_ratio: before === null || before === 0 || after === null ? null : after / before - 1,
    interval: null,
    visible: null,
    visible_ratio: null,
    pairedBy: row.paired_by,
  };
}

export function changeOfNode(node: ComparedNode): Change {
  return {
    before: node.before,
    after: node.after,
    change: node.change,
    verdict: node.verdict,
    judgedBy: node.judged_by,
    told_ratio: node.judged_change_ratio ?? node.change_ratio,
    interval: node.interval,
    visible: node.visible,
    // Of CPU time it is not known how much there was.
    visible_ratio:
      node.visible === null || node.before === null || node.before === 0 || node.judged_by === 'cpu-time'
        ? null
        : node.visible / node.before,
    pairedBy: node.paired_by,
  };
}

/** Of several together: whether their sum changed, nothing tells but that none of them did. */
export function changeOfAll(changes: readonly Change[]): Change | null {
  const [first] = changes;
  if (first === undefined || changes.length === 1) {
    return first ?? null;
  }
  const sum = (values: readonly (number | null)[]): number | null =>
    values.every((value) => value === null) ? null : values.reduce<number>((all, value) => all + (value ?? 0), 0);
  const [before, after] = [sum(changes.map((each) => each.before)), sum(changes.map((each) => each.after))];
  const isOne = changes.every(({ verdict }) => verdict === first.verdict);
  const isExact = changes.every(({ judgedBy }) => judgedBy === 'exact');
  const change = (after ?? 0) - (before ?? 0);
  return {
    before,
    after,
    change,
    verdict: isOne ? first.verdict : isExact ? (change > 0 ? 'worse' : change < 0 ? 'better' : 'same') : 'cannot-tell',
    judgedBy: first.judgedBy,
    told_ratio: before === null || before === 0 || after === null ? null : after / before - 1,
    interval: null,
    visible: null,
    visible_ratio: null,
    pairedBy: null,
  };
}

/**
 * A change for a glance, always with its sign: `+4.1 ms`, `new +4.1 ms`, `+4.1 ms ±` where it cannot be told. In short
 * what tells it alone, where that is something else than what the table has.
 */
export function changeText(found: Change, quantity: Quantity, isShort = false): string {
  const { change, verdict } = found;
  if (change === 0) {
    return '=';
  }
  const text = signed(change, quantity.text);
  switch (verdict) {
    case 'only-after':
      return l10n.t('new {0}', text);
    case 'only-before':
      return l10n.t('gone {0}', text);
    case 'cannot-tell':
      return `${text} ±`;
    default:
      return !isOtherwise(found)
        ? text
        : isShort
          ? l10n.t('CPU time {0}', signedShare(found.told_ratio))
          : l10n.t('{0}, CPU time {1}', text, signedShare(found.told_ratio));
  }
}

/** Which way it went, as far as that is told: what CPU time tells of a busy machine its wall clock may not show. */
function directionOf({ change, verdict }: Change): number {
  return verdict === 'worse' ? 1 : verdict === 'better' ? -1 : Math.sign(change);
}

function isOtherwise(change: Change): boolean {
  return directionOf(change) !== Math.sign(change.change) && change.judgedBy === 'cpu-time';
}

/** How much of what there was changed, by what tells it. */
export function toldChange(change: Change): number {
  const { verdict, told_ratio, before, judgedBy } = change;
  const isTold = (verdict === 'worse' || verdict === 'better') && judgedBy === 'cpu-time';
  return isTold && told_ratio !== null && before !== null ? told_ratio * before : change.change;
}

/** In one character which way it went, whatever colours there are; nothing where the text says that nothing is told. */
export function changeArrow(found: Change): string {
  const { change, verdict } = found;
  if (change === 0 || verdict === 'cannot-tell') {
    return '';
  }
  return verdict === 'same' ? '=' : directionOf(found) > 0 ? '▲' : '▼';
}

/** The arrow and the text together, for a picture. */
export function changeMark(change: Change, quantity: Quantity): string {
  return [changeArrow(change), changeText(change, quantity)].filter((part) => part !== '').join(' ');
}

/** That a number is a mean. */
export function averageText(rounds: number): string {
  return l10n.t('on average over {0} rounds', count(rounds));
}

/** All that is known of a change, a line each. */
export function changeInFull(change: Change, quantity: Quantity, rounds = 1): string {
  const { before, after, interval, visible, visible_ratio: seen, told_ratio, verdict } = change;
  // It is another clock than that of the numbers: whatever is of it says so.
  const isOfCpu = change.judgedBy === 'cpu-time';
  const exact = (value: number | null): string => (value === null ? l10n.t('nothing') : quantity.exact(value));
  return [
    l10n.t('{0} before, {1} after', exact(before), exact(after)),
    rounds > 1 ? averageText(rounds) : '',
    `${signed(change.change, quantity.exact)}${before === null || before === 0 || after === null ? '' : ` (${signedShare(after / before - 1)})`}`,
    change.judgedBy === 'exact'
      ? verdictText(verdict, null)
      : l10n.t(
          '{0}, by {1}{2}',
          verdictText(verdict, seen),
          evidenceName(change.judgedBy),
          told_ratio === null || !isOfCpu ? '' : `: ${signedShare(told_ratio)}`,
        ),
    interval === null || told_ratio === null
      ? ''
      : isOfCpu
        ? l10n.t('95 % of CPU time: {0} to {1}', ...interval.map((value) => signed(value, quantity.text)))
        : l10n.t('95 %: {0} to {1}', ...interval.map((value) => signed(value, quantity.text))),
    visible === null || (seen !== null && (verdict === 'same' || verdict === 'cannot-tell'))
      ? ''
      : isOfCpu
        ? l10n.t(
            'a change of {0} of CPU time would have been seen',
            seen === null ? quantity.text(visible) : changeShare(seen),
          )
        : seen === null
          ? ''
          : l10n.t('a change of {0} would have been seen', changeShare(seen)),
    change.pairedBy === null ? '' : l10n.t('compared because of: {0}', pairingName(change.pairedBy)),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

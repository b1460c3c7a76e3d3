// What is said of a type of ops, and how it is told apart from others.

import * as l10n from '@vscode/l10n';
import { type Pattern, PATTERNS } from '../../shared/charts/pie';
import { count, duration, exactDuration, exactFlops, flops } from '../../shared/text/format';
import { UNKNOWN } from '../../shared/text/quantities';
import { type OpType, REST, type TypeMeasure } from './types';

/** Hues of slices, in turn; those of a further turn have a pattern, so that no two look the same. */
const HUES = ['blue', 'orange', 'green', 'purple', 'red', 'yellow'];

/** A type by its name; the rest by how many types it stands for. */
export function typeName(type: OpType): string {
  return type.key === REST
    ? l10n.t('{0} other types', count(type.categories.size))
    : type.key === ''
      ? l10n.t('(no type)')
      : type.key;
}

/** Whether of no op of the type the amount is known. */
export function isUnknown({ ops, unknown }: OpType): boolean {
  return unknown === ops;
}

export function amountText(type: OpType, measure: TypeMeasure): string {
  if (isUnknown(type)) {
    return UNKNOWN;
  }
  return measure === 'flops' ? flops(type.amount) : duration(type.amount);
}

export function exactText(type: OpType, measure: TypeMeasure): string {
  if (measure === 'flops') {
    const { amount, ops, unknown } = type;
    return unknown === 0
      ? l10n.t('{0}: {1} of {2} ops', typeName(type), exactFlops(amount), count(ops))
      : l10n.t(
          '{0}: {1} of {2} ops; of {3} more FLOPs are not known',
          typeName(type),
          exactFlops(amount),
          count(ops - unknown),
          count(unknown),
        );
  }
  if (isUnknown(type)) {
    return l10n.t('{0}: there is no estimate of how long {1} ops take', typeName(type), count(type.ops));
  }
  return l10n.t(
    '{0}: {1} of {2} ops in {3} executions',
    typeName(type),
    exactDuration(type.amount),
    count(type.ops),
    count(type.executions),
  );
}

export function markOf({ rank }: OpType): string {
  return rank === 0 ? '…' : String(rank);
}

export function hueOf({ rank }: OpType): string {
  return `var(--vscode-${rank === 0 ? 'descriptionForeground' : `charts-${HUES[(rank - 1) % HUES.length] ?? ''}`})`;
}

export function patternOf({ rank }: OpType): Pattern {
  return rank === 0 ? 'plain' : (PATTERNS[Math.floor((rank - 1) / HUES.length) % PATTERNS.length] ?? 'plain');
}

// The types of ops: what each took in all, or computes where nothing ran.

import type { OpRow } from '../../../src/protocol';
import { grouped } from '../../shared/grouped';

/** What types are told apart by: their self time, or their FLOPs where nothing ran. */
export type TypeMeasure = 'self_ps' | 'flops';

export interface OpType {
  /** The type's name; that of the rest is no type's. */
  readonly key: string;
  /** From 1, by the measure; 0 for the rest. */
  readonly rank: number;
  /** In the measure: picoseconds, or FLOPs as far as they are known. */
  readonly amount: number;
  /** Of all types together. */
  readonly share_ratio: number;
  readonly executions: number;
  readonly ops: number;
  /** How many of the ops have an amount that is not known. */
  readonly unknown: number;
  /** The types that it stands for. */
  readonly categories: ReadonlySet<string>;
}

/** The key of the types that are not shown one by one. */
export const REST = '\u0000rest';

/** In lists, and around a pie, where names need room. */
const MOST_TYPES = 20;
export const MOST_SLICES = 8;

/** The types with the most of the measure, and the rest as one. Their amounts sum to that of the rows. */
export function opTypes(
  rows: readonly OpRow[],
  measure: TypeMeasure = 'self_ps',
  most: number = MOST_TYPES,
): readonly OpType[] {
  const amountOf = (ops: readonly OpRow[]): number => ops.reduce((sum, op) => sum + (op[measure] ?? 0), 0);
  const whole = Math.max(1, amountOf(rows));
  const typeOf = (key: string, rank: number, ops: readonly OpRow[]): OpType => ({
    key,
    rank,
    amount: amountOf(ops),
    share_ratio: amountOf(ops) / whole,
    executions: ops.reduce((sum, { executions }) => sum + executions, 0),
    ops: ops.length,
    unknown: ops.filter((op) => op[measure] === null || (measure === 'self_ps' && !op.has_estimate)).length,
    categories: new Set(ops.map(({ category }) => category)),
  });
  const ordered = [...grouped(rows, ({ category }) => category)].sort(
    ([, one], [, other]) => amountOf(other) - amountOf(one),
  );
  const types = ordered.map(([category, ops], position) => typeOf(category, position + 1, ops));
  const rest = ordered.slice(most).flatMap(([, ops]) => ops);
  return types.length < most + 2 ? types : [...types.slice(0, most), typeOf(REST, 0, rest)];
}

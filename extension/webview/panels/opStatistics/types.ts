// The types of ops: what each took in all, or computes where nothing ran.

import type { OpRow } from '../../../src/protocol';

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

const MOST_TYPES = 20;

/** The types with the most of the measure, and the rest as one. Their amounts sum to that of the rows. */
export function opTypes(rows: readonly OpRow[], measure: TypeMeasure = 'self_ps'): readonly OpType[] {
  const sums = new Map<string, { amount: number; executions: number; ops: number; unknown: number }>();
  for (const row of rows) {
    const sum = sums.get(row.category) ?? { amount: 0, executions: 0, ops: 0, unknown: 0 };
    sum.amount += row[measure] ?? 0;
    sum.executions += row.executions;
    sum.ops += 1;
    sum.unknown += row[measure] === null ? 1 : 0;
    sums.set(row.category, sum);
  }
  const whole = [...sums.values()].reduce((total, { amount }) => total + amount, 0);
  const types = [...sums]
    .sort(([, one], [, other]) => other.amount - one.amount)
    .map(([key, sum], position) => ({
      key,
      rank: position + 1,
      ...sum,
      share_ratio: sum.amount / Math.max(1, whole),
      categories: new Set([key]),
    }));
  const rest = types.slice(MOST_TYPES);
  return rest.length < 2
    ? types
    : [
        ...types.slice(0, MOST_TYPES),
        {
          key: REST,
          rank: 0,
          amount: sum(rest, ({ amount }) => amount),
          share_ratio: sum(rest, ({ share_ratio }) => share_ratio),
          executions: sum(rest, ({ executions }) => executions),
          ops: sum(rest, ({ ops }) => ops),
          unknown: sum(rest, ({ unknown }) => unknown),
          categories: new Set(rest.map(({ key }) => key)),
        },
      ];
}

function sum(types: readonly OpType[], of: (type: OpType) => number): number {
  return types.reduce((total, type) => total + of(type), 0);
}

// What of an answer can be drawn: bars of a name and a number, a curve over a number that only grows, or points of two
// numbers that nothing names.

import type { AnswerColumn, QueryAnswer } from '../../../src/protocol';
import { isNumber } from './columns';
import type { AnswerRow } from './answerRows';

export interface BarChart {
  readonly kind: 'bars';
  /** Columns that name a bar, and the one that it is as long as. */
  readonly names: readonly number[];
  readonly value: number;
}

export interface CurveChart {
  readonly kind: 'curve';
  readonly x: number;
  readonly values: readonly number[];
}

/** A point for each row. */
export interface PointChart {
  readonly kind: 'points';
  readonly x: number;
  readonly y: number;
}

export type ChartKind = BarChart | CurveChart | PointChart;

const MOST_CURVES = 4;
const MOST_NAMES = 3;
/** Numbers that place a row rather than measure it. */
const PLACING = /^(run|line|pid|ordinal|.*_id)$/;

/** Null where the answer has nothing that could be drawn. */
export function chartOf({ columns }: QueryAnswer, rows: readonly AnswerRow[]): ChartKind | null {
  const numbers = columns.flatMap((column, at) => (isNumber(column) && !PLACING.test(column.name) ? [at] : []));
  const texts = columns.flatMap((column, at) => (column.kind === 'text' && column.name !== 'file' ? [at] : []));
  const [first, ...others] = numbers;
  if (first === undefined || rows.length === 0) {
    return null;
  }
  if (others.length > 0 && texts.length === 0 && rows.length > 1 && grows(rows, first)) {
    // Curves of one unit share an axis.
    const unit = columns[others[0] ?? 0]?.unit ?? null;
    const alike = others.filter((at) => columns[at]?.unit === unit);
    return { kind: 'curve', x: first, values: alike.slice(0, MOST_CURVES) };
  }
  const [other] = others;
  if (other !== undefined && texts.length === 0 && !isCount(columns[first], rows, first)) {
    return isDrawn(rows, other) ? { kind: 'points', x: first, y: other } : null;
  }
  const measured = numbers.find((at) => columns[at]?.unit !== null) ?? numbers.at(-1);
  if (measured === undefined) {
    return null;
  }
  const lines = columns.flatMap(({ name }, at) => (name === 'line' ? [at] : []));
  const names =
    texts.length > 0 ? [...texts.slice(0, MOST_NAMES), ...lines] : numbers.filter((at) => at < measured).slice(0, 1);
  return { kind: 'bars', names, value: measured };
}

/** Whether a number tells rows apart as a name does: that of a step. */
function isCount(column: AnswerColumn | undefined, rows: readonly AnswerRow[], at: number): boolean {
  return (
    column?.kind === 'integer' &&
    column.unit === null &&
    new Set(rows.map(({ values }) => values[at])).size === rows.length
  );
}

/** Heights are drawn from zero on. */
function isDrawn(rows: readonly AnswerRow[], at: number): boolean {
  return rows.every(({ values }) => Number(values[at] ?? 0) >= 0);
}

function grows(rows: readonly AnswerRow[], at: number): boolean {
  return rows.every(({ values }, position) => {
    const [value, before] = [values[at], rows[position - 1]?.values[at]];
    return typeof value === 'number' && (position === 0 || (typeof before === 'number' && value > before));
  });
}

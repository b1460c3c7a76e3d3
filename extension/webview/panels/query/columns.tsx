// The columns of an answer: numbers in the unit that their names end in, texts, lines of source.

import * as l10n from '@vscode/l10n';
import type { AnswerColumn, QueryAnswer } from '../../../src/protocol';
import { exactLine, LineLink, lineOrder } from '../../shared/controls/lineLink';
import type { Column } from '../../shared/table/columns';
import { numberColumn, textColumn } from '../../shared/table/kinds';
import { BYTES, COUNT, FLOPS, type Quantity, RATIO, TIME } from '../../shared/text/quantities';
import { duration, exactDuration } from '../../shared/text/format';
import { asWideAsItsTexts } from '../../shared/table/textWidth';
import type { AnswerRow } from './answerRows';

const PS_PER_MS = 1e9;
const DIGITS = 4;
/** Longer texts are cut where there is no room for them. */
const MOST_TEXT_PX = 160;
/** Numbers that name something are not written in groups. */
const NAMES = new Set(['run', 'line', 'step', 'pid', 'op_id', 'device_id', 'lane_id', 'gap_id', 'ordinal']);

const MILLISECONDS: Quantity = {
  text: (time_ms) => duration(time_ms * PS_PER_MS),
  exact: (time_ms) => exactDuration(time_ms * PS_PER_MS),
  unit: 'ms',
};
const NUMBER: Quantity = {
  text: (value) => (Number.isInteger(value) ? COUNT.text(value) : String(Number(value.toPrecision(DIGITS)))),
  exact: String,
  unit: '',
};
const NAME: Quantity = { text: String, exact: String, unit: '' };

/** How the numbers of a column are written. */
export function quantityOf({ name, unit }: AnswerColumn): Quantity {
  switch (unit) {
    case 'ps':
      return TIME;
    case 'ms':
      return MILLISECONDS;
    case 'bytes':
      return BYTES;
    case 'flops':
      return FLOPS;
    case 'ratio':
      return RATIO;
    default:
      return NAMES.has(name) ? NAME : NUMBER;
  }
}

export function isNumber({ kind }: AnswerColumn): boolean {
  return kind === 'integer' || kind === 'number';
}

/** The columns, as wide as their numbers with their units and their titles are: what has no room is scrolled to. */
export function fittedColumns(answer: QueryAnswer, rows: readonly AnswerRow[]): readonly Column<AnswerRow>[] {
  return answerColumns(answer).map((column) => {
    const fitted = asWideAsItsTexts(column, rows);
    return column.align === 'end'
      ? { ...fitted, least_px: fitted.width_px }
      : {
          ...column,
          width_px: Math.min(column.width_px, fitted.width_px),
          least_px: Math.min(MOST_TEXT_PX, fitted.width_px),
        };
  });
}

export function answerColumns(answer: QueryAnswer): readonly Column<AnswerRow>[] {
  const hasPlaces = ['path', 'line'].every((name) => answer.columns.some((column) => column.name === name));
  return answer.columns.map((column, at) => {
    const id = `${String(at)}.${column.name}`;
    if (isNumber(column) && !(hasPlaces && column.name === 'line')) {
      return numberColumn<AnswerRow>(id, column.name, quantityOf(column), ({ values }) => numberAt(values, at));
    }
    if (hasPlaces && column.name === 'line') {
      return {
        id,
        title: column.name,
        width_px: 144,
        value: lineOrder,
        text: ({ line }) => (line === null ? '' : String(line)),
        exact: exactLine,
        cell: (row) => <LineLink place={row} inRow />,
      };
    }
    return textColumn<AnswerRow>(id, column.name, ({ values }) => textOf(values[at] ?? null), {
      width_px: 160,
      least_px: 80,
      fills: 1,
      exact: ({ values }) => textOf(values[at] ?? null) ?? l10n.t('NULL'),
    });
  });
}

export function numberAt(values: AnswerRow['values'], at: number): number | null {
  const value = values[at];
  return typeof value === 'number' ? value : null;
}

export function textOf(value: AnswerRow['values'][number]): string | null {
  return typeof value === 'boolean' ? (value ? l10n.t('yes') : l10n.t('no')) : value === null ? null : String(value);
}

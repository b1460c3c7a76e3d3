// What is read of a row in a chart.

import * as l10n from '@vscode/l10n';
import type { QueryAnswer } from '../../../src/protocol';
import type { AnswerRow } from './answerRows';
import { numberAt, quantityOf } from './columns';

/** A number of a row with the name of its column. */
export function readText(answer: QueryAnswer, row: AnswerRow, at: number): string {
  const column = answer.columns[at];
  const value = numberAt(row.values, at);
  return column === undefined
    ? ''
    : `${column.name} ${value === null ? l10n.t('NULL') : quantityOf(column).text(value)}`;
}

// A chart of an answer whose rows are read by pointer and by keys.

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { QueryAnswer } from '../../../src/protocol';
import type { AnswerRow } from './answerRows';
import { numberAt, quantityOf } from './columns';

/** The chart, below what is read of a row in it: its numbers in `columns`. */
export function ReadChart(props: {
  readonly label: string;
  readonly answer: QueryAnswer;
  readonly row: AnswerRow | undefined;
  readonly columns: readonly number[];
  readonly children: ComponentChildren;
}) {
  const { label, answer, row, columns, children } = props;
  return (
    <section class="chart-above answer-curve" aria-label={label}>
      <p class="readout" aria-live="polite">
        {row === undefined
          ? l10n.t('Point or use arrow keys to read a row')
          : columns.map((at) => readText(answer, row, at)).join(' · ')}
      </p>
      {children}
    </section>
  );
}

/** A number of a row with the name of its column. */
function readText(answer: QueryAnswer, row: AnswerRow, at: number): string {
  const column = answer.columns[at];
  const value = numberAt(row.values, at);
  return column === undefined
    ? ''
    : `${column.name} ${value === null ? l10n.t('NULL') : quantityOf(column).text(value)}`;
}

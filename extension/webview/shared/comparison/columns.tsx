// The columns before and change, which any table has while its run is compared with another.

import * as l10n from '@vscode/l10n';
import type { ComparedWith } from '../../../src/protocol';
import type { Column } from '../table/columns';
import { numberColumn } from '../table/kinds';
import { type Quantity, quantityText } from '../text/quantities';
import { type Change, changeInFull, changeText } from './change';
import './changes.css';
import { verdictClass, verdictText } from './words';

export const BEFORE_COLUMN = 'comparedBefore';
export const CHANGE_COLUMN = 'comparedChange';
export const AFTER_COLUMN = 'comparedAfter';

export function changeColumns<Row>(options: {
  /** Null where a row has no counterpart by its nature, or before anything is known. */
  readonly changeOf: (row: Row) => Change | null;
  readonly quantity: Quantity;
  readonly sides: ComparedWith;
  /** What is compared, in words: `Self time of a step and device`. */
  readonly meaning: string;
  /** Beside the two what there is after, where that is not what the table has: of a step, or the mean of rounds. */
  readonly withAfter?: string | null;
  /** Whether changes are said in short. */
  readonly isShort?: boolean;
}): readonly Column<Row>[] {
  const { changeOf, quantity, sides, meaning, withAfter = null, isShort = false } = options;
  const { unit, bare = String } = quantity;
  const titleOf = (title: string): string => (unit === '' ? title : `${title} (${unit})`);
  const before = (row: Row): number | null => changeOf(row)?.before ?? null;
  return [
    {
      id: BEFORE_COLUMN,
      title: isOfStep(withAfter) ? l10n.t('Before / step') : l10n.t('Before'),
      meaning: l10n.t('{0}, in {1}', meaning, sides.before_title),
      width_px: 112,
      least_px: 64,
      align: 'end',
      rank: 1,
      value: before,
      text: (row) => {
        const change = changeOf(row);
        return change === null ? '' : change.before === null ? l10n.t('none') : quantity.text(change.before);
      },
      exact: (row) => {
        const change = changeOf(row);
        return change === null
          ? ''
          : change.before === null
            ? l10n.t('It was not there.')
            : quantity.exact(change.before);
      },
      copied: {
        title: titleOf(l10n.t('Before')),
        text: (row) => {
          const value = before(row);
          return value === null ? '' : bare(value);
        },
      },
    },
    {
      id: CHANGE_COLUMN,
      title: isOfStep(withAfter) ? l10n.t('Change / step') : l10n.t('Change'),
      meaning: l10n.t(
        '{0}: what became of it since {1}. ± where nothing tells it from noise, = where it is the same',
        meaning,
        sides.since,
      ),
      width_px: 160,
      least_px: 88,
      align: 'end',
      value: (row) => changeOf(row)?.change ?? null,
      text: (row) => {
        const change = changeOf(row);
        return change === null ? '' : changeText(change, quantity, isShort);
      },
      exact: (row) => {
        const change = changeOf(row);
        return change === null ? '' : changeInFull(change, quantity);
      },
      copied: {
        title: titleOf(l10n.t('Change')),
        text: (row) => {
          const change = changeOf(row);
          return change === null ? '' : bare(change.change);
        },
      },
      cell: (row) => {
        const change = changeOf(row);
        return change === null ? '' : <ChangeMark change={change} quantity={quantity} isShort={isShort} />;
      },
    },
    ...(withAfter === null
      ? []
      : [
          numberColumn<Row>(AFTER_COLUMN, withAfter, quantity, (row) => changeOf(row)?.after ?? null, {
            meaning: l10n.t('{0}, in {1}', meaning, sides.after_title),
            isBlank: (row) => (changeOf(row)?.after ?? null) === null,
            rank: 2,
          }),
        ]),
  ];
}

/** What a column of what there is after is called; null where the table has it: of one run, and of a step. */
export function afterTitle(rounds: number, isOfStep: boolean): string | null {
  return isOfStep ? l10n.t('After / step') : rounds > 1 ? l10n.t('After') : null;
}

function isOfStep(title: string | null): boolean {
  return title === l10n.t('After / step');
}

/** A change as it stands in a cell: what can be told stands out, what cannot is dimmed. */
export function ChangeMark(props: {
  readonly change: Change;
  readonly quantity: Quantity;
  readonly isShort?: boolean;
}) {
  const { change, quantity, isShort = false } = props;
  return <span class={`text change ${verdictClass(change.verdict)}`}>{changeText(change, quantity, isShort)}</span>;
}

/** `66.9 ms before, +8.6 ms, more`: for a line of text. */
export function changeInWords(change: Change, quantity: Quantity): string {
  return l10n.t(
    '{0} before, {1}, {2}',
    quantityText(quantity, change.before),
    changeText(change, quantity),
    verdictText(change.verdict, null),
  );
}

/** What is compared of lines. */
export function lineTimeText(): string {
  return l10n.t('Its part of the wall clock of a step and device');
}

/** What is compared of ops. */
export function selfTimeText(): string {
  return l10n.t('Self time of a step and device');
}

// The columns before and change, which any table has while its run is compared with another.

import * as l10n from '@vscode/l10n';
import type { ComparedWith } from '../../../src/protocol';
import type { Column } from '../table/columns';
import { numberColumn } from '../table/kinds';
import { type Quantity, quantityText } from '../text/quantities';
import { count, dotted } from '../text/format';
import { averageText, type Change, changeInFull, changeText } from './change';
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
  /** Of more than one round it is their mean, which the table of one of them does not have. */
  readonly rounds?: number;
  /** Whether it is of a step, where the table has all of them. */
  readonly isPerStep?: boolean;
  /** Whether changes are said in short. */
  readonly isShort?: boolean;
}): readonly Column<Row>[] {
  const { changeOf, quantity, sides, meaning, rounds = 1, isPerStep = false, isShort = false } = options;
  const { unit, bare = String } = quantity;
  const titleOf = (title: string): string => (unit === '' ? title : `${title} (${unit})`);
  const titles = changeTitles({ rounds, isPerStep });
  const before = (row: Row): number | null => changeOf(row)?.before ?? null;
  return [
    {
      id: BEFORE_COLUMN,
      title: titles.before,
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
      title: titles.change,
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
        return change === null ? '' : changeInFull(change, quantity, rounds);
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
    ...(rounds === 1 && !isPerStep
      ? []
      : [
          numberColumn<Row>(AFTER_COLUMN, titles.after, quantity, (row) => changeOf(row)?.after ?? null, {
            meaning: l10n.t('{0}, in {1}', meaning, sides.after_title),
            isBlank: (row) => (changeOf(row)?.after ?? null) === null,
            rank: 2,
          }),
        ]),
  ];
}

/** What the columns are called: `Before`, `Before / step`, `Before, 5 rounds`. */
export function changeTitles(of: { readonly rounds: number; readonly isPerStep: boolean }): {
  readonly before: string;
  readonly change: string;
  readonly after: string;
} {
  const ofRounds = (title: string): string =>
    of.rounds > 1 ? l10n.t('{0}, {1} rounds', title, count(of.rounds)) : title;
  return {
    before: ofRounds(of.isPerStep ? l10n.t('Before / step') : l10n.t('Before')),
    change: ofRounds(of.isPerStep ? l10n.t('Change / step') : l10n.t('Change')),
    after: ofRounds(of.isPerStep ? l10n.t('After / step') : l10n.t('After')),
  };
}

/** What has to be known of a table that has means over rounds beside what one of them has; null of one run each. */
export function roundsText(rounds: number): string | null {
  return rounds > 1
    ? l10n.t('This is one of {0} rounds; before, change and after are their averages', count(rounds))
    : null;
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
export function changeInWords(change: Change, quantity: Quantity, rounds = 1): string {
  const words = l10n.t(
    '{0} before, {1}, {2}',
    quantityText(quantity, change.before),
    changeText(change, quantity),
    verdictText(change.verdict, null),
  );
  return rounds > 1 ? dotted([words, averageText(rounds)]) : words;
}

/** What is compared of lines. */
export function lineTimeText(): string {
  return l10n.t('Its part of the wall clock of a step and device');
}

/** What is compared of ops. */
export function selfTimeText(): string {
  return l10n.t('Self time of a step and device');
}

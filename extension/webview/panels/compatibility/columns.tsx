// The columns of the tables of Compatibility: ops that are not native, and places with their shares.

import * as l10n from '@vscode/l10n';
import type { CompatibilityOp, CompatibilityPlace } from '../../../src/protocol';
import { Icon } from '../../shared/controls/elements';
import type { Column } from '../../shared/table/columns';
import { lineColumn, numberColumn, textColumn } from '../../shared/table/kinds';
import { functionText } from '../../shared/op/words';
import { phaseName } from '../../shared/text/phases';
import { COUNT, RATIO } from '../../shared/text/quantities';
import {
  capital,
  countOf,
  judgedText,
  outcomeText,
  type PlaceKind,
  whyText,
  type Verdict,
  VERDICTS,
  verdictWord,
} from './words';

export const VERDICT_COLUMN = 'verdict';
export const VALID_COLUMN = 'valid';

export function opColumns(): readonly Column<CompatibilityOp>[] {
  type Row = CompatibilityOp;
  return [
    textColumn<Row>('primitive', l10n.t('Op'), ({ primitive }) => primitive, {
      meaning: l10n.t('The operation of jax'),
      width_px: 144,
      fills: 1,
      isCode: true,
    }),
    {
      ...textColumn<Row>(VERDICT_COLUMN, l10n.t('On the TPU'), ({ verdict }) => verdictWord(verdict).text, {
        meaning: l10n.t('What the TPU would do with it'),
        width_px: 112,
        exact: ({ verdict }) => verdictWord(verdict).meaning,
        cell: ({ verdict }) => <VerdictCell verdict={verdict} />,
      }),
      value: ({ verdict }) => VERDICTS.indexOf(verdict),
    },
    numberColumn<Row>('count', l10n.t('Count'), COUNT, ({ count }) => count, {
      meaning: l10n.t('How many of them are there, however often a loop repeats them'),
      width_px: 64,
      rank: 4,
    }),
    lineColumn<Row>({ rank: 0 }),
    textColumn<Row>('said', l10n.t('Why'), whyText, {
      meaning: l10n.t('What jax or the compiler said, or which element types the TPU does not have'),
      width_px: 280,
      fills: 3,
      rank: 2,
      exact: ({ message, sentence }) => (message === '' ? sentence : message),
    }),
    textColumn<Row>('operands', l10n.t('Operands'), ({ operands }) => operands.join(', '), {
      width_px: 176,
      isCode: true,
      rank: 3,
    }),
    textColumn<Row>('scope', l10n.t('Scope'), ({ scope }) => scope, {
      meaning: l10n.t('The path of names around it, without what jax adds'),
      width_px: 144,
      rank: 5,
    }),
    textColumn<Row>('function', l10n.t('Function'), (row) => functionText(row.function), { width_px: 112, rank: 6 }),
    textColumn<Row>('phase', l10n.t('Phase'), ({ phase }) => (phase === null ? '' : phaseName(phase)), {
      width_px: 96,
      rank: 8,
    }),
    textColumn<Row>('judged', l10n.t('Judged by'), (row) => judgedText(row.judged_by), {
      meaning: l10n.t('What says so'),
      width_px: 144,
      rank: 7,
    }),
  ];
}

/** Of one kind of places: each verdict that any of them has is a column. */
export function placeColumns(
  kind: PlaceKind,
  places: readonly CompatibilityPlace[],
): readonly Column<CompatibilityPlace>[] {
  type Row = CompatibilityPlace;
  const counted = VERDICTS.filter((verdict) => places.some((place) => countOf(place, verdict) > 0));
  const name = textColumn<Row>('name', nameTitle(kind), (row) => row.name, { width_px: 200, fills: 2 });
  return [
    ...(kind === 'line' ? [] : [name]),
    ...(kind === 'line' || kind === 'function'
      ? [lineColumn<Row>(kind === 'line' ? { width_px: 240, fills: 2 } : {})]
      : []),
    ...(kind === 'program'
      ? [
          textColumn<Row>('outcome', l10n.t('Becomes'), ({ outcome }) => outcomeText(outcome), {
            meaning: l10n.t('What became of the program'),
            width_px: 168,
            rank: 1,
            exact: ({ outcome, message }) => (message === '' ? outcomeText(outcome) : message),
          }),
          numberColumn<Row>('programs', l10n.t('Programs'), COUNT, ({ programs }) => programs, {
            meaning: l10n.t('So many have the same name'),
            width_px: 80,
            rank: 3,
          }),
        ]
      : []),
    numberColumn<Row>(
      VALID_COLUMN,
      l10n.t('Valid'),
      RATIO,
      ({ ops, valid_ratio: ratio }) => (ops === 0 ? null : ratio),
      {
        meaning: l10n.t('The share of ops that the TPU computes, by itself, as pairs of numbers, or with the host'),
        width_px: 136,
        least_px: 72,
        exact: (row) =>
          l10n.t('{0} of {1} ops', COUNT.exact(row.ops - row.refused - row.unjudged), COUNT.exact(row.ops)),
        meter: ({ ops, valid_ratio: ratio }) => (ops === 0 ? null : { ratio }),
      },
    ),
    numberColumn<Row>('ops', l10n.t('Ops'), COUNT, ({ ops }) => ops, { width_px: 72, rank: 2 }),
    ...counted.map((verdict, at) =>
      numberColumn<Row>(verdict, capital(verdictWord(verdict).text), COUNT, (row) => countOf(row, verdict), {
        meaning: verdictWord(verdict).meaning,
        width_px: 96,
        rank: 4 + at,
        isBlank: (row) => countOf(row, verdict) === 0,
      }),
    ),
  ];
}

function VerdictCell({ verdict }: { readonly verdict: Verdict }) {
  const { icon, text } = verdictWord(verdict);
  return (
    <>
      <Icon name={icon} /> <span class="text">{text}</span>
    </>
  );
}

function nameTitle(kind: PlaceKind): string {
  return {
    program: l10n.t('Program'),
    function: l10n.t('Function'),
    scope: l10n.t('Scope'),
    line: l10n.t('Line'),
  }[kind];
}

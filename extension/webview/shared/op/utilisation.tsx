// The share of a peak in a cell: a bar, its number, and where it is not known, why.

import { sentences } from '../findings/findings';
import type { Finding, OpRow } from '../../../src/protocol';
import * as l10n from '@vscode/l10n';
import { gradeOf } from '../charts/cells';
import type { Column } from '../table/columns';
import { numberColumn, type NumberOptions } from '../table/kinds';
import { share, timeShare } from '../text/format';
import { TIME_RATIO, UNKNOWN } from '../text/quantities';

/**
 * A share of the peak in full, with how it is to be read. It may be above one, which `findings` explain: bars end at the
 * peak, so the number is what says it.
 */
export function ofPeakText(ratio: number, findings: readonly Finding[]): string {
  return [l10n.t('{0} of the peak', timeShare(ratio)), ...sentences(findings)].join('\n');
}

/** Why no rate of a record is held against a peak; null where they are. */
export function whyNoUtilisation(findings: readonly Finding[]): string | null {
  const found = findings.find(({ code }) => code === 'utilisation-unknown');
  return found?.text ?? null;
}

/** What a row says of a rate beside its peak. */
interface Utilised {
  readonly ratio: number | null;
  /** The quantity whose rate is held against the peak; null where it is not known. */
  readonly amount: number | null;
  /** Whether part of the work has no known peak, so that it is at least that. */
  readonly isLeast?: boolean;
}

/** What rows say of their rates, with sentences on how that is to be read. */
type UtilisedRow = Pick<
  OpRow,
  'flops' | 'flop_utilisation_ratio' | 'bytes' | 'bandwidth_utilisation_ratio' | 'findings'
> & {
  readonly utilisation_is_least?: boolean;
};

/** A share of a peak: `≥ 41 %` where it is at least that. */
export function leastText(ratio: number, isLeast: boolean): string {
  return isLeast ? l10n.t('≥ {0}', share(ratio)) : timeShare(ratio);
}

interface UtilisationOptions<Row> extends Omit<NumberOptions<Row>, 'unknown'> {
  /** Why the record has no peak; null where it has one. */
  readonly reason: string | null;
}

/** The rate of FLOPs as a share of its peak. */
export function flopUtilisationColumn<Row extends UtilisedRow>(options: UtilisationOptions<Row>): Column<Row> {
  const of = ({ flop_utilisation_ratio: ratio, flops: amount, utilisation_is_least: isLeast = false }: Row) => ({
    ratio,
    amount,
    isLeast,
  });
  return utilisationColumn(
    'flop_utilisation',
    l10n.t('FLOP utilisation'),
    of,
    l10n.t('The FLOPs are not known.'),
    options,
  );
}

/** The rate of bytes of main memory as a share of its bandwidth. */
export function bandwidthColumn<Row extends UtilisedRow>(options: UtilisationOptions<Row>): Column<Row> {
  const of = ({ bandwidth_utilisation_ratio: ratio, bytes: amount }: Row) => ({ ratio, amount });
  return utilisationColumn(
    'bandwidth_utilisation',
    l10n.t('Bandwidth'),
    of,
    l10n.t('The bytes are not known.'),
    options,
  );
}

function utilisationColumn<Row extends UtilisedRow>(
  id: string,
  title: string,
  of: (row: Row) => Utilised,
  unknown: string,
  options: UtilisationOptions<Row>,
): Column<Row> {
  const { reason, isBlank = () => false, ...more } = options;
  return numberColumn<Row>(id, title, TIME_RATIO, (row) => of(row).ratio, {
    width_px: 120,
    least_px: 72,
    isBlank,
    text: (row) => {
      const { ratio, isLeast = false } = of(row);
      return isBlank(row) ? '' : ratio === null ? UNKNOWN : leastText(ratio, isLeast);
    },
    exact: (row) => {
      const { ratio, amount } = of(row);
      return isBlank(row)
        ? ''
        : ratio !== null
          ? ofPeakText(ratio, row.findings)
          : amount === null
            ? unknown
            : (reason ?? (sentences(row.findings).join('\n') || unknown));
    },
    meter: (row) => {
      const { ratio } = of(row);
      return ratio === null || isBlank(row) ? null : { ratio, grade: gradeOf(ratio) };
    },
    ...more,
  });
}

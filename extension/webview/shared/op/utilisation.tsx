// The share of a peak in a cell: a bar, its number, and where it is not known, why.

import { sentences } from '../findings/findings';
import type { Finding } from '../../../src/protocol';
import * as l10n from '@vscode/l10n';
import { gradeOf } from '../charts/cells';
import type { Column } from '../table/columns';
import { numberColumn, type NumberOptions } from '../table/kinds';
import { share } from '../text/format';
import { RATIO, UNKNOWN } from '../text/quantities';

/**
 * A share of the peak in full, with how it is to be read. It may be above one, which `findings` explain: bars end at the
 * peak, so the number is what says it.
 */
export function ofPeakText(ratio: number, findings: readonly Finding[]): string {
  return [l10n.t('{0} of the peak', share(ratio)), ...sentences(findings)].join('\n');
}

/** Why no rate of a record is held against a peak; null where they are. */
export function whyNoUtilisation(findings: readonly Finding[]): string | null {
  const found = findings.find(({ code }) => code === 'utilisation-unknown');
  return found?.text ?? null;
}

/** What is known of a row's utilisation. */
export interface Utilised {
  readonly ratio: number | null;
  /** The quantity whose rate is held against the peak; null where it is not known. */
  readonly amount: number | null;
  /** Sentences on how the row's figures are to be read. */
  readonly findings: readonly Finding[];
  /** Whether part of the work has no known peak, so that it is at least that. */
  readonly isLeast?: boolean;
}

/** A share of a peak: `≥ 41 %` where it is at least that. */
export function leastText(ratio: number, isLeast: boolean): string {
  return isLeast ? l10n.t('≥ {0}', share(ratio)) : share(ratio);
}

export interface UtilisationOptions<Row> extends Omit<NumberOptions<Row>, 'unknown'> {
  /** Why the record has no peak; null where it has one. */
  readonly reason: string | null;
  /** Said where a row has no amount. */
  readonly unknown: string;
}

/** A column of utilisations. */
export function utilisationColumn<Row>(
  id: string,
  title: string,
  of: (row: Row) => Utilised,
  options: UtilisationOptions<Row>,
): Column<Row> {
  const { reason, unknown, isBlank = () => false, ...more } = options;
  return numberColumn<Row>(id, title, RATIO, (row) => of(row).ratio, {
    width_px: 120,
    least_px: 72,
    isBlank,
    text: (row) => {
      const { ratio, isLeast = false } = of(row);
      return isBlank(row) ? '' : ratio === null ? UNKNOWN : leastText(ratio, isLeast);
    },
    exact: (row) => {
      const { ratio, amount, findings } = of(row);
      return isBlank(row)
        ? ''
        : ratio !== null
          ? ofPeakText(ratio, findings)
          : amount === null
            ? unknown
            : (reason ?? (sentences(findings).join('\n') || unknown));
    },
    meter: (row) => {
      const { ratio } = of(row);
      return ratio === null || isBlank(row) ? null : { ratio, grade: gradeOf(ratio) };
    },
    ...more,
  });
}

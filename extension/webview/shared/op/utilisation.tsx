// The share of a peak in a cell: a bar, its number, and where it is not known, why.

import * as l10n from '@vscode/l10n';
import { gradeOf } from '../charts/cells';
import { share } from '../text/format';
import { UNKNOWN } from '../text/quantities';
import type { Column } from '../table/columns';

/**
 * A share of the peak in full, with what is to be known of it. It may be above one, which `notes` explain: bars end at the
 * peak, so the number is what says it.
 */
export function ofPeakText(ratio: number, notes: readonly string[]): string {
  return [l10n.t('{0} of the peak', share(ratio)), ...notes].join('\n');
}

/** What is known of a row's utilisation. */
export interface Utilised {
  readonly ratio: number | null;
  /** The quantity whose rate is held against the peak; null where it is not known. */
  readonly amount: number | null;
  /** Sentences on how the row's figures are to be read. */
  readonly notes: readonly string[];
  /** Whether part of the work has no known peak, so that it is at least that. */
  readonly isLeast?: boolean;
}

/** A share of a peak: `≥ 41 %` where it is at least that. */
export function leastText(ratio: number, isLeast: boolean): string {
  return isLeast ? l10n.t('≥ {0}', share(ratio)) : share(ratio);
}

/** A column of utilisations. `reason` says why the record has no peak; null where it has one. */
export function utilisationColumn<Row>(options: {
  readonly id: string;
  readonly title: string;
  readonly meaning: string;
  readonly rank?: number;
  readonly of: (row: Row) => Utilised;
  readonly reason: string | null;
  /** Said where a row has no amount. */
  readonly unknown: string;
  /** Rows that have no utilisation by their nature. */
  readonly isBlank?: (row: Row) => boolean;
}): Column<Row> {
  const { of, isBlank = () => false } = options;
  const text = (row: Row): string => {
    const { ratio, isLeast = false } = of(row);
    return isBlank(row) ? '' : ratio === null ? UNKNOWN : leastText(ratio, isLeast);
  };
  return {
    id: options.id,
    title: options.title,
    meaning: options.meaning,
    width_px: 120,
    least_px: 72,
    align: 'end',
    ...(options.rank === undefined ? {} : { rank: options.rank }),
    value: (row) => (isBlank(row) ? null : of(row).ratio),
    text,
    exact: (row) => {
      const { ratio, amount, notes } = of(row);
      return isBlank(row)
        ? ''
        : ratio === null
          ? amount === null
            ? options.unknown
            : (options.reason ?? (notes.length > 0 ? notes.join('\n') : options.unknown))
          : ofPeakText(ratio, notes);
    },
    copied: {
      title: l10n.t('{0} (ratio)', options.title),
      text: (row) => of(row).ratio?.toFixed(6) ?? '',
    },
    meter: (row) => {
      const { ratio } = of(row);
      return ratio === null || isBlank(row) ? null : { ratio, grade: gradeOf(ratio) };
    },
  };
}

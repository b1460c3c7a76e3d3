// Columns by kind: a number with its unit, a share with its bar, a text, a line of source.

import * as l10n from '@vscode/l10n';
import { exactLine, LineLink, lineOrder, type LinePlace } from '../controls/lineLink';
import { lineText } from '../op/words';
import { led } from '../text/basis';
import { RATIO, TIME, TIME_RATIO, UNKNOWN, exactText, quantityText, type Quantity } from '../text/quantities';
import type { Column } from './columns';

/** What may be said of any column, in place of what its kind has. */
export type ColumnOptions<Row> = Partial<Omit<Column<Row>, 'id' | 'title' | 'value'>>;

export interface NumberOptions<Row> extends ColumnOptions<Row> {
  /** What stands before the number, such as `≈ ` of an estimate. */
  readonly mark?: (row: Row) => string;
  /** Rows that have no such number by their nature: their cell is empty. */
  readonly isBlank?: (row: Row) => boolean;
  /** The tooltip of a row whose number is unknown: why that is. */
  readonly unknown?: (row: Row) => string;
}

export function numberColumn<Row>(
  id: string,
  title: string,
  quantity: Quantity,
  value: (row: Row) => number | null,
  options: NumberOptions<Row> = {},
): Column<Row> {
  const { mark, isBlank = () => false, unknown, ...more } = options;
  const known = (row: Row): number | null => (isBlank(row) ? null : value(row));
  const { unit, bare = String } = quantity;
  return {
    id,
    title,
    width_px: quantity.unit === RATIO.unit ? 80 : unit.endsWith('/s') ? 112 : 96,
    least_px: 64,
    align: 'end',
    value: known,
    text: (row) => {
      const number = value(row);
      return isBlank(row) ? '' : led(number === null ? '' : (mark?.(row) ?? ''), quantityText(quantity, number));
    },
    exact: (row) => {
      const number = value(row);
      return isBlank(row) ? '' : number === null && unknown !== undefined ? unknown(row) : exactText(quantity, number);
    },
    copied: {
      title: unit === '' ? title : `${title} (${unit})`,
      text: (row) => {
        const number = known(row);
        return number === null ? '' : bare(number);
      },
    },
    ...more,
  };
}

export interface ShareOptions<Row> extends NumberOptions<Row> {
  /** What the shares are of. */
  readonly whole: number;
  /** What the bar is full at; absent: at the whole. */
  readonly longest?: number;
  readonly quantity?: Quantity;
}

/** The part that an amount is of a whole: a bar, and the percentage. `meaning` names the whole. */
export function shareColumn<Row>(
  id: string,
  title: string,
  value: (row: Row) => number | null,
  options: ShareOptions<Row>,
): Column<Row> {
  const { whole, longest = whole, quantity = TIME, isBlank = () => false, unknown, ...more } = options;
  const amount = (row: Row): number | null => (isBlank(row) ? null : value(row));
  return numberColumn(
    id,
    title,
    quantity.unit === TIME.unit ? TIME_RATIO : RATIO,
    (row) => {
      const part = value(row);
      return part === null ? null : part / Math.max(1, whole);
    },
    {
      width_px: 136,
      least_px: 72,
      isBlank,
      exact: (row) => {
        const part = amount(row);
        return isBlank(row)
          ? ''
          : part === null
            ? (unknown?.(row) ?? exactText(quantity, null))
            : l10n.t('{0} of {1}', quantity.exact(part), quantity.exact(whole));
      },
      meter: (row) => {
        const part = amount(row);
        return part === null ? null : { ratio: part / Math.max(1, longest) };
      },
      ...more,
    },
  );
}

/** A text; null is unknown. */
export function textColumn<Row>(
  id: string,
  title: string,
  value: (row: Row) => string | null,
  options: ColumnOptions<Row> = {},
): Column<Row> {
  return { id, title, width_px: 112, value, text: (row) => value(row) ?? UNKNOWN, ...options };
}

/** The line of source that a row is of: a link, where its file is known. */
export function lineColumn<Row extends LinePlace>(options: ColumnOptions<Row> = {}): Column<Row> {
  return {
    id: 'line',
    title: l10n.t('Line'),
    width_px: 128,
    value: lineOrder,
    text: ({ path, line }) => lineText(path, line),
    exact: exactLine,
    cell: (row) => <LineLink place={row} inRow />,
    ...options,
  };
}

// The columns of Counters: the op, its time, and its mean of each counter.

import * as l10n from '@vscode/l10n';
import type { CounterRow, CountersRecord } from '../../../src/protocol';
import type { Column } from '../../shared/table/columns';
import { lineColumn, numberColumn, shareColumn, textColumn } from '../../shared/table/kinds';
import { COUNT, type Quantity } from '../../shared/text/quantities';

export const TIME_COLUMN = 'share';

/** A value of a counter: three digits, with a prefix where it is large. */
export const VALUE: Quantity = { text: valueText, exact: String, unit: '' };

export function counterColumns(record: CountersRecord): readonly Column<CounterRow>[] {
  type Row = CounterRow;
  return [
    textColumn<Row>('name', l10n.t('Op'), ({ primitive, name }) => primitive || name, {
      width_px: 176,
      least_px: 112,
      fills: 1,
      exact: ({ name }) => name,
    }),
    textColumn<Row>('category', l10n.t('Category'), ({ category }) => category, { width_px: 128, rank: 3 }),
    numberColumn<Row>('executions', l10n.t('Runs'), COUNT, ({ executions }) => executions, { width_px: 72, rank: 2 }),
    shareColumn<Row>(TIME_COLUMN, l10n.t('Time %'), ({ op_time_ps: time }) => time, {
      whole: record.op_time_ps,
      meaning: l10n.t('Of the op time in the window'),
    }),
    ...record.counters.map((counter, at) =>
      numberColumn<Row>(`counter ${String(at)}`, titleOf(counter), VALUE, ({ values }) => values[at] ?? null, {
        meaning: l10n.t('{0}: its mean while the op ran', titleOf(counter)),
        mark: ({ is_short: isShort }) => (isShort ? '≈ ' : ''),
        unknown: () => l10n.t('Nothing was sampled while it ran'),
        width_px: 136,
      }),
    ),
    lineColumn<Row>({ width_px: 144, rank: 1 }),
  ];
}

export function titleOf({ name, unit }: CountersRecord['counters'][number]): string {
  return unit === '' ? name : `${name} (${unit})`;
}

export function valueText(value: number): string {
  const prefixes = [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e4, 'k'],
  ] as const;
  const [least, prefix] = prefixes.find(([from]) => Math.abs(value) >= from) ?? [1, ''];
  const scaled = prefix === 'k' ? value / 1e3 : value / least;
  return `${String(Number(scaled.toPrecision(3)))}${prefix === '' ? '' : ` ${prefix}`}`;
}

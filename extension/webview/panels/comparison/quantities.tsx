// Figures of whole runs: what programs say of themselves, what is steady, and what is noisy.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { ComparedQuantity, ComparisonRecord, QuantityKind } from '../../../src/protocol';
import { quantityName, signed, verdictText, visibleText } from '../../shared/comparison/words';
import { usePage } from '../../shared/page/page';
import type { Column } from '../../shared/table/columns';
import { textColumn } from '../../shared/table/kinds';
import { Table } from '../../shared/table/table';
import { tableState } from '../../shared/table/tableState';
import { BYTES, COUNT, FLOPS, type Quantity, RATIO, TIME, UNKNOWN } from '../../shared/text/quantities';
import { figureAs, figureShare } from './basis';

type Each = ComparedQuantity;

const UNITS: Readonly<Record<Each['unit'], Quantity>> = {
  ps: TIME,
  bytes: BYTES,
  flops: FLOPS,
  count: COUNT,
  ratio: RATIO,
};

function unitOf(quantity: Each): Quantity {
  return figureAs(quantity, UNITS[quantity.unit]);
}

export function valueText(quantity: Each, value: number | null): string {
  return value === null ? UNKNOWN : unitOf(quantity).text(value);
}

/** `+1 FLOP`, `none` where what is exact is the same. */
export function changeText(quantity: Each): string {
  const { kind, change } = quantity;
  return change === 0 && kind === 'exact' ? l10n.t('none') : signed(change, unitOf(quantity).text);
}

/** Before, change and after to the last digit. */
export function changeExact(quantity: Each): string {
  const { exact } = unitOf(quantity);
  const value = (each: number | null): string => (each === null ? UNKNOWN : exact(each));
  return `${value(quantity.before)} → ${value(quantity.after)} (${signed(quantity.change, exact) || UNKNOWN})`;
}

export function Quantities({ record }: { readonly record: ComparisonRecord }) {
  const { saved } = usePage();
  const columns = useMemo(() => columnsOf(record), [record]);
  return (
    <Table
      label={l10n.t('Figures of whole runs')}
      columns={columns}
      state={tableState(saved, 'quantities', { column: '', descending: false })}
      roots={record.quantities}
      keyOf={({ name }) => name}
      empty={<p>{l10n.t('No figure of whole runs is known of either side.')}</p>}
    />
  );
}

function columnsOf({ quantities, rounds }: ComparisonRecord): readonly Column<Each>[] {
  const value = (id: 'before' | 'after', title: string): Column<Each> => ({
    ...textColumn<Each>(id, title, (row) => valueText(row, row[id]), { width_px: 96, least_px: 80, align: 'end' }),
    value: (row) => row[id],
    exact: (row) => (row[id] === null ? l10n.t('unknown') : unitOf(row).exact(row[id])),
    copied: { title, text: (row) => String(row[id] ?? '') },
  });
  const columns: readonly (Column<Each> | null)[] = [
    textColumn<Each>('name', l10n.t('Figure'), ({ name }) => quantityName(name), { width_px: 200, least_px: 120 }),
    textColumn<Each>('kind', l10n.t('Kind'), ({ kind }) => kindName(kind), {
      width_px: 72,
      rank: 3,
      meaning: l10n.t('One run each tells what is exact; few rounds what is steady; what is noisy only many'),
    }),
    value('before', l10n.t('Before')),
    {
      ...textColumn<Each>('change', l10n.t('Change'), changeText, { width_px: 112, least_px: 92, align: 'end' }),
      value: ({ change }) => change,
      exact: changeExact,
      copied: { title: l10n.t('Change'), text: ({ change }) => String(change ?? '') },
    },
    value('after', l10n.t('After')),
    {
      ...textColumn<Each>('ratio', '%', figureShare, {
        width_px: 72,
        align: 'end',
        rank: 2,
      }),
      value: ({ change_ratio: ratio }) => ratio,
    },
    textColumn<Each>('verdict', l10n.t('Verdict'), (row) => verdictText(row.verdict, null), {
      width_px: 120,
      least_px: 64,
      fills: 1,
      cell: (row) => <span class={`text verdict-mark ${row.verdict}`}>{verdictText(row.verdict, null)}</span>,
    }),
    {
      ...textColumn<Each>(
        'visible',
        l10n.t('Would be seen'),
        (row) =>
          row.kind === 'exact'
            ? l10n.t('every change')
            : row.visible_ratio === null
              ? ''
              : visibleText(row.visible_ratio),
        {
          width_px: 116,
          align: 'end',
          rank: 1,
          meaning: l10n.t('The smallest change that would have been seen; of what is exact every change is'),
        },
      ),
      value: ({ kind, visible_ratio: ratio }) => (kind === 'exact' ? 0 : ratio),
    },
    rounds > 1 && quantities.some(({ interval }) => interval !== null)
      ? textColumn<Each>('interval', l10n.t('95 % interval'), intervalOf, { width_px: 152, align: 'end', rank: 1 })
      : null,
  ];
  return columns.filter((column) => column !== null);
}

function intervalOf(quantity: Each): string {
  const { interval } = quantity;
  const { text } = unitOf(quantity);
  return interval === null ? '' : l10n.t('{0} to {1}', signed(interval[0], text), signed(interval[1], text));
}

function kindName(kind: QuantityKind): string {
  return { exact: l10n.t('exact'), steady: l10n.t('steady'), noisy: l10n.t('noisy') }[kind];
}

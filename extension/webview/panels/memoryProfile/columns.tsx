// The columns of the Memory Profile's tables: what was in use at the peak, what a snapshot has, every sample, culprits.

import { sentences } from '../../shared/findings/findings';
import * as l10n from '@vscode/l10n';
import type { MemoryBreakdownRow, MemorySample, MemorySnapshotRow, OutOfMemoryCulprit } from '../../../src/protocol';
import { LineLink } from '../../shared/controls/lineLink';
import { functionText, lineText } from '../../shared/op/words';
import type { Column } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import { lineColumn, numberColumn, type NumberOptions, textColumn } from '../../shared/table/kinds';
import { BYTES, COUNT, RATIO, TIME } from '../../shared/text/quantities';
import type { SampleColumns } from './samples';
import { activityName, basisMeaning, basisName, culpritBasis, moment, opText } from './words';

export const SIZE_COLUMN = 'size';

/** The size of a row, with a bar that is full at the largest. */
function sizeColumn<Row extends { readonly bytes: number | null }>(
  rows: readonly Row[],
  options: NumberOptions<Row> = {},
): Column<Row> {
  const largest = greatest(rows, ({ bytes }) => bytes, 1);
  return numberColumn(SIZE_COLUMN, l10n.t('Size'), BYTES, ({ bytes }) => bytes, {
    width_px: 136,
    least_px: 104,
    meter: ({ bytes }) => ({ ratio: (bytes ?? 0) / largest }),
    ...options,
  });
}

/** A breakdown's row with its place, which is its key. */
export type KeyedRow<Row> = Row & { readonly key: string };

export function keyed<Row extends object>(rows: readonly Row[]): readonly KeyedRow<Row>[] {
  return rows.map((row, at) => ({ ...row, key: String(at) }));
}

/** What stands before a size that was not measured by itself. */
export function basisMark({ basis }: MemoryBreakdownRow): string {
  return basis === 'joined' ? '≈ ' : '';
}

/** What is known of what was in use: columns of which no row knows anything are left out. */
export function breakdownColumns(rows: readonly MemoryBreakdownRow[]): readonly Column<MemoryBreakdownRow>[] {
  type Row = MemoryBreakdownRow;
  // All but the last fit beside the details pane of a window of common width.
  const columns: readonly Column<Row>[] = [
    textColumn<Row>('op', l10n.t('Op'), opText, { width_px: 128, least_px: 96, fills: 2 }),
    sizeColumn<Row>(rows, {
      meaning: l10n.t('What was allocated; the bar is full at the largest'),
      width_px: 128,
      mark: basisMark,
    }),
    numberColumn<Row>('requested', l10n.t('Requested'), BYTES, ({ requested_bytes: bytes }) => bytes, {
      meaning: l10n.t('What was asked for, before it was rounded up'),
      width_px: 88,
      rank: 4,
      mark: basisMark,
    }),
    numberColumn<Row>('count', l10n.t('Count'), COUNT, (row) => row.count, { width_px: 64, rank: 3 }),
    textColumn<Row>('shape', l10n.t('Shape'), ({ shape }) => shape, { width_px: 96, rank: 2, isCode: true, fills: 1 }),
    textColumn<Row>('type', l10n.t('Type'), ({ data_type: type }) => type, { width_px: 56, rank: 6, isCode: true }),
    textColumn<Row>('region', l10n.t('Region'), ({ region }) => region, { width_px: 72, rank: 5 }),
    lineColumn<Row>({ width_px: 104, rank: 1, fills: 1 }),
    textColumn<Row>('basis', l10n.t('Basis'), ({ basis }) => basisName(basis), {
      meaning: l10n.t('Whether it was measured, or told by a program or snapshot'),
      width_px: 88,
      rank: 7,
      exact: ({ basis }) => basisMeaning(basis),
    }),
  ];
  return columns.filter((column) => rows.some((row) => (column.value(row) ?? '') !== ''));
}

export function snapshotColumns(rows: readonly MemorySnapshotRow[]): readonly Column<MemorySnapshotRow>[] {
  type Row = MemorySnapshotRow;
  const unknown = ({ unknown_count: things }: Row): string =>
    things === 0 ? '' : things === 1 ? l10n.t('1 of unknown size') : l10n.t('{0} of unknown size', COUNT.text(things));
  return [
    lineColumn<Row>({
      width_px: 160,
      least_px: 112,
      fills: 1,
      text: (row) => (row.line === null ? l10n.t('no line of yours') : lineText(row.path, row.line)),
      cell: (row) =>
        row.line === null ? (
          <span class="text quiet">{l10n.t('no line of yours')}</span>
        ) : (
          <LineLink place={row} inRow />
        ),
    }),
    sizeColumn<Row>(rows, { meaning: l10n.t('What was alive; the bar is full at the largest'), width_px: 128 }),
    numberColumn<Row>('count', l10n.t('Count'), COUNT, (row) => row.count, {
      width_px: 72,
      rank: 3,
      exact: (row) => unknown(row) || COUNT.exact(row.count),
    }),
    textColumn<Row>('function', l10n.t('Function'), (row) => functionText(row.function), { width_px: 152, rank: 2 }),
    textColumn<Row>('kind', l10n.t('Kind'), ({ kind }) => kind, { width_px: 88, rank: 4 }),
    textColumn<Row>('device', l10n.t('Device'), ({ device }) => device, { width_px: 104, rank: 1 }),
  ];
}

export function culpritColumns(rows: readonly OutOfMemoryCulprit[]): readonly Column<OutOfMemoryCulprit>[] {
  type Row = OutOfMemoryCulprit;
  return [
    lineColumn<Row>({ width_px: 144 }),
    sizeColumn<Row>(rows, { width_px: 160 }),
    textColumn<Row>('what', l10n.t('What'), ({ findings }) => sentences(findings).join(' '), {
      width_px: 200,
      least_px: 96,
      fills: 1,
    }),
    textColumn<Row>('function', l10n.t('Function'), (row) => functionText(row.function), { width_px: 144, rank: 1 }),
    textColumn<Row>('basis', l10n.t('According to'), ({ basis }) => culpritBasis(basis), { width_px: 136, rank: 2 }),
  ];
}

/** Columns of the samples, whose rows are their positions. */
export function sampleTableColumns({ samples }: SampleColumns): readonly Column<number>[] {
  const of =
    <Value,>(value: (sample: MemorySample) => Value) =>
    (at: number): Value | null => {
      const sample = samples[at];
      return sample === undefined ? null : value(sample);
    };
  const time = of(({ time_ps }) => time_ps);
  const bytes = (id: string, title: string, rank: number, value: (sample: MemorySample) => number | null) =>
    numberColumn<number>(id, title, BYTES, of(value), { least_px: 80, rank });
  return [
    numberColumn<number>('time', l10n.t('Time'), TIME, time, { text: (at) => moment(time(at) ?? 0) }),
    bytes('stack', l10n.t('Stack'), 2, (sample) => sample.stack_bytes),
    bytes('heap', l10n.t('Heap'), 0, (sample) => sample.heap_bytes),
    bytes('free', l10n.t('Free'), 1, (sample) => sample.free_bytes),
    numberColumn<number>(
      'fragmentation',
      l10n.t('Fragmentation'),
      RATIO,
      of(({ fragmentation_ratio: ratio }) => ratio),
      { width_px: 104, rank: 3 },
    ),
    textColumn<number>('activity', l10n.t('Activity'), (at) => activityName(samples[at]?.activity ?? null), {
      width_px: 104,
      rank: 4,
    }),
    bytes('allocated', l10n.t('Allocated'), 5, (sample) => sample.allocated_bytes),
    bytes('requested', l10n.t('Requested'), 6, (sample) => sample.requested_bytes),
    textColumn<number>(
      'step',
      l10n.t('Step'),
      of(({ step }) => step),
      { width_px: 72, rank: 5 },
    ),
    textColumn<number>(
      'op',
      l10n.t('Op'),
      of(({ op }) => op),
      { width_px: 144, rank: 6, isCode: true, fills: 1 },
    ),
  ];
}

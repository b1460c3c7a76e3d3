// The columns of the Memory Profile's tables: what was in use at the peak, what a snapshot has, every sample, culprits.

import * as l10n from '@vscode/l10n';
import type { MemoryBreakdownRow, MemorySnapshotRow, OutOfMemoryCulprit } from '../../../src/protocol';
import { byteSize, count, share } from '../../shared/text/format';
import { exactLine, LineLink, lineOrder, type LinePlace } from '../../shared/controls/lineLink';
import { functionText, lineText } from '../../shared/op/words';
import { UNKNOWN } from '../../shared/text/quantities';
import type { Column } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import type { SampleColumns } from './samples';
import { activityName, basisMeaning, basisName, culpritBasis, moment, opText } from './words';

export const SIZE_COLUMN = 'size';

interface BytesOptions<Row> {
  readonly id: string;
  readonly title: string;
  readonly meaning?: string;
  readonly rank?: number;
  readonly value: (row: Row) => number | null;
  /** What stands before a number, for those that are not measured. */
  readonly mark?: (row: Row) => string;
  /** What the bar is full at; absent without a bar. */
  readonly full?: number;
}

function bytesColumn<Row>(options: BytesOptions<Row>): Column<Row> {
  const { id, title, meaning, rank, value, mark = () => '', full } = options;
  return {
    id,
    title,
    ...(meaning === undefined ? {} : { meaning }),
    ...(rank === undefined ? {} : { rank }),
    width_px: full === undefined ? 96 : 160,
    least_px: full === undefined ? 80 : 104,
    align: 'end',
    value,
    text: (row) => {
      const bytes = value(row);
      return bytes === null ? UNKNOWN : `${mark(row)}${byteSize(bytes)}`;
    },
    exact: (row) => {
      const bytes = value(row);
      return bytes === null ? l10n.t('unknown') : `${count(bytes)} B`;
    },
    copied: { title: l10n.t('{0} (bytes)', title), text: (row) => String(value(row) ?? '') },
    ...(full === undefined ? {} : { meter: (row: Row) => ({ ratio: (value(row) ?? 0) / Math.max(1, full) }) }),
  };
}

function textColumn<Row>(
  id: string,
  title: string,
  rank: number,
  width_px: number,
  value: (row: Row) => string | null,
  more: Partial<Column<Row>> = {},
): Column<Row> {
  return { id, title, width_px, rank, value, text: (row) => value(row) ?? UNKNOWN, ...more };
}

function lineColumn<Row extends LinePlace>(onGo: (place: LinePlace) => void, rank: number): Column<Row> {
  return {
    id: 'line',
    title: l10n.t('Line'),
    width_px: 144,
    rank,
    value: lineOrder,
    text: ({ path, line }) => lineText(path, line),
    exact: exactLine,
    cell: (row) => <LineLink place={row} inRow onGo={onGo} />,
  };
}

function countColumn<Row extends { readonly count: number }>(rank: number): Column<Row> {
  return {
    id: 'count',
    title: l10n.t('Count'),
    width_px: 72,
    align: 'end',
    rank,
    value: (row) => row.count,
    text: (row) => count(row.count),
  };
}

/** A breakdown's row with its place, which is its key. */
export type KeyedRow<Row> = Row & { readonly key: string };

export function keyed<Row extends object>(rows: readonly Row[]): readonly KeyedRow<Row>[] {
  return rows.map((row, at) => ({ ...row, key: String(at) }));
}

/** What is known of what was in use: columns of which no row knows anything are left out. */
export function breakdownColumns(
  rows: readonly MemoryBreakdownRow[],
  onGo: (place: LinePlace) => void,
): readonly Column<MemoryBreakdownRow>[] {
  const full = greatest(rows, ({ bytes }) => bytes, 1);
  const mark = ({ basis }: MemoryBreakdownRow): string => (basis === 'joined' ? '≈ ' : '');
  // All but the last fit beside the details pane of a window of common width. A size that is joined has a mark besides.
  const columns: readonly Column<MemoryBreakdownRow>[] = [
    textColumn<MemoryBreakdownRow>('op', l10n.t('Op'), 0, 128, opText, { least_px: 96, fills: 2 }),
    {
      ...bytesColumn<MemoryBreakdownRow>({
        id: SIZE_COLUMN,
        title: l10n.t('Size'),
        meaning: l10n.t('What was allocated; the bar is full at the largest'),
        value: ({ bytes }) => bytes,
        mark,
        full,
      }),
      width_px: 128,
    },
    {
      ...bytesColumn<MemoryBreakdownRow>({
        id: 'requested',
        title: l10n.t('Requested'),
        meaning: l10n.t('What was asked for, before it was rounded up'),
        rank: 4,
        value: ({ requested_bytes: bytes }) => bytes,
        mark,
      }),
      width_px: 88,
    },
    { ...countColumn<MemoryBreakdownRow>(3), width_px: 64 },
    textColumn<MemoryBreakdownRow>('shape', l10n.t('Shape'), 2, 96, ({ shape }) => shape, { isCode: true, fills: 1 }),
    textColumn<MemoryBreakdownRow>('type', l10n.t('Type'), 6, 56, ({ data_type: type }) => type, { isCode: true }),
    textColumn<MemoryBreakdownRow>('region', l10n.t('Region'), 5, 72, ({ region }) => region),
    { ...lineColumn<MemoryBreakdownRow>(onGo, 1), width_px: 104, fills: 1 },
    textColumn<MemoryBreakdownRow>('basis', l10n.t('Basis'), 7, 88, ({ basis }) => basisName(basis), {
      meaning: l10n.t('Whether it was measured, or told by a program or snapshot'),
      exact: ({ basis }) => basisMeaning(basis),
    }),
  ];
  return columns.filter((column) => rows.some((row) => isKnown(column.value(row))));
}

/** Whether there is a value; an empty text is none. */
function isKnown(value: number | string | null): boolean {
  return value !== null && value !== '';
}

export function snapshotColumns(
  rows: readonly MemorySnapshotRow[],
  onGo: (place: LinePlace) => void,
): readonly Column<MemorySnapshotRow>[] {
  const full = greatest(rows, ({ bytes }) => bytes, 1);
  const unknown = ({ unknown_count: things }: MemorySnapshotRow): string =>
    things === 0 ? '' : things === 1 ? l10n.t('1 of unknown size') : l10n.t('{0} of unknown size', count(things));
  return [
    {
      ...lineColumn<MemorySnapshotRow>(onGo, 0),
      width_px: 160,
      least_px: 112,
      fills: 1,
      text: (row) => (row.line === null ? l10n.t('no line of yours') : lineText(row.path, row.line)),
      cell: (row) =>
        row.line === null ? (
          <span class="text quiet">{l10n.t('no line of yours')}</span>
        ) : (
          <LineLink place={row} inRow onGo={onGo} />
        ),
    },
    {
      ...bytesColumn<MemorySnapshotRow>({
        id: SIZE_COLUMN,
        title: l10n.t('Size'),
        meaning: l10n.t('What was alive; the bar is full at the largest'),
        value: ({ bytes }) => bytes,
        full,
      }),
      width_px: 128,
    },
    { ...countColumn<MemorySnapshotRow>(3), exact: (row) => unknown(row) || count(row.count) },
    textColumn<MemorySnapshotRow>('function', l10n.t('Function'), 2, 152, ({ function: name }) => functionText(name)),
    textColumn<MemorySnapshotRow>('kind', l10n.t('Kind'), 4, 88, ({ kind }) => kind),
    textColumn<MemorySnapshotRow>('device', l10n.t('Device'), 1, 104, ({ device }) => device),
  ];
}

export function culpritColumns(
  culprits: readonly OutOfMemoryCulprit[],
  onGo: (place: LinePlace) => void,
): readonly Column<OutOfMemoryCulprit>[] {
  const full = greatest(culprits, ({ bytes }) => bytes, 1);
  return [
    lineColumn<OutOfMemoryCulprit>(onGo, 0),
    bytesColumn<OutOfMemoryCulprit>({ id: SIZE_COLUMN, title: l10n.t('Size'), value: ({ bytes }) => bytes, full }),
    textColumn<OutOfMemoryCulprit>('what', l10n.t('What'), 0, 200, ({ what }) => what, { least_px: 96, fills: 1 }),
    textColumn<OutOfMemoryCulprit>('function', l10n.t('Function'), 1, 144, ({ function: name }) => functionText(name)),
    textColumn<OutOfMemoryCulprit>('basis', l10n.t('According to'), 2, 136, ({ basis }) => culpritBasis(basis)),
  ];
}

/** Columns of the samples, whose rows are their positions. */
export function sampleTableColumns({ samples }: SampleColumns): readonly Column<number>[] {
  const of = <Value,>(value: (sample: SampleColumns['samples'][number]) => Value) => {
    return (at: number): Value | null => {
      const sample = samples[at];
      return sample === undefined ? null : value(sample);
    };
  };
  const time = of(({ time_ps }) => time_ps);
  const fragmentation = of(({ fragmentation_ratio: ratio }) => ratio);
  return [
    {
      id: 'time',
      title: l10n.t('Time'),
      width_px: 96,
      align: 'end',
      value: time,
      text: (at) => moment(time(at) ?? 0),
      exact: (at) => `${count(time(at) ?? 0)} ps`,
      copied: { title: l10n.t('Time (ps)'), text: (at) => String(time(at) ?? '') },
    },
    bytesColumn<number>({ id: 'stack', title: l10n.t('Stack'), rank: 2, value: of(({ stack_bytes: bytes }) => bytes) }),
    bytesColumn<number>({ id: 'heap', title: l10n.t('Heap'), value: of(({ heap_bytes: bytes }) => bytes) }),
    bytesColumn<number>({ id: 'free', title: l10n.t('Free'), rank: 1, value: of(({ free_bytes: bytes }) => bytes) }),
    {
      id: 'fragmentation',
      title: l10n.t('Fragmentation'),
      width_px: 104,
      align: 'end',
      rank: 3,
      value: fragmentation,
      text: (at) => {
        const ratio = fragmentation(at);
        return ratio === null ? UNKNOWN : share(ratio);
      },
    },
    textColumn<number>('activity', l10n.t('Activity'), 4, 104, (at) => activityName(samples[at]?.activity ?? null)),
    bytesColumn<number>({
      id: 'allocated',
      title: l10n.t('Allocated'),
      rank: 5,
      value: of(({ allocated_bytes: bytes }) => bytes),
    }),
    bytesColumn<number>({
      id: 'requested',
      title: l10n.t('Requested'),
      rank: 6,
      value: of(({ requested_bytes: bytes }) => bytes),
    }),
    textColumn<number>(
      'step',
      l10n.t('Step'),
      5,
      72,
      of(({ step }) => step),
    ),
    textColumn<number>(
      'op',
      l10n.t('Op'),
      6,
      144,
      of(({ op }) => op),
      { isCode: true, fills: 1 },
    ),
  ];
}

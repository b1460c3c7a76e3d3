// The columns of the tables of resources: readings of the charts that are shown, processes, threads, steps.

import * as l10n from '@vscode/l10n';
import type { ResourceProcess, ResourcesRecord, ResourceStep, ResourceThread } from '../../../src/protocol';
import type { Column } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import { numberColumn, textColumn } from '../../shared/table/kinds';
import { BYTE_RATE, BYTES, COUNT, type Quantity, RATIO, TIME } from '../../shared/text/quantities';
import type { Chart } from './charts';
import { moment, processName, quantityOf, seriesName, spanName, threadName } from './words';

export const CORE_COLUMN = 'core';

/** A row of a list, which is of no line. */
export type Placeless<Row> = Row & { readonly path: null; readonly file: null; readonly line: null };

export function placeless<Row extends object>(rows: readonly Row[]): readonly Placeless<Row>[] {
  return rows.map((row) => ({ ...row, path: null, file: null, line: null }));
}

/** What the charts of a group have, a row for each time between two readings. */
export function readingColumns(record: ResourcesRecord, charts: readonly Chart[]): readonly Column<number>[] {
  const { edges_ps: edges } = record;
  const time = (id: string, title: string, at: (row: number) => number | null): Column<number> =>
    numberColumn<number>(id, title, TIME, at, { width_px: 80, text: (row) => moment(at(row) ?? 0) });
  return [
    time('from', l10n.t('From'), (row) => edges[row] ?? null),
    time('to', l10n.t('To'), (row) => edges[row + 1] ?? null),
    ...charts.flatMap(({ id, title, series, quantity }) =>
      series.map((each) =>
        numberColumn<number>(
          `${id} ${each.key}`,
          seriesName(each),
          quantityOf(quantity),
          (row) => each.values[row] ?? null,
          { meaning: title, width_px: 112, least_px: 72 },
        ),
      ),
    ),
  ];
}

/** So wide that a title and the numbers below it are read whole: what has no room then is scrolled to. */
function titleWidth(title: string): number {
  return Math.max(80, Math.round(title.length * 6.5) + 24);
}

/** The means of each step, of what the charts of a group have. */
export function stepColumns(charts: readonly Chart[]): readonly Column<StepRow>[] {
  return [
    { ...textColumn<StepRow>('step', l10n.t('Step'), ({ name }) => name, { width_px: 80 }), value: ({ at }) => at },
    numberColumn<StepRow>('start', l10n.t('Begins'), TIME, ({ start_ps }) => start_ps, {
      width_px: 80,
      least_px: 80,
      text: ({ start_ps }) => moment(start_ps),
    }),
    numberColumn<StepRow>('time', l10n.t('Takes'), TIME, ({ start_ps, end_ps }) => end_ps - start_ps, {
      width_px: 80,
      least_px: 80,
    }),
    ...charts.flatMap(({ id, title, series, quantity }) =>
      series.map((each) =>
        numberColumn<StepRow>(
          `${id} ${each.key}`,
          seriesName(each),
          quantityOf(quantity),
          ({ at }) => each.step_values[at] ?? null,
          { meaning: title, width_px: titleWidth(seriesName(each)), least_px: titleWidth(seriesName(each)) },
        ),
      ),
    ),
  ];
}

/** A step with its place among them. */
export type StepRow = ResourceStep & { readonly at: number; readonly key: string };

export function processColumns({ processes, span }: ResourcesRecord): readonly Column<ResourceProcess>[] {
  type Row = ResourceProcess;
  return [
    textColumn<Row>('process', l10n.t('Process'), processName, { width_px: 144, least_px: 96, fills: 1 }),
    ...worksForColumn<Row>(processes),
    numberColumn<Row>('pid', l10n.t('Id'), ID, ({ pid }) => pid, { width_px: 72, rank: 3 }),
    coreColumn<Row>(processes, span),
    ratio<Row>('user', l10n.t('User'), ({ user_ratio }) => user_ratio, { rank: 4 }),
    ratio<Row>('system', l10n.t('System'), ({ system_ratio }) => system_ratio, { rank: 4 }),
    waitingColumn<Row>(),
    bytes<Row>('resident', l10n.t('Resident'), BYTES, ({ resident_bytes }) => resident_bytes, 2),
    bytes<Row>('read', l10n.t('Disk read'), BYTE_RATE, ({ read_bytes_per_s }) => read_bytes_per_s, 5),
    bytes<Row>('written', l10n.t('Written'), BYTE_RATE, ({ written_bytes_per_s }) => written_bytes_per_s, 6),
    numberColumn<Row>('threads', l10n.t('Threads'), COUNT, ({ threads }) => threads, { width_px: 72, rank: 7 }),
    runColumn<Row>(),
  ];
}

export function threadColumns({ threads, span, processes }: ResourcesRecord): readonly Column<ResourceThread>[] {
  type Row = ResourceThread;
  const columns: readonly Column<Row>[] = [
    textColumn<Row>('thread', l10n.t('Thread'), threadName, { width_px: 144, least_px: 96, fills: 1 }),
    ...worksForColumn<Row>(threads),
    numberColumn<Row>('tid', l10n.t('Id'), ID, ({ tid }) => tid, { width_px: 72, rank: 3 }),
    coreColumn<Row>(threads, span),
    waitingColumn<Row>(),
    numberColumn<Row>('switches', l10n.t('Got a core'), PER_SECOND, (row) => row.switches_per_s, {
      meaning: l10n.t('How often in a second it was given a core'),
      width_px: 96,
      rank: 4,
    }),
    runColumn<Row>(),
    textColumn<Row>('process', l10n.t('Process'), ({ process, pid }) => `${process} ${String(pid)}`, {
      width_px: 120,
      rank: 5,
    }),
  ];
  return processes.length > 1 ? columns : columns.filter(({ id }) => id !== 'process');
}

/** A name of the system's, not an amount. */
const ID: Quantity = { text: String, exact: String, unit: '' };
const PER_SECOND = quantityOf('switches_per_s');

/** The operations on data that a row works for, where any of them does for one. */
function worksForColumn<Row extends { readonly works_for: readonly string[] }>(
  rows: readonly Row[],
): readonly Column<Row>[] {
  return rows.every(({ works_for: names }) => names.length === 0)
    ? []
    : [
        textColumn<Row>('works', l10n.t('Works for'), ({ works_for: names }) => names.join(', '), {
          width_px: 136,
          rank: 2,
        }),
      ];
}

function coreColumn<Row extends { readonly core_ratio: number }>(
  rows: readonly Row[],
  span: ResourcesRecord['span'],
): Column<Row> {
  const most = Math.max(
    1,
    greatest(rows, ({ core_ratio }) => core_ratio),
  );
  return numberColumn<Row>(CORE_COLUMN, l10n.t('Of a core'), RATIO, ({ core_ratio }) => core_ratio, {
    meaning: l10n.t('Time on a core over time, {0}', spanName(span)),
    width_px: 136,
    least_px: 88,
    meter: ({ core_ratio }) => ({ ratio: core_ratio / most }),
  });
}

function waitingColumn<Row extends { readonly waiting_ratio: number | null }>(): Column<Row> {
  return ratio<Row>('waiting', l10n.t('Waits for one'), ({ waiting_ratio }) => waiting_ratio, {
    meaning: l10n.t('Time for which it could have gone on and no core was free, over time'),
    width_px: 104,
    rank: 1,
  });
}

function runColumn<Row extends { readonly run_cpu_ps: number }>(): Column<Row> {
  return numberColumn<Row>('run', l10n.t('In the run'), TIME, ({ run_cpu_ps }) => run_cpu_ps, {
    meaning: l10n.t('Time on a core since the first reading'),
    width_px: 88,
    rank: 8,
  });
}

function ratio<Row>(
  id: string,
  title: string,
  value: (row: Row) => number | null,
  options: { readonly rank: number; readonly meaning?: string; readonly width_px?: number },
): Column<Row> {
  return numberColumn<Row>(id, title, RATIO, value, options);
}

function bytes<Row>(
  id: string,
  title: string,
  quantity: Quantity,
  value: (row: Row) => number | null,
  rank: number,
): Column<Row> {
  return numberColumn<Row>(id, title, quantity, value, { width_px: 96, rank });
}

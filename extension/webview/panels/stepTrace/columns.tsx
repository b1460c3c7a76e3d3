// The columns of the tables of Step Trace: the steps, and the collectives in them.

import * as l10n from '@vscode/l10n';
import type { CollectiveRow, StepTraceRecord } from '../../../src/protocol';
import { noEstimate } from '../../shared/op/estimates';
import type { Column } from '../../shared/table/columns';
import { lineColumn, numberColumn, textColumn } from '../../shared/table/kinds';
import { dotted } from '../../shared/text/format';
import { BYTES, COUNT, type Quantity, TIME } from '../../shared/text/quantities';
import type { Row } from './charts';

/** The steps as a table, by their position. */
export function stepColumns(record: StepTraceRecord): readonly Column<number>[] {
  const { rows, has_backward: trains, collectives } = record;
  const of = (
    id: string,
    title: string,
    value: (row: Row) => number | null,
    quantity: Quantity = TIME,
    width_px = 96,
    meaning?: string,
  ): Column<number> =>
    numberColumn<number>(
      id,
      title,
      quantity,
      (at) => {
        const row = rows[at];
        return row === undefined ? null : value(row);
      },
      { width_px, ...(meaning === undefined ? {} : { meaning }) },
    );
  const meaning = stepMeaning(record) ?? undefined;
  const has = (value: (row: Row) => number): boolean => rows.some((row) => value(row) > 0);
  const columns: readonly (Column<number> | null)[] = [
    of('step', l10n.t('Step'), ({ number }) => number, COUNT, 64),
    of('time', l10n.t('Takes'), ({ duration_ps: time }) => time, TIME, 96, meaning),
    of('interval', l10n.t('Interval'), ({ interval_ps: time }) => time),
    of('passes', trains ? l10n.t('Forward to backward') : l10n.t('Pass'), (row) => row.forward_backward_ps, TIME, 136),
    of('tail', l10n.t('Tail'), ({ tail_ps: time }) => time),
    of('forward', l10n.t('Forward'), ({ forward_ps: time }) => time),
    trains ? of('backward', l10n.t('Backward'), ({ backward_ps: time }) => time) : null,
    has((row) => row.recompute_ps) ? of('recompute', l10n.t('Recompute'), (row) => row.recompute_ps) : null,
    has((row) => row.optimizer_ps) ? of('optimizer', l10n.t('Optimizer'), (row) => row.optimizer_ps) : null,
    has((row) => row.other_ps) ? of('other', l10n.t('Other'), (row) => row.other_ps) : null,
    collectives.length === 0 ? null : of('collectives', l10n.t('Collectives'), (row) => row.collectives, COUNT),
    collectives.length === 0 ? null : of('collective', l10n.t('Take'), (row) => row.collective_ps),
    collectives.length === 0 ? null : of('bytes', l10n.t('Move'), (row) => row.collective_bytes, BYTES),
    collectives.length === 0 ? null : of('exposed', l10n.t('Not hidden'), (row) => row.exposed_ps),
    textColumn<number>('note', l10n.t('Note'), (at) => noteText(rows[at]), { width_px: 176, fills: 1 }),
  ];
  return columns.filter((column) => column !== null);
}

/** How a step is cut here, where nothing annotates it; of a prediction nothing waits. */
export function stepMeaning({ steps_source: source, predicted_for: device }: StepTraceRecord): string | null {
  return source === 'annotation' || device !== null
    ? null
    : l10n.t('A step here has the wait before it; in Overview and Timeline it has the one after it');
}

function noteText(row: Row | undefined): string {
  return row === undefined
    ? ''
    : dotted([
        row.is_steady ? null : l10n.t('compiles, in no mean'),
        row.has_interval ? null : l10n.t('what was before is not known, in no mean'),
        row.is_outlier ? l10n.t('unlike most') : null,
      ]);
}

export function collectiveColumns(): readonly Column<CollectiveRow>[] {
  type Each = CollectiveRow;
  return [
    textColumn<Each>('name', l10n.t('Collective'), ({ name, primitive }) => primitive || name, {
      width_px: 200,
      least_px: 112,
      fills: 1,
      exact: ({ name }) => name,
    }),
    textColumn<Each>('category', l10n.t('Category'), ({ category }) => category, { width_px: 128, rank: 3 }),
    numberColumn<Each>('perStep', l10n.t('Per step'), COUNT, ({ per_step: times }) => times, {
      meaning: l10n.t('How often it runs in a step, on one device'),
      width_px: 80,
      rank: 2,
    }),
    numberColumn<Each>('bytes', l10n.t('Moves'), BYTES, ({ bytes }) => bytes, {
      meaning: l10n.t('Bytes of what it exchanges, in one run'),
    }),
    numberColumn<Each>('mean', l10n.t('Takes'), TIME, (row) => (row.has_estimate ? row.mean_ps : null), {
      unknown: noEstimate,
    }),
    numberColumn<Each>('exposed', l10n.t('Not hidden'), TIME, (row) => (row.has_estimate ? row.exposed_ps : null), {
      meaning: l10n.t('While nothing else ran, in one run'),
      unknown: noEstimate,
      width_px: 112,
    }),
    lineColumn<Each>({ width_px: 144, rank: 1 }),
  ];
}

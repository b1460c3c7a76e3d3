// The columns of the tables of Programs: programs, and what compiling took by function, line and cause.

import * as l10n from '@vscode/l10n';
import type { CompilationRow, ProgramRow, ProgramsRecord } from '../../../src/protocol';
import type { Column } from '../../shared/table/columns';
import { lineColumn, numberColumn, shareColumn, textColumn } from '../../shared/table/kinds';
import { BYTES, COUNT, TIME } from '../../shared/text/quantities';
import { causeName, changedText, variantText } from './words';

export const TIME_COLUMN = 'share';
export const COMPILE_COLUMN = 'time';

export function programColumns({ rows, program_time_ps: whole }: ProgramsRecord): readonly Column<ProgramRow>[] {
  type Row = ProgramRow;
  const columns: readonly (Column<Row> | null)[] = [
    textColumn<Row>('name', l10n.t('Program'), ({ name }) => name, {
      width_px: 176,
      least_px: 112,
      fills: 1,
      isCode: true,
      exact: ({ name, program_id: id }) => (id === '' ? name : `${name}\n${id}`),
    }),
    rows.some(({ variants }) => variants > 1)
      ? {
          ...textColumn<Row>('variant', l10n.t('Variant'), variantText, {
            meaning: l10n.t('Programs that one function was compiled to, in the order in which they first ran'),
            width_px: 80,
          }),
          value: ({ variant }) => variant,
        }
      : null,
    numberColumn<Row>('runs', l10n.t('Runs'), COUNT, ({ runs }) => runs, { width_px: 72 }),
    numberColumn<Row>('perStep', l10n.t('Per step'), COUNT, ({ runs_per_step: runs }) => runs, {
      width_px: 80,
      rank: 4,
      isBlank: ({ runs }) => runs === 0,
    }),
    shareColumn<Row>(TIME_COLUMN, l10n.t('Time %'), ({ time_ps: time }) => time, {
      whole,
      meaning: l10n.t('Of the runs of all programs in the window'),
    }),
    numberColumn<Row>('mean', l10n.t('One run'), TIME, ({ mean_ps: time }) => time, { rank: 1 }),
    numberColumn<Row>('compile', l10n.t('Compile time'), TIME, ({ compile_ps: time }) => time, {
      unknown: () => l10n.t('When it was compiled is not recorded'),
      width_px: 112,
    }),
    rows.some(({ changed }) => changed.length > 0)
      ? textColumn<Row>('changed', l10n.t('Compiled again for'), (row) => row.changed.map(changedText).join(', '), {
          width_px: 232,
          least_px: 144,
          isCode: true,
        })
      : null,
    numberColumn<Row>('memory', l10n.t('Memory'), BYTES, ({ peak_bytes: bytes }) => bytes, {
      meaning: l10n.t('At its peak, as the compiler planned it'),
      rank: 2,
    }),
    numberColumn<Row>('arguments', l10n.t('Arguments'), COUNT, (row) => row.arguments.length, {
      width_px: 88,
      rank: 5,
    }),
    { ...lineColumn<Row>({ width_px: 144, rank: 1 }), title: l10n.t('Called at') },
  ];
  return columns.filter((column) => column !== null);
}

export function compilationColumns(): readonly Column<CompilationRow>[] {
  type Row = CompilationRow;
  return [
    textColumn<Row>('function', l10n.t('Function'), (row) => row.function, {
      width_px: 160,
      least_px: 112,
      fills: 1,
      isCode: true,
    }),
    lineColumn<Row>({ width_px: 152 }),
    textColumn<Row>('cause', l10n.t('Cause'), ({ cause }) => causeName(cause), { width_px: 176 }),
    numberColumn<Row>('count', l10n.t('Times'), COUNT, ({ count }) => count, {
      meaning: l10n.t('In the whole run of the script'),
      width_px: 72,
    }),
    numberColumn<Row>('inSteps', l10n.t('In steps'), COUNT, ({ in_steps: count }) => count, {
      meaning: l10n.t('Those in complete steps of the window'),
      width_px: 80,
      rank: 1,
    }),
    numberColumn<Row>(COMPILE_COLUMN, l10n.t('Compile time'), TIME, ({ time_ps: time }) => time, { width_px: 112 }),
    textColumn<Row>('changed', l10n.t('Changed last'), (row) => row.changed.map(changedText).join(', '), {
      width_px: 240,
      rank: 2,
      isCode: true,
    }),
  ];
}

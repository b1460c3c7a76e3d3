// Every column of Op Statistics.

import * as l10n from '@vscode/l10n';
import type { OpRow, OpsRecord } from '../../../src/protocol';
import { Icon } from '../../shared/controls/elements';
import { basisText } from '../../shared/op/card/quantities';
import { didNotRun, extentText } from '../../shared/op/extent';
import { opColumn } from '../../shared/op/opName';
import { per_s } from '../../shared/op/rate';
import { bandwidthColumn, flopUtilisationColumn, whyNoUtilisation } from '../../shared/op/utilisation';
import { boundByText, functionText, paddedMeaning, sideWord, spaceName } from '../../shared/op/words';
import type { Column } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import { type ColumnOptions, lineColumn, numberColumn, shareColumn, textColumn } from '../../shared/table/kinds';
import { phaseName } from '../../shared/text/phases';
import {
  BYTE_RATE,
  BYTES,
  COUNT,
  FLOP_RATE,
  FLOPS,
  INTENSITY,
  type Quantity,
  TIME,
} from '../../shared/text/quantities';
import { knownTime, noEstimate } from '../../shared/op/estimates';

export const SHARE_COLUMN = 'share';
export const FLOPS_COLUMN = 'flops';

/** The fields of an op that have a value of a type, or none. */
type FieldOf<Value> = { [Field in keyof OpRow]: OpRow[Field] extends Value | null ? Field : never }[keyof OpRow];

/** Every column that there is for a record, in the order in which they stand. */
export function opColumns(record: OpsRecord): readonly Column<OpRow>[] {
  const longest = greatest(record.rows, ({ self_ps }) => self_ps, 1);
  const spaces = [...new Set(record.rows.flatMap(({ bytes_by_space: by }) => Object.keys(by)))].sort();
  const reason = whyNoUtilisation(record.findings);
  const hasSteps = record.extent.steps > 0;
  const over = extentText(record.extent);
  /** A column, unless its field is known of no row: without a peak there is no share of it. */
  const ifKnown = (field: keyof OpRow, column: Column<OpRow>): readonly Column<OpRow>[] =>
    record.rows.some((row) => row[field] !== null) ? [column] : [];
  return [
    opColumn<OpRow>((row) => row, { fills: 2 }),
    text('category', l10n.t('Type'), l10n.t('The category of the op'), { width_px: 136 }),
    word(
      'side',
      l10n.t('Side'),
      l10n.t('Where its work is done: on the device, by the host, or by Python called back'),
      sideText,
      {
        cell: (row) => (
          <>
            <Icon name={sideWord(row.side).icon} /> <span class="text">{sideText(row)}</span>
          </>
        ),
      },
    ),
    shareColumn<OpRow>(SHARE_COLUMN, l10n.t('Of op time'), (row) => (row.executions === 0 ? null : knownTime(row)), {
      unknown: noEstimate,
      meaning: l10n.t('Self time as a share of all op time; the bar is full at the longest op'),
      whole: record.op_time_ps,
      longest,
    }),
    time('self_ps', l10n.t('Self'), l10n.t('Self time of all executions {0}', over)),
    time('mean_ps', l10n.t('Mean'), l10n.t('Self time of an execution on average')),
    time('least_ps', l10n.t('Least'), l10n.t('The shortest execution')),
    time('greatest_ps', l10n.t('Greatest'), l10n.t('The longest execution')),
    ...(hasSteps ? [time('per_step_ps', l10n.t('Per step'), l10n.t('Self time per step and device'))] : []),
    time('wall_ps', l10n.t('Wall clock'), l10n.t('Less than the self time only where several threads worked at once')),
    amount('executions', l10n.t('Executions'), l10n.t('How often it ran, {0}', over), COUNT),
    ...(hasSteps
      ? [amount('executions_per_step', l10n.t('Executions/step'), l10n.t('How often it ran in a step'), COUNT)]
      : []),
    amount(
      FLOPS_COLUMN,
      l10n.t('FLOPs'),
      didNotRun(record.extent) ? l10n.t('FLOPs of one run of the program') : l10n.t('FLOPs that ran'),
      FLOPS,
    ),
    amount(
      'model_flops',
      l10n.t('Model FLOPs'),
      l10n.t('FLOPs without what was computed again and the padding of windows'),
      FLOPS,
    ),
    amount('padded_flops', l10n.t('Padded FLOPs'), paddedMeaning(record.matrix_unit), FLOPS),
    amount(
      'transcendentals',
      l10n.t('Transcendentals'),
      l10n.t('Exponentials, logarithms and the like, which are not FLOPs'),
      COUNT,
    ),
    number('flop_rate', l10n.t('FLOP rate'), l10n.t('FLOPs ÷ the wall clock while it ran'), FLOP_RATE, (row) =>
      per_s(row.flops, row.wall_ps),
    ),
    ...ifKnown(
      'flop_utilisation_ratio',
      flopUtilisationColumn<OpRow>({
        meaning: l10n.t('The FLOP rate as a share of the peak of the element type'),
        reason,
      }),
    ),
    amount('bytes', l10n.t('Bytes'), l10n.t('Bytes moved, over all memory spaces'), BYTES),
    ...spaces.map((space) =>
      number(
        `bytes.${space}`,
        l10n.t('Bytes, {0}', spaceName(space)),
        l10n.t('Bytes moved to and from this memory'),
        BYTES,
        (row) => row.bytes_by_space[space] ?? null,
      ),
    ),
    number(
      'byte_rate',
      l10n.t('Byte rate'),
      l10n.t('Bytes of all memory spaces ÷ the wall clock while it ran'),
      BYTE_RATE,
      (row) => per_s(row.bytes, row.wall_ps),
    ),
    ...ifKnown(
      'bandwidth_utilisation_ratio',
      bandwidthColumn<OpRow>({ meaning: l10n.t('The rate of main memory as a share of its bandwidth'), reason }),
    ),
    number('intensity', l10n.t('Intensity'), l10n.t('FLOPs for each byte that is moved'), INTENSITY, (row) =>
      row.flops === null || row.bytes === null || row.bytes === 0 ? null : row.flops / row.bytes,
    ),
    ...ifKnown(
      'bound_by',
      text('bound_by', l10n.t('Bound by'), l10n.t('What limits it by the roofline: compute, or a memory space'), {
        text: ({ bound_by }) => boundByText(bound_by),
      }),
    ),
    ...ifKnown(
      'wasted_ps',
      time(
        'wasted_ps',
        l10n.t('Wasted'),
        l10n.t('Self time × (1 − the better of FLOP utilisation and bandwidth utilisation)'),
      ),
    ),
    word(
      'basis',
      l10n.t('Basis'),
      l10n.t('Whether the profile states FLOPs and bytes'),
      ({ basis }) => basisText(basis),
      { width_px: 160 },
    ),
    text('element_type', l10n.t('Element type'), l10n.t('Of the arithmetic')),
    lineColumn<OpRow>({ meaning: l10n.t('The line that took most of its time') }),
    word('function', l10n.t('Function'), l10n.t('The function of the line'), (row) => functionText(row.function)),
    word('shared', l10n.t('Other lines'), l10n.t('Whether other lines took a part of its time'), ({ shared }) =>
      shared ? l10n.t('yes') : l10n.t('no'),
    ),
    word('phase', l10n.t('Phase'), l10n.t('The part of a training step'), ({ phase }) => phaseName(phase)),
    text('primitive', l10n.t('Primitive'), l10n.t('The operation of jax')),
    text('opcode', l10n.t('Opcode'), l10n.t('The operation of XLA')),
    text('shape', l10n.t('Shape'), l10n.t('The shape of the result'), { width_px: 144, isCode: true }),
    word(
      'operand_shapes',
      l10n.t('Operands'),
      l10n.t('The shapes of the operands'),
      (row) => row.operand_shapes.join(', '),
      {
        width_px: 200,
        isCode: true,
      },
    ),
    text('scope', l10n.t('Scope'), l10n.t('The path of names around it, without what jax adds'), { width_px: 176 }),
    text('op_name', l10n.t('Full name'), l10n.t('Its name with all scopes, as XLA has it'), { width_px: 240 }),
    text('program', l10n.t('Program'), l10n.t('The program that it is in'), { width_px: 144 }),
  ];
}

/**
 * What is shown where nobody chose: where there is no room for all, those of the highest number are left out first.
 * Columns that would say the same in every row are not among them: no times and rates where nothing ran.
 */
export function usualColumns(record: OpsRecord): Readonly<Record<string, number>> {
  const hasSides = new Set(record.rows.map(({ side }) => side)).size > 1;
  if (didNotRun(record.extent)) {
    return {
      name: 0,
      category: 2,
      ...(hasSides ? { side: 6 } : {}),
      [FLOPS_COLUMN]: 0,
      padded_flops: 7,
      bytes: 1,
      intensity: 3,
      line: 4,
      shape: 5,
    };
  }
  return {
    name: 0,
    category: 3,
    ...(hasSides ? { side: 6 } : {}),
    [SHARE_COLUMN]: 0,
    self_ps: 4,
    mean_ps: 7,
    executions: 8,
    flop_rate: 11,
    flop_utilisation: 2,
    bandwidth_utilisation: 5,
    bound_by: 9,
    line: 1,
    shape: 10,
  };
}

function word(
  id: string,
  title: string,
  meaning: string,
  value: (row: OpRow) => string | null,
  options: ColumnOptions<OpRow> = {},
): Column<OpRow> {
  return textColumn(id, title, value, { meaning, ...options });
}

function number(
  id: string,
  title: string,
  meaning: string,
  quantity: Quantity,
  value: (row: OpRow) => number | null,
): Column<OpRow> {
  return numberColumn(id, title, quantity, value, { meaning });
}

/** The column of a field of the rows, which is its id. */
function text(id: FieldOf<string>, title: string, meaning: string, options: ColumnOptions<OpRow> = {}): Column<OpRow> {
  return word(id, title, meaning, (row) => row[id], options);
}

function amount(id: FieldOf<number>, title: string, meaning: string, quantity: Quantity): Column<OpRow> {
  return number(id, title, meaning, quantity, (row) => row[id]);
}

function time(id: FieldOf<number>, title: string, meaning: string): Column<OpRow> {
  // What did not run, such as the ops of a program alone, has no time.
  return numberColumn<OpRow>(id, title, TIME, (row) => (row.executions === 0 || !row.has_estimate ? null : row[id]), {
    meaning,
    unknown: noEstimate,
  });
}

function sideText({ side }: OpRow): string {
  return sideWord(side).text;
}

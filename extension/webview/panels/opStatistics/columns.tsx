// Every column of Op Statistics.

import * as l10n from '@vscode/l10n';
import type { OpRow, OpsRecord } from '../../../src/protocol';
import { Icon } from '../../shared/controls/elements';
import { didNotRun } from '../../shared/op/extent';
import {
  byteRate,
  byteSize,
  count,
  duration,
  exactDuration,
  exactFlops,
  flopRate,
  flops,
  intensity,
  share,
} from '../../shared/text/format';
import { basisText } from '../../shared/op/card/quantities';
import { boundByText, lineText, paddedMeaning, sideWord, spaceName } from '../../shared/op/words';
import { UNKNOWN } from '../../shared/text/quantities';
import { phaseName } from '../../shared/text/phases';
import type { Column } from '../../shared/table/columns';
import { utilisationColumn } from '../../shared/op/utilisation';

export const SHARE_COLUMN = 'share';
export const FLOPS_COLUMN = 'flops';

const PS_PER_S = 1e12;

/** Every column that there is for a record, in the order in which they stand. */
export function opColumns(record: OpsRecord, onGo: (row: OpRow) => void): readonly Column<OpRow>[] {
  const longest_ps = record.rows.reduce((most, { self_ps }) => Math.max(most, self_ps), 1);
  const spaces = [...new Set(record.rows.flatMap(({ bytes_by_space: by }) => Object.keys(by)))].sort();
  const reason = record.utilisation_reason;
  return [
    {
      id: 'name',
      title: l10n.t('Name'),
      width_px: 208,
      least_px: 96,
      fills: 2,
      value: ({ name }) => name,
      text: ({ name }) => name,
      isCode: true,
    },
    word('category', l10n.t('Type'), l10n.t('The category of the op'), 136, ({ category }) => category),
    {
      ...word(
        'side',
        l10n.t('Side'),
        l10n.t('Where its work is done: on the device, by the host, or by Python called back'),
        96,
        sideText,
      ),
      cell: (row) => (
        <>
          <Icon name={sideWord(row.side).icon} /> <span class="text">{sideText(row)}</span>
        </>
      ),
    },
    {
      id: SHARE_COLUMN,
      title: l10n.t('Share'),
      meaning: l10n.t('Self time as a share of all op time; the bar is full at the longest op'),
      width_px: 136,
      least_px: 72,
      align: 'end',
      value: ({ self_ps }) => self_ps,
      text: ({ executions, share_ratio }) => (executions === 0 ? UNKNOWN : share(share_ratio)),
      exact: ({ self_ps }) => l10n.t('{0} of {1}', exactDuration(self_ps), exactDuration(record.op_time_ps)),
      copied: { title: l10n.t('Share (ratio)'), text: ({ share_ratio }) => share_ratio.toFixed(6) },
      meter: ({ executions, self_ps }) => (executions === 0 ? null : { ratio: self_ps / longest_ps }),
    },
    time('self', l10n.t('Self'), l10n.t('Self time of all executions'), ({ self_ps }) => self_ps),
    time('mean', l10n.t('Mean'), l10n.t('Self time of an execution on average'), ({ mean_ps }) => mean_ps),
    time('least', l10n.t('Least'), l10n.t('The shortest execution'), ({ least_ps }) => least_ps),
    time('greatest', l10n.t('Greatest'), l10n.t('The longest execution'), ({ greatest_ps }) => greatest_ps),
    time('per_step', l10n.t('Per step'), l10n.t('Self time per step and device'), ({ per_step_ps }) => per_step_ps),
    time(
      'wall',
      l10n.t('Wall clock'),
      l10n.t('Less than the self time only where several threads worked at once'),
      ({ wall_ps }) => wall_ps,
    ),
    number('executions', l10n.t('Executions'), l10n.t('How often it ran'), ({ executions }) => executions, count),
    number(
      'executions_per_step',
      l10n.t('Executions/step'),
      l10n.t('How often it ran in a step, on average'),
      ({ executions_per_step: number }) => number,
      count,
    ),
    number(
      FLOPS_COLUMN,
      l10n.t('FLOPs'),
      didNotRun(record.extent) ? l10n.t('FLOPs of one run of the program') : l10n.t('FLOPs that ran'),
      (row) => row.flops,
      flops,
      exactFlops,
    ),
    number(
      'model_flops',
      l10n.t('Model FLOPs'),
      l10n.t('FLOPs without what was computed again'),
      (row) => row.model_flops,
      flops,
      exactFlops,
    ),
    number(
      'padded_flops',
      l10n.t('Padded FLOPs'),
      paddedMeaning(record.matrix_unit),
      (row) => row.padded_flops,
      flops,
      exactFlops,
    ),
    number(
      'transcendentals',
      l10n.t('Transcendentals'),
      l10n.t('Exponentials, logarithms and the like, which are not FLOPs'),
      (row) => row.transcendentals,
      count,
    ),
    number(
      'flop_rate',
      l10n.t('FLOP rate'),
      l10n.t('FLOPs ÷ the wall clock while it ran'),
      (row) => per_s(row.flops, row.wall_ps),
      flopRate,
      (rate) => `${exactFlops(rate)}/s`,
      '(FLOP/s)',
    ),
    utilisationColumn<OpRow>({
      id: 'flop_utilisation',
      title: l10n.t('FLOP utilisation'),
      meaning: l10n.t('The FLOP rate as a share of the peak of the element type'),
      of: ({ flop_utilisation_ratio: ratio, flops: amount, notes }) => ({ ratio, amount, notes }),
      reason,
      unknown: l10n.t('The FLOPs are not known.'),
    }),
    number(
      'bytes',
      l10n.t('Bytes'),
      l10n.t('Bytes moved, over all memory spaces'),
      (row) => row.bytes,
      byteSize,
      exactBytes,
    ),
    ...spaces.map((space) =>
      number(
        `bytes.${space}`,
        l10n.t('Bytes, {0}', spaceName(space)),
        l10n.t('Bytes moved to and from this memory'),
        (row) => row.bytes_by_space[space] ?? null,
        byteSize,
        exactBytes,
      ),
    ),
    number(
      'byte_rate',
      l10n.t('Byte rate'),
      l10n.t('Bytes of all memory spaces ÷ the wall clock while it ran'),
      (row) => per_s(row.bytes, row.wall_ps),
      byteRate,
      (rate) => `${exactBytes(Math.round(rate))}/s`,
      '(B/s)',
    ),
    utilisationColumn<OpRow>({
      id: 'bandwidth_utilisation',
      title: l10n.t('Bandwidth'),
      meaning: l10n.t('The rate of main memory as a share of its bandwidth'),
      of: ({ bandwidth_utilisation_ratio: ratio, bytes: amount, notes }) => ({ ratio, amount, notes }),
      reason,
      unknown: l10n.t('The bytes are not known.'),
    }),
    number(
      'intensity',
      l10n.t('Intensity'),
      l10n.t('FLOPs for each byte that is moved'),
      (row) => (row.flops === null || row.bytes === null || row.bytes === 0 ? null : row.flops / row.bytes),
      intensity,
    ),
    {
      ...word(
        'bound_by',
        l10n.t('Bound by'),
        l10n.t('What limits it by the roofline: compute, or a memory space'),
        112,
        boundBy,
      ),
      value: ({ bound_by }) => bound_by,
    },
    time(
      'wasted',
      l10n.t('Wasted'),
      l10n.t('Self time × (1 − the better of FLOP utilisation and bandwidth utilisation)'),
      ({ wasted_ps }) => wasted_ps,
    ),
    word('basis', l10n.t('Basis'), l10n.t('Whether the profile states FLOPs and bytes'), 160, ({ basis }) =>
      basisText(basis),
    ),
    word('element_type', l10n.t('Element type'), l10n.t('Of the arithmetic'), 96, ({ element_type: type }) => type),
    {
      id: 'line',
      title: l10n.t('Line'),
      meaning: l10n.t('The line that took most of its time'),
      width_px: 128,
      value: ({ path, line }) => (line === null ? null : `${path ?? ''}:${String(line).padStart(7)}`),
      text: ({ path, line }) => lineText(path, line),
      exact: ({ path, line }) => (line === null ? '' : `${path ?? ''}:${String(line)}`),
      cell: (row) => <Line row={row} onGo={onGo} />,
    },
    word('function', l10n.t('Function'), l10n.t('The function of the line'), 120, (row) =>
      row.function.replaceAll('.<locals>', ''),
    ),
    word('shared', l10n.t('Other lines'), l10n.t('Whether other lines took a part of its time'), 96, ({ shared }) =>
      shared ? l10n.t('yes') : l10n.t('no'),
    ),
    word('phase', l10n.t('Phase'), l10n.t('The part of a training step'), 96, ({ phase }) => phaseName(phase)),
    word('primitive', l10n.t('Primitive'), l10n.t('The operation of jax'), 120, ({ primitive }) => primitive),
    word('opcode', l10n.t('Opcode'), l10n.t('The operation of XLA'), 96, ({ opcode }) => opcode),
    code('shape', l10n.t('Shape'), l10n.t('The shape of the result'), 144, ({ shape }) => shape),
    code('operand_shapes', l10n.t('Operands'), l10n.t('The shapes of the operands'), 200, (row) =>
      row.operand_shapes.join(', '),
    ),
    word(
      'scope',
      l10n.t('Scope'),
      l10n.t('The path of names around it, without what jax adds'),
      176,
      ({ scope }) => scope,
    ),
    word('op_name', l10n.t('Full name'), l10n.t('Its name with all scopes, as XLA has it'), 240, (row) => row.op_name),
    word('program', l10n.t('Program'), l10n.t('The program that it is in'), 144, ({ program }) => program),
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
    category: 2,
    ...(hasSides ? { side: 5 } : {}),
    [SHARE_COLUMN]: 0,
    self: 3,
    mean: 6,
    executions: 7,
    flop_rate: 10,
    flop_utilisation: 1,
    bandwidth_utilisation: 4,
    bound_by: 8,
    line: 5,
    shape: 9,
  };
}

function word(
  id: string,
  title: string,
  meaning: string,
  width_px: number,
  text: (row: OpRow) => string,
): Column<OpRow> {
  return { id, title, meaning, width_px, value: text, text };
}

function code(
  id: string,
  title: string,
  meaning: string,
  width_px: number,
  text: (row: OpRow) => string,
): Column<OpRow> {
  return { ...word(id, title, meaning, width_px, text), isCode: true };
}

function number(
  id: string,
  title: string,
  meaning: string,
  value: (row: OpRow) => number | null,
  write: (value: number) => string,
  exact: (value: number) => string = write,
  unit = '',
): Column<OpRow> {
  return {
    id,
    title,
    meaning,
    width_px: 96,
    least_px: 64,
    align: 'end',
    value,
    text: (row) => {
      const known = value(row);
      return known === null ? UNKNOWN : write(known);
    },
    exact: (row) => {
      const known = value(row);
      return known === null ? l10n.t('unknown') : exact(known);
    },
    copied: { title: unit === '' ? title : `${title} ${unit}`, text: (row) => String(value(row) ?? '') },
  };
}

function time(id: string, title: string, meaning: string, value: (row: OpRow) => number | null): Column<OpRow> {
  // What did not run, such as the ops of a program alone, has no time.
  const known = (row: OpRow): number | null => (row.executions === 0 ? null : value(row));
  return number(id, title, meaning, known, duration, exactDuration, '(ps)');
}

function per_s(amount: number | null, time_ps: number): number | null {
  return amount === null || time_ps === 0 ? null : (amount / time_ps) * PS_PER_S;
}

function exactBytes(bytes: number): string {
  return `${count(bytes)} B`;
}

function sideText({ side }: OpRow): string {
  return sideWord(side).text;
}

function boundBy({ bound_by }: OpRow): string {
  return boundByText(bound_by);
}

function Line(props: { readonly row: OpRow; readonly onGo: (row: OpRow) => void }) {
  const { row } = props;
  if (row.line === null) {
    return null;
  }
  if (row.file === null) {
    return <span class="text quiet">{lineText(row.path, row.line)}</span>;
  }
  return (
    // Enter on the row does the same, so Tab need not stop here.
    <button type="button" class="link text" tabIndex={-1} onClick={() => props.onGo(row)}>
      {lineText(row.path, row.line)}
    </button>
  );
}

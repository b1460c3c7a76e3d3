// The columns of the roofline's table.

import { sentences } from '../../shared/findings/findings';
import * as l10n from '@vscode/l10n';
import type { RooflineRow } from '../../../src/protocol';
import { namedOp, opColumn, OpName } from '../../shared/op/opName';
import { leastText } from '../../shared/op/utilisation';
import { boundByText } from '../../shared/op/words';
import type { Column } from '../../shared/table/columns';
import { lineColumn, numberColumn, type NumberOptions, shareColumn, textColumn } from '../../shared/table/kinds';
import { timeShare } from '../../shared/text/format';
import {
  BYTE_RATE,
  BYTES,
  FLOP_RATE,
  FLOPS,
  INTENSITY,
  type Quantity,
  quantityText,
  TIME,
  TIME_RATIO,
} from '../../shared/text/quantities';
import { BoundMark } from './marks';
import { boundOf, shareOfLimit } from './points';

export const TIME_COLUMN = 'time';

/** The columns. `longest_ps` fills a bar; without roofs those that need one are left out, as they would be empty. */
export function rooflineColumns(options: {
  readonly op_time_ps: number;
  readonly longest_ps: number;
  readonly hasRoofs: boolean;
  /** The rate that a ceiling allows; null where there is none. */
  readonly ceilingOf: ((row: RooflineRow) => number | null) | null;
}): readonly Column<RooflineRow>[] {
  const number = (
    id: string,
    title: string,
    quantity: Quantity,
    value: (row: RooflineRow) => number | null,
    more: NumberOptions<RooflineRow>,
  ): Column<RooflineRow> =>
    numberColumn(id, title, quantity, value, {
      unknown: ({ findings }) => [l10n.t('unknown'), ...sentences(findings)].join('\n'),
      ...more,
    });
  const { ceilingOf } = options;
  const ceilings: readonly Column<RooflineRow>[] =
    ceilingOf === null
      ? []
      : [
          number('ceiling', l10n.t('From caches'), FLOP_RATE, ceilingOf, {
            meaning: l10n.t('The rate that caches would allow if they held all of its bytes: no op is bound by it'),
            rank: 7,
          }),
        ];
  const limits: readonly Column<RooflineRow>[] = [
    number('ofLimit', l10n.t('Of limit'), TIME_RATIO, shareOfLimit, {
      meaning: l10n.t('The rate as a share of the roof at its intensity'),
      rank: 2,
      exact: (row) => withFindings(shareOfLimit(row), row),
    }),
    number('limit', l10n.t('Limit'), FLOP_RATE, (row) => row.limit_flops_per_s, {
      meaning: l10n.t('The rate that the roof allows at its intensity'),
      rank: 7,
    }),
    number('efficiency', l10n.t('Efficiency'), TIME_RATIO, (row) => row.efficiency_ratio, {
      meaning: l10n.t('The greatest utilisation of compute and of any memory'),
      rank: 3,
      text: ({ efficiency_ratio: ratio, utilisation_is_least }) =>
        ratio === null ? quantityText(TIME_RATIO, ratio) : leastText(ratio, utilisation_is_least),
      exact: (row) => withFindings(row.efficiency_ratio, row),
    }),
    textColumn<RooflineRow>('boundBy', l10n.t('Bound by'), (row) => row.bound_by, {
      least_px: 80,
      rank: 2,
      text: (row) => boundByText(row.bound_by),
    }),
  ];
  return [
    opColumn<RooflineRow>(namedOp, {
      cell: (row) => (
        <>
          <BoundMark bound={boundOf(row)} />
          {row.kind === 'op' ? <OpName op={namedOp(row)} /> : <span class="text code">{row.label}</span>}
        </>
      ),
    }),
    shareColumn<RooflineRow>(TIME_COLUMN, l10n.t('Of op time'), (row) => row.self_ps, {
      meaning: l10n.t('Self time as a share of all op time; the bar is full at the longest'),
      whole: options.op_time_ps,
      longest: options.longest_ps,
    }),
    number('self', l10n.t('Time'), TIME, (row) => row.self_ps, { meaning: l10n.t('Self time'), rank: 4 }),
    number('intensity', l10n.t('FLOP/byte'), INTENSITY, (row) => row.intensity_flops_per_byte, {
      meaning: l10n.t('Intensity: FLOPs for each byte that is moved in this memory'),
      rank: 1,
      text: (row) => INTENSITY.text(row.intensity_flops_per_byte).replace(' FLOP/byte', ''),
    }),
    number('rate', l10n.t('Rate'), FLOP_RATE, (row) => row.flops_per_s, {
      meaning: l10n.t('FLOPs over the wall clock while it ran'),
      rank: 1,
    }),
    number('bandwidth', l10n.t('Bandwidth'), BYTE_RATE, (row) => row.bytes_per_s, {
      meaning: l10n.t('Bytes moved in this memory over the wall clock while it ran'),
      rank: 5,
    }),
    ...(options.hasRoofs ? [...limits, ...ceilings] : []),
    number('flops', l10n.t('FLOPs'), FLOPS, (row) => row.flops, { rank: 8 }),
    number('bytes', l10n.t('Bytes'), BYTES, (row) => row.bytes, { rank: 8 }),
    textColumn<RooflineRow>('type', l10n.t('Type'), (row) => row.element_type, {
      meaning: l10n.t('The type that it computes in, by which the roof is chosen'),
      width_px: 64,
      rank: 6,
    }),
    textColumn<RooflineRow>('category', l10n.t('Category'), (row) => row.category, { width_px: 120, rank: 6 }),
    lineColumn<RooflineRow>({ rank: 5 }),
  ];
}

/** A share of a limit; it may be above it, which the findings explain. */
function withFindings(ratio: number | null, { findings }: RooflineRow): string {
  return [ratio === null ? l10n.t('unknown') : timeShare(ratio), ...sentences(findings)].join('\n');
}

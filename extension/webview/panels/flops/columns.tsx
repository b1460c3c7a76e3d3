// The columns of the FLOPs table.

import * as l10n from '@vscode/l10n';
import type { FlopsRow, MatrixUnitRecord } from '../../../src/protocol';
import { Swatch } from '../../shared/charts/cells';
import { namedOp, OpName } from '../../shared/op/opName';
import { paddedMeaning } from '../../shared/op/words';
import type { Column } from '../../shared/table/columns';
import { lineColumn, numberColumn, type NumberOptions, shareColumn, textColumn } from '../../shared/table/kinds';
import { phaseName } from '../../shared/text/phases';
import { FLOP_RATE, FLOPS, type Quantity, RATIO, TIME } from '../../shared/text/quantities';
import { rateInSelfTime, rowName, utilisationText } from './measures';
import type { FlopsNode } from './tree';

export const FLOPS_COLUMN = 'flops';

/** The columns, without those that would say nothing in any row. `whole` is the model, whose FLOPs fill a bar. */
export function flopsColumns(options: {
  readonly whole: FlopsRow;
  readonly rows: readonly FlopsRow[];
  /** What sizes are rounded up to. */
  readonly unit: MatrixUnitRecord | null;
}): readonly Column<FlopsNode>[] {
  const { whole, rows } = options;
  /** A column, unless its value is known of no row. */
  const known = (
    id: string,
    title: string,
    quantity: Quantity,
    value: (row: FlopsRow) => number | null,
    more: NumberOptions<FlopsNode>,
  ): readonly Column<FlopsNode>[] =>
    rows.some((row) => value(row) !== null) ? [numberColumn<FlopsNode>(id, title, quantity, value, more)] : [];
  const padded = paddedMeaning(options.unit);
  return [
    textColumn<FlopsNode>('label', l10n.t('Scope or op'), rowName, {
      width_px: 240,
      least_px: 120,
      fills: 3,
      exact: (row) =>
        row.phase === null || row.kind === 'op' ? rowName(row) : `${rowName(row)} · ${phaseName(row.phase)}`,
      cell: (row) => (
        <>
          {row.phase === null ? null : <Swatch hue={row.phase} />}
          {row.kind === 'op' ? <OpName op={namedOp(row)} /> : <span class="text">{rowName(row)}</span>}
        </>
      ),
    }),
    shareColumn<FlopsNode>('share', l10n.t('Share'), (row) => (whole.flops === null ? null : row.flops), {
      meaning: l10n.t('Executed FLOPs as a share of those of the whole model'),
      rank: 1,
      whole: whole.flops ?? 0,
      quantity: FLOPS,
    }),
    numberColumn<FlopsNode>(FLOPS_COLUMN, l10n.t('FLOPs'), FLOPS, (row) => row.flops, {
      meaning: l10n.t('What ran, with what was computed again'),
    }),
    ...known('model', l10n.t('Model'), FLOPS, (row) => row.model_flops, {
      meaning: l10n.t('FLOPs without what was computed again and the padding of windows'),
      rank: 5,
    }),
    ...known('padded', l10n.t('Padded'), FLOPS, (row) => row.padded_flops, { meaning: padded, rank: 6 }),
    ...known('rate', l10n.t('Rate (wall clock)'), FLOP_RATE, (row) => row.flops_per_s, {
      meaning: l10n.t('FLOPs of the ops over the wall clock of all of it, also of the time when others ran'),
      width_px: 136,
      rank: 2,
    }),
    ...known('ownRate', l10n.t('Rate (self time)'), FLOP_RATE, rateInSelfTime, {
      meaning: l10n.t('FLOPs of the ops over their own self time, in which each thread counts'),
      width_px: 136,
      rank: 8,
    }),
    ...known('mfu', 'MFU', RATIO, (row) => row.mfu_ratio, {
      meaning: l10n.t('Model FLOPs over wall clock and peak'),
      rank: 3,
      text: (row) => utilisationText(row.mfu_ratio, row),
    }),
    ...known('hfu', 'HFU', RATIO, (row) => row.hfu_ratio, {
      meaning: l10n.t('Executed FLOPs over wall clock and peak'),
      rank: 4,
      text: (row) => utilisationText(row.hfu_ratio, row),
    }),
    ...known('waste', l10n.t('Padding'), RATIO, (row) => row.padding_waste_ratio, {
      meaning: [l10n.t('Padding waste: one less executed over padded FLOPs'), padded].join('\n'),
      rank: 3,
    }),
    ...known('recompute', l10n.t('Recompute'), RATIO, (row) => row.recompute_ratio, {
      meaning: l10n.t('Share of the executed FLOPs that was computed again'),
      rank: 4,
    }),
    ...known('time', l10n.t('Time'), TIME, ({ self_ps }) => self_ps || null, {
      meaning: l10n.t('Self time of the ops'),
      rank: 2,
    }),
    ...known('unknown', l10n.t('Unknown'), TIME, ({ unknown_ps }) => unknown_ps || null, {
      meaning: l10n.t('Self time of ops whose FLOPs are not known'),
      rank: 9,
    }),
    lineColumn<FlopsNode>({ rank: 7 }),
  ];
}

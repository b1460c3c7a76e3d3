// The columns of the roofline's table.

import * as l10n from '@vscode/l10n';
import type { RooflineRow } from '../../../src/protocol';
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
import { boundByText, lineText } from '../../shared/op/words';
import type { Column } from '../../shared/table/columns';
import { leastText } from '../../shared/op/utilisation';
import { BoundMark } from './marks';
import { boundOf, shareOfLimit } from './points';

export const TIME_COLUMN = 'time';

/** The columns. `longest_ps` fills a bar; without roofs those that need one are left out, as they would be empty. */
export function rooflineColumns(options: {
  readonly longest_ps: number;
  readonly hasRoofs: boolean;
  readonly onGo: (row: RooflineRow) => void;
}): readonly Column<RooflineRow>[] {
  const number = (
    column: Pick<Column<RooflineRow>, 'id' | 'title' | 'meaning' | 'rank'> & {
      readonly unit: string;
      readonly value: (row: RooflineRow) => number | null;
      readonly shown: (value: number, row: RooflineRow) => string;
      readonly exact?: (value: number, row: RooflineRow) => string;
    },
  ): Column<RooflineRow> => {
    const { id, title, unit, value, shown, exact = shown, ...more } = column;
    const written = (row: RooflineRow, write: (value: number, row: RooflineRow) => string): string => {
      const known = value(row);
      return known === null ? '–' : write(known, row);
    };
    return {
      id,
      title,
      ...more,
      width_px: 104,
      least_px: 72,
      align: 'end',
      value,
      text: (row) => written(row, shown),
      exact: (row) => (value(row) === null ? [l10n.t('not known'), ...row.notes].join('\n') : written(row, exact)),
      copied: { title: `${title} (${unit})`, text: (row) => String(value(row) ?? '') },
    };
  };
  const limits: readonly Column<RooflineRow>[] = [
    number({
      id: 'ofLimit',
      title: l10n.t('Of limit'),
      meaning: l10n.t('The rate as a share of the roof at its intensity'),
      rank: 2,
      unit: 'ratio',
      value: shareOfLimit,
      shown: share,
      exact: withNotes,
    }),
    number({
      id: 'limit',
      title: l10n.t('Limit'),
      meaning: l10n.t('The rate that the roof allows at its intensity'),
      rank: 7,
      unit: 'FLOP/s',
      value: (row) => row.limit_flops_per_s,
      shown: flopRate,
    }),
    number({
      id: 'efficiency',
      title: l10n.t('Efficiency'),
      meaning: l10n.t('The greatest utilisation of compute and of any memory'),
      rank: 3,
      unit: 'ratio',
      value: (row) => row.efficiency_ratio,
      shown: (ratio, row) => leastText(ratio, row.utilisation_is_least),
      exact: withNotes,
    }),
  ];
  const boundBy: Column<RooflineRow> = {
    id: 'boundBy',
    title: l10n.t('Bound by'),
    width_px: 112,
    least_px: 80,
    rank: 2,
    value: (row) => row.bound_by,
    text: (row) => boundByText(row.bound_by),
  };
  return [
    {
      id: 'name',
      title: l10n.t('Name'),
      width_px: 200,
      least_px: 112,
      fills: 3,
      value: (row) => row.label,
      text: (row) => row.label,
      cell: (row) => (
        <>
          <BoundMark bound={boundOf(row)} />
          <span class="text code">{row.label}</span>
        </>
      ),
    },
    {
      id: TIME_COLUMN,
      title: l10n.t('Share'),
      meaning: l10n.t('Self time as a share of all op time; the bar is full at the longest'),
      width_px: 128,
      least_px: 72,
      align: 'end',
      value: (row) => row.self_ps,
      text: (row) => share(row.share_ratio),
      exact: (row) => exactDuration(row.self_ps),
      copied: { title: l10n.t('Share (ratio)'), text: (row) => row.share_ratio.toFixed(6) },
      meter: (row) => ({ ratio: row.self_ps / Math.max(1, options.longest_ps) }),
    },
    number({
      id: 'self',
      title: l10n.t('Time'),
      meaning: l10n.t('Self time'),
      rank: 4,
      unit: 'ps',
      value: (row) => row.self_ps,
      shown: duration,
      exact: exactDuration,
    }),
    number({
      id: 'intensity',
      title: l10n.t('FLOP/byte'),
      meaning: l10n.t('Intensity: FLOPs for each byte that is moved in this memory'),
      rank: 1,
      unit: 'FLOP/byte',
      value: (row) => row.intensity_flops_per_byte,
      shown: (value) => intensity(value).replace(' FLOP/byte', ''),
      exact: (value) => `${String(value)} FLOP/byte`,
    }),
    number({
      id: 'rate',
      title: l10n.t('Rate'),
      meaning: l10n.t('FLOPs over the wall clock while it ran'),
      rank: 1,
      unit: 'FLOP/s',
      value: (row) => row.flops_per_s,
      shown: flopRate,
    }),
    number({
      id: 'bandwidth',
      title: l10n.t('Bandwidth'),
      meaning: l10n.t('Bytes moved in this memory over the wall clock while it ran'),
      rank: 5,
      unit: 'byte/s',
      value: (row) => row.bytes_per_s,
      shown: byteRate,
    }),
    ...(options.hasRoofs ? [...limits, boundBy] : []),
    number({
      id: 'flops',
      title: l10n.t('FLOPs'),
      rank: 8,
      unit: 'FLOP',
      value: (row) => row.flops,
      shown: flops,
      exact: exactFlops,
    }),
    number({
      id: 'bytes',
      title: l10n.t('Bytes'),
      rank: 8,
      unit: 'bytes',
      value: (row) => row.bytes,
      shown: byteSize,
      exact: (value) => `${count(value)} B`,
    }),
    {
      id: 'type',
      title: l10n.t('Type'),
      meaning: l10n.t('The type that it computes in, by which the roof is chosen'),
      width_px: 64,
      rank: 6,
      value: (row) => row.element_type,
      text: (row) => row.element_type,
    },
    {
      id: 'category',
      title: l10n.t('Category'),
      width_px: 120,
      rank: 6,
      value: (row) => row.category,
      text: (row) => row.category,
    },
    {
      id: 'line',
      title: l10n.t('Line'),
      width_px: 120,
      rank: 5,
      value: (row) => (row.line === null ? null : `${row.path ?? ''}:${String(row.line).padStart(7)}`),
      text: (row) => lineText(row.path, row.line),
      exact: (row) => (row.line === null ? '' : `${row.path ?? ''}:${String(row.line)}`),
      cell: (row) =>
        row.file === null || row.line === null ? undefined : (
          // Enter on the row does the same, so Tab need not stop here.
          <button type="button" class="link text" tabIndex={-1} onClick={() => options.onGo(row)}>
            {lineText(row.path, row.line)}
          </button>
        ),
    },
  ];
}

/** A share of a limit; it may be above it, which the notes explain. */
function withNotes(ratio: number, { notes }: RooflineRow): string {
  return [share(ratio), ...notes].join('\n');
}

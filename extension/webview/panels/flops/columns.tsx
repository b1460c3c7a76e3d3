// The columns of the FLOPs table.

import * as l10n from '@vscode/l10n';
import type { FlopsRow, MatrixUnitRecord } from '../../../src/protocol';
import { Swatch } from '../../shared/charts/cells';
import { duration, flopRate } from '../../shared/text/format';
import { lineText, paddedMeaning } from '../../shared/op/words';
import { phaseName } from '../../shared/text/phases';
import type { Column } from '../../shared/table/columns';
import {
  exactFlopsText,
  exactTime,
  flopsText,
  nodeName,
  rateInSelfTime,
  rateText,
  shareText,
  utilisationText,
} from './measures';
import type { FlopsNode } from './tree';

export const FLOPS_COLUMN = 'flops';

type Field = 'flops' | 'model_flops' | 'padded_flops';
type Ratio = 'mfu_ratio' | 'hfu_ratio' | 'padding_waste_ratio' | 'recompute_ratio';

/** The columns, without those that would say nothing in any row. `whole` is the model, whose FLOPs fill a bar. */
export function flopsColumns(options: {
  readonly whole: FlopsRow;
  readonly rows: readonly FlopsRow[];
  /** What sizes are rounded up to. */
  readonly unit: MatrixUnitRecord | null;
  readonly onGo: (node: FlopsNode) => void;
}): readonly Column<FlopsNode>[] {
  const { whole, rows } = options;
  const isKnown = (field: Field | Ratio | 'flops_per_s'): boolean => rows.some((row) => row[field] !== null);
  const work = (id: string, title: string, meaning: string, rank: number, field: Field): Column<FlopsNode> => ({
    id,
    title,
    meaning,
    width_px: 96,
    least_px: 72,
    align: 'end',
    rank,
    value: ({ row }) => row[field],
    text: ({ row }) => flopsText(row[field]),
    exact: ({ row }) => exactFlopsText(row[field]),
    copied: { title: `${title} (FLOP)`, text: ({ row }) => String(row[field] ?? '') },
  });
  const ratio = (id: string, title: string, meaning: string, rank: number, field: Ratio): Column<FlopsNode> => ({
    id,
    title,
    meaning,
    width_px: 80,
    least_px: 64,
    align: 'end',
    rank,
    value: ({ row }) => row[field],
    text: ({ row }) =>
      field === 'mfu_ratio' || field === 'hfu_ratio' ? utilisationText(row[field], row) : shareText(row[field]),
    copied: { title: l10n.t('{0} (ratio)', title), text: ({ row }) => row[field]?.toFixed(6) ?? '' },
  });
  const time = (id: string, title: string, meaning: string, rank: number, field: 'self_ps' | 'unknown_ps') => ({
    id,
    title,
    meaning,
    width_px: 80,
    least_px: 64,
    align: 'end' as const,
    rank,
    value: ({ row }: FlopsNode) => row[field],
    text: ({ row }: FlopsNode) => (row[field] === 0 ? '–' : duration(row[field])),
    exact: ({ row }: FlopsNode) => exactTime(row[field]),
    copied: { title: `${title} (ps)`, text: ({ row }: FlopsNode) => String(row[field]) },
  });
  const shareOfAll = ({ row }: FlopsNode): number | null =>
    row.flops === null || whole.flops === null || whole.flops === 0 ? null : row.flops / whole.flops;

  const columns: readonly (Column<FlopsNode> | null)[] = [
    {
      id: 'label',
      title: l10n.t('Scope or op'),
      width_px: 240,
      least_px: 120,
      fills: 3,
      value: nodeName,
      text: nodeName,
      exact: (node) => (node.row.phase === null ? nodeName(node) : `${nodeName(node)} · ${phaseName(node.row.phase)}`),
      cell: (node) => (
        <>
          {node.row.phase === null ? null : <Swatch hue={node.row.phase} />}
          <span class={node.row.kind === 'op' ? 'text code' : 'text'}>{nodeName(node)}</span>
        </>
      ),
    },
    {
      id: 'share',
      title: l10n.t('Share'),
      meaning: l10n.t('Executed FLOPs as a share of those of the whole model'),
      width_px: 128,
      least_px: 72,
      align: 'end',
      rank: 1,
      value: shareOfAll,
      text: (node) => shareText(shareOfAll(node)),
      copied: { title: l10n.t('{0} (ratio)', l10n.t('Share')), text: (node) => shareOfAll(node)?.toFixed(6) ?? '' },
      meter: (node) => ({ ratio: shareOfAll(node) ?? 0 }),
    },
    work(FLOPS_COLUMN, l10n.t('FLOPs'), l10n.t('What ran, with what was computed again'), 0, 'flops'),
    work('model', l10n.t('Model'), l10n.t('FLOPs without what was computed again'), 5, 'model_flops'),
    isKnown('padded_flops') ? work('padded', l10n.t('Padded'), paddedMeaning(options.unit), 6, 'padded_flops') : null,
    isKnown('flops_per_s')
      ? {
          id: 'rate',
          title: l10n.t('Rate (wall clock)'),
          meaning: l10n.t('FLOPs of the ops over the wall clock of all of it, also of the time when others ran'),
          width_px: 136,
          least_px: 80,
          align: 'end',
          rank: 2,
          value: ({ row }) => row.flops_per_s,
          text: ({ row }) => rateText(row.flops_per_s),
          copied: { title: l10n.t('Rate over wall clock (FLOP/s)'), text: ({ row }) => String(row.flops_per_s ?? '') },
        }
      : null,
    isKnown('flops_per_s')
      ? {
          id: 'ownRate',
          title: l10n.t('Rate (self time)'),
          meaning: l10n.t('FLOPs of the ops over their own self time, in which each thread counts'),
          width_px: 136,
          least_px: 80,
          align: 'end',
          rank: 8,
          value: rateInSelfTime,
          text: (node) => {
            const rate = rateInSelfTime(node);
            return rate === null ? '–' : flopRate(rate);
          },
          copied: { title: l10n.t('Rate over self time (FLOP/s)'), text: (node) => String(rateInSelfTime(node) ?? '') },
        }
      : null,
    isKnown('mfu_ratio') ? ratio('mfu', 'MFU', l10n.t('Model FLOPs over wall clock and peak'), 3, 'mfu_ratio') : null,
    isKnown('hfu_ratio')
      ? ratio('hfu', 'HFU', l10n.t('Executed FLOPs over wall clock and peak'), 4, 'hfu_ratio')
      : null,
    isKnown('padding_waste_ratio')
      ? ratio(
          'waste',
          l10n.t('Padding'),
          [l10n.t('Padding waste: one less executed over padded FLOPs'), paddedMeaning(options.unit)].join('\n'),
          3,
          'padding_waste_ratio',
        )
      : null,
    ratio(
      'recompute',
      l10n.t('Recompute'),
      l10n.t('Share of the executed FLOPs that was computed again'),
      4,
      'recompute_ratio',
    ),
    whole.self_ps > 0 ? time('time', l10n.t('Time'), l10n.t('Self time of the ops'), 2, 'self_ps') : null,
    whole.unknown_ps > 0
      ? time('unknown', l10n.t('Unknown'), l10n.t('Self time of ops whose FLOPs are not known'), 9, 'unknown_ps')
      : null,
    {
      id: 'line',
      title: l10n.t('Line'),
      width_px: 120,
      rank: 7,
      value: ({ row }) => (row.line === null ? null : `${row.path ?? ''}:${String(row.line).padStart(7)}`),
      text: ({ row }) => lineText(row.path, row.line),
      exact: ({ row }) => (row.line === null ? '' : `${row.path ?? ''}:${String(row.line)}`),
      cell: (node) =>
        node.row.file === null || node.row.line === null ? undefined : (
          // Enter on the row does the same, so Tab need not stop here.
          <button type="button" class="link text" tabIndex={-1} onClick={() => options.onGo(node)}>
            {lineText(node.row.path, node.row.line)}
          </button>
        ),
    },
  ];
  return columns.filter((column) => column !== null);
}

// What the icicle's widths may stand for, in words and numbers.

import * as l10n from '@vscode/l10n';
import type { FlopsRow } from '../../../src/protocol';
import { duration, exactDuration, exactFlops, flopRate, flops, share } from '../../shared/text/format';
import { UNKNOWN } from '../../shared/op/words';
import { phaseName } from '../../shared/text/phases';
import { leastText } from '../../shared/op/utilisation';
import { type FlopsNode, type Measure, measured } from './tree';

export function measureName(measure: Measure): string {
  switch (measure) {
    case 'flops':
      return l10n.t('Executed FLOPs');
    case 'model_flops':
      return l10n.t('Model FLOPs');
    case 'self_ps':
      return l10n.t('Time');
  }
}

export function measureText(amount: number, measure: Measure): string {
  return measure === 'self_ps' ? duration(amount) : flops(amount);
}

/** A scope or an op by its name; the whole has none of its own. */
export function nodeName({ row }: FlopsNode): string {
  return row.kind === 'model' ? l10n.t('Model') : row.label;
}

/** A node in one line: its phase, its part of the whole, its time and its rate. */
export function readout(node: FlopsNode, whole: FlopsNode, measure: Measure): string {
  const { row } = node;
  const all = measured(whole, measure);
  const amount = row[measure];
  const parts = [
    row.phase === null ? null : phaseName(row.phase),
    amount === null || all === 0
      ? l10n.t('FLOPs not known')
      : l10n.t('{0}, {1} of {2}', measureText(amount, measure), share(amount / all), measureText(all, measure)),
    measure === 'self_ps'
      ? row.flops === null
        ? null
        : flops(row.flops)
      : // Of a program that did not run there is no time.
        whole.row.self_ps === 0
        ? null
        : duration(row.self_ps),
    row.flops_per_s === null ? null : l10n.t('{0} over wall clock', flopRate(row.flops_per_s)),
    row.mfu_ratio === null ? null : l10n.t('MFU {0}', leastText(row.mfu_ratio, row.utilisation_is_least)),
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

export const flopsText = (amount: number | null): string => (amount === null ? UNKNOWN : flops(amount));
export const exactFlopsText = (amount: number | null): string =>
  amount === null ? l10n.t('not known') : exactFlops(amount);
export const rateText = (rate: number | null): string => (rate === null ? UNKNOWN : flopRate(rate));
export const shareText = (ratio: number | null): string => (ratio === null ? UNKNOWN : share(ratio));
/** A utilisation, with `≥` where some of the FLOPs have no known peak. */
export const utilisationText = (ratio: number | null, row: FlopsRow): string =>
  ratio === null ? UNKNOWN : leastText(ratio, row.utilisation_is_least);
export const exactTime = (time_ps: number | null): string =>
  time_ps === null ? l10n.t('not known') : exactDuration(time_ps);

/** FLOPs over the time in which the ops themselves worked; the record's rates are over wall clock. */
export function rateInSelfTime({ row }: FlopsNode): number | null {
  return row.flops === null || row.self_ps === 0 ? null : row.flops / (row.self_ps / 1e12);
}

// What the icicle's widths may stand for, in words and numbers.

import * as l10n from '@vscode/l10n';
import type { FlopsRow } from '../../../src/protocol';
import { fullOpName, namedOp } from '../../shared/op/opName';
import { per_s } from '../../shared/op/rate';
import { leastText } from '../../shared/op/utilisation';
import { dotted, flopRate, share } from '../../shared/text/format';
import { phaseName } from '../../shared/text/phases';
import { FLOPS, type Quantity, TIME, UNKNOWN } from '../../shared/text/quantities';
import { measured, type Measure } from './tree';
import { timed } from '../../shared/text/basis';

export function measureName(measure: Measure): string {
  return {
    flops: l10n.t('Executed FLOPs'),
    model_flops: l10n.t('Model FLOPs'),
    self_ps: l10n.t('Time'),
  }[measure];
}

export function quantityOf(measure: Measure): Quantity {
  return measure === 'self_ps' ? TIME : FLOPS;
}

/** A scope or an op by its name; the whole has none of its own. */
export function rowName(row: FlopsRow): string {
  return row.kind === 'model' ? l10n.t('Model') : row.kind === 'op' ? fullOpName(namedOp(row)) : row.label;
}

/** A row in one line: its phase, its part of the whole, its time and its rate. */
export function readout(row: FlopsRow, whole: FlopsRow, measure: Measure): string {
  const all = measured(whole, measure);
  const amount = row[measure];
  const { text } = quantityOf(measure);
  return dotted([
    // The name of an op says it.
    row.phase === null || row.kind === 'op' ? null : phaseName(row.phase),
    amount === null || all === 0
      ? l10n.t('FLOPs not known')
      : l10n.t('{0}, {1} of {2}', text(amount), share(amount / all), text(all)),
    measure === 'self_ps'
      ? row.flops === null
        ? null
        : FLOPS.text(row.flops)
      : // Of a program that did not run there is no time.
        whole.self_ps === 0
        ? null
        : TIME.text(row.self_ps),
    row.flops_per_s === null ? null : l10n.t('{0} over wall clock', timed(flopRate(row.flops_per_s))),
    row.mfu_ratio === null ? null : l10n.t('MFU {0}', leastText(row.mfu_ratio, row.utilisation_is_least)),
  ]);
}

/** A utilisation, with `≥` where some of the FLOPs have no known peak. */
export const utilisationText = (ratio: number | null, row: FlopsRow): string =>
  ratio === null ? UNKNOWN : leastText(ratio, row.utilisation_is_least);

/** FLOPs over the time in which the ops themselves worked; the record's rates are over wall clock. */
export function rateInSelfTime({ flops, self_ps }: FlopsRow): number | null {
  return per_s(flops, self_ps);
}

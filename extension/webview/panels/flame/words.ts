// What a flame graph measures, in words and numbers.

import * as l10n from '@vscode/l10n';
import type { FlameMeasure, FlameOp, FlameRecord } from '../../../src/protocol';
import { stepsAndDevices } from '../../shared/op/extent';
import { opName } from '../../shared/op/opName';
import { dotted, share, timeShare } from '../../shared/text/format';
import { phaseName } from '../../shared/text/phases';
import { BYTES, FLOPS, type Quantity, TIME } from '../../shared/text/quantities';
import { type FlameNode, phaseOf } from './tree';

export const MEASURES: readonly FlameMeasure[] = ['op-time', 'wall-time', 'flops', 'memory'];

export function measureName(measure: FlameMeasure): string {
  return {
    'op-time': l10n.t('Op time'),
    'wall-time': l10n.t('Wall clock'),
    flops: l10n.t('FLOPs'),
    memory: l10n.t('Memory at the peak'),
  }[measure];
}

/** A record's total: `123 ms of op time`, `24.6 ms of op time per step`. */
export function totalText(record: FlameRecord): string {
  const said = amountText(record);
  return divisorOf(record) === 1
    ? said
    : record.extent.devices === 1
      ? l10n.t('{0} per step', said)
      : l10n.t('{0} per step and device', said);
}

function amountText(record: FlameRecord): string {
  const amount = quantityOf(record).text(record.total);
  switch (record.measure) {
    case 'op-time':
      return l10n.t('{0} of op time', amount);
    case 'wall-time':
      return l10n.t('{0} of wall clock', amount);
    case 'flops':
      return amount;
    case 'memory':
      return l10n.t('{0} at the peak', amount);
  }
}

/** An op below its line: `dot_general · backward`. */
export function tracedName(op: FlameOp): string {
  return opName({ ...op, path: null, line: null });
}

/** What the record's values are divided by to be one per step and device; 1 where they are of something else. */
export function divisorOf({ extent, unit }: FlameRecord): number {
  return unit === 'bytes' ? 1 : stepsAndDevices(extent);
}

/** How values of a record are written, divided where they are per step. */
export function quantityOf(record: FlameRecord): Quantity {
  const { text, exact, unit } = { ps: TIME, flops: FLOPS, bytes: BYTES }[record.unit];
  const divisor = divisorOf(record);
  return divisor === 1
    ? { text, exact, unit }
    : {
        text: (value) => text(value / divisor),
        exact: (value) =>
          l10n.t('{0} per step and device, {1} in all', exact(Math.round(value / divisor)), exact(value)),
        unit,
        bare: (value) => String(value / divisor),
      };
}

/** The part that an amount is of a whole. */
export function partText({ unit }: Quantity, ratio: number): string {
  return unit === TIME.unit ? timeShare(ratio) : share(ratio);
}

/** A node in one line, without its name: its phase, what it has, its part of the whole, what it has itself. */
export function readout(node: FlameNode, root: FlameNode, quantity: Quantity): string {
  const phase = phaseOf(node);
  return dotted([
    phase === null ? null : phaseName(phase),
    node.row === null || node.line === null ? null : `${node.path ?? ''}:${String(node.line)}`,
    l10n.t('{0}, {1}', quantity.text(node.inclusive), partText(quantity, node.inclusive / Math.max(1, root.inclusive))),
    node.self === 0 || node.self === node.inclusive ? null : l10n.t('self {0}', quantity.text(node.self)),
  ]);
}

// Quantities: how a number of each unit is written for a glance, in full and for a spreadsheet.

import * as l10n from '@vscode/l10n';
import { timed } from './basis';
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
  timeShare,
} from './format';

export const UNKNOWN = '–';

export interface Quantity {
  /** Three digits and the unit. */
  readonly text: (value: number) => string;
  /** Every digit, for a tooltip. */
  readonly exact: (value: number) => string;
  /** The unit of the bare number; empty for a count. */
  readonly unit: string;
  /** The bare number, where that is not all of its digits. */
  readonly bare?: (value: number) => string;
}

export const TIME: Quantity = { text: duration, exact: exactDuration, unit: 'ps' };
export const BYTES: Quantity = { text: byteSize, exact: exactBytes, unit: 'bytes' };
export const BYTE_RATE: Quantity = {
  text: (rate) => timed(byteRate(rate)),
  exact: (rate) => timed(`${exactBytes(Math.round(rate))}/s`),
  unit: 'B/s',
};
export const FLOPS: Quantity = { text: flops, exact: exactFlops, unit: 'FLOP' };
export const FLOP_RATE: Quantity = {
  text: (rate) => timed(flopRate(rate)),
  exact: (rate) => timed(`${exactFlops(rate)}/s`),
  unit: 'FLOP/s',
};
/** A rate that a device can reach, which nothing need run for. */
export const PEAK_FLOP_RATE: Quantity = {
  text: flopRate,
  exact: (rate) => `${exactFlops(rate)}/s`,
  unit: FLOP_RATE.unit,
};
export const INTENSITY: Quantity = {
  text: intensity,
  exact: (value) => `${String(value)} FLOP/byte`,
  unit: 'FLOP/byte',
};
export const RATIO: Quantity = { text: share, exact: share, unit: 'ratio', bare: (ratio) => ratio.toFixed(6) };
/** A share that rests on times: of them, or of what was reached in them. */
export const TIME_RATIO: Quantity = { ...RATIO, text: timeShare, exact: timeShare };
/** How many times as large something is: `1.90 ×`. */
export const FACTOR: Quantity = {
  text: (factor) => `${factor.toFixed(factor < 9.95 ? 2 : 0)} ×`,
  exact: (factor) => `${String(factor)} ×`,
  unit: '×',
};
export const COUNT: Quantity = { text: count, exact: count, unit: '' };

export function exactBytes(bytes: number): string {
  return `${count(bytes)} B`;
}

/** A number that may be unknown, for a glance. */
export function quantityText(quantity: Quantity, value: number | null): string {
  return value === null ? UNKNOWN : quantity.text(value);
}

/** A number that may be unknown, in full. */
export function exactText(quantity: Quantity, value: number | null): string {
  return value === null ? l10n.t('unknown') : quantity.exact(value);
}

// A logarithmic scale: where values stand, which of them have a tick, and how far one may zoom.

import type { Span } from './span';

/** An interval of values greater than zero, drawn from `start_px` to `end_px`, which may run either way. */
export interface LogScale extends Span {
  readonly start_px: number;
  readonly end_px: number;
}

export interface Tick {
  readonly value: number;
  /** Ticks without a label are only a faint line. */
  readonly labelled: boolean;
}

/** The least ratio of the ends, beyond which there is nothing more to be told apart. */
const LEAST_RATIO = 1.05;

/** Where a value stands; beyond the ends where it is outside. The value is greater than zero. */
export function positionOf(scale: LogScale, value: number): number {
  const part = Math.log(value / scale.from) / Math.log(scale.to / scale.from);
  return scale.start_px + part * (scale.end_px - scale.start_px);
}

/** The value at a position. */
export function valueAt(scale: LogScale, position_px: number): number {
  const part = (position_px - scale.start_px) / (scale.end_px - scale.start_px);
  return scale.from * (scale.to / scale.from) ** part;
}

/** The interval that holds all values greater than zero with room at both ends: a factor. One decade without any. */
export function intervalOf(values: Iterable<number>, room: number): Span {
  let [least, greatest] = [Infinity, 0];
  for (const value of values) {
    if (value > 0 && value < Infinity) {
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
    }
  }
  return greatest === 0 ? { from: 1, to: 10 } : { from: least / room, to: greatest * room };
}

/** Zoomed about a value: a factor below 1 shows less. Never more than `whole`, never less than can be told apart. */
export function zoomed(interval: Span, about: number, factor: number, whole: Span): Span {
  const from = about * (interval.from / about) ** factor;
  const to = about * (interval.to / about) ** factor;
  return within({ from, to }, whole);
}

/** An interval cut to what there is to see, and widened to what can be told apart. */
export function within(interval: Span, whole: Span): Span {
  const from = Math.max(whole.from, Math.min(interval.from, interval.to));
  const to = Math.min(whole.to, Math.max(interval.from, interval.to));
  if (to / from >= LEAST_RATIO) {
    return { from, to };
  }
  const middle = Math.sqrt(interval.from * interval.to);
  return { from: middle / Math.sqrt(LEAST_RATIO), to: middle * Math.sqrt(LEAST_RATIO) };
}

/** The interval moved, as far as is needed, so that a value is well inside. */
export function movedTo(interval: Span, value: number): Span {
  const margin = (interval.to / interval.from) ** 0.05;
  const [least, greatest] = [interval.from * margin, interval.to / margin];
  const by = value < least ? value / least : value > greatest ? value / greatest : 1;
  return { from: interval.from * by, to: interval.to * by };
}

/**
 * Ticks in order. Labelled are the powers of ten, every so many that labels have `label_px`, and where that leaves
 * few, twice and five times them too. The others are the multiples of powers between, where they are not too close.
 */
export function ticksOf(scale: LogScale, label_px: number): readonly Tick[] {
  const length_px = Math.abs(scale.end_px - scale.start_px);
  const decades = Math.log10(scale.to / scale.from);
  const decade_px = length_px / decades;
  const every = Math.max(1, Math.ceil(label_px / decade_px));
  // From 5 to the next 10 it is 0.3 of a decade.
  const labelsOfDecade = every > 1 || decade_px * 0.3 < label_px ? [1] : [1, 2, 5];
  const showsMultiples = every === 1 && decade_px >= label_px;
  const ticks: Tick[] = [];
  for (let power = Math.floor(Math.log10(scale.from)); power <= Math.ceil(Math.log10(scale.to)); power += 1) {
    for (let multiple = 1; multiple < (showsMultiples ? 10 : 2); multiple += 1) {
      const value = Number(`${String(multiple)}e${String(power)}`);
      if (value >= scale.from && value <= scale.to) {
        const labelled = labelsOfDecade.includes(multiple) && power % every === 0;
        ticks.push({ value, labelled });
      }
    }
  }
  if (ticks.filter(({ labelled }) => labelled).length >= 2) {
    return ticks;
  }
  // Less than a decade: as many round values as fit.
  return linearTicks(scale, length_px / label_px);
}

function linearTicks({ from, to }: Span, atMost: number): readonly Tick[] {
  const roughly = (to - from) / Math.max(1, atMost);
  const power = Math.floor(Math.log10(roughly));
  const factor = [1, 2, 5, 10].find((each) => each * 10 ** power >= roughly) ?? 10;
  const [first, last] = [Math.ceil(from / (factor * 10 ** power)), Math.floor(to / (factor * 10 ** power))];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
    value: Number(`${String((first + index) * factor)}e${String(power)}`),
    labelled: true,
  }));
}

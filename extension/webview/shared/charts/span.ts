// The part of an axis that is shown, and how it is moved and zoomed.

import { firstNotBefore } from './ascending';

/** `from` is less than `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export function lengthOf({ from, to }: Span): number {
  return to - from;
}

/** A span cut to the whole and at least as long as `least`, where the whole is that long. */
export function inside(span: Span, whole: Span, least: number): Span {
  const length = Math.min(lengthOf(whole), Math.max(least, lengthOf(span)));
  const middle = (span.from + span.to) / 2;
  const from = lengthOf(span) < least ? middle - length / 2 : span.from;
  const start = Math.max(whole.from, Math.min(from, whole.to - length));
  return { from: start, to: start + length };
}

/** Zoomed about a place, which stays where it is: a factor below 1 shows less. */
export function zoomedSpan(span: Span, about: number, factor: number, whole: Span, least: number): Span {
  const length = Math.min(lengthOf(whole), Math.max(least, lengthOf(span) * factor));
  const part = lengthOf(span) === 0 ? 0.5 : (about - span.from) / lengthOf(span);
  const from = about - part * length;
  return inside({ from, to: from + length }, whole, least);
}

/** Moved along the axis, never beyond its ends. */
export function movedSpan(span: Span, by: number, whole: Span): Span {
  const from = Math.max(whole.from, Math.min(span.from + by, whole.to - lengthOf(span)));
  return { from, to: from + lengthOf(span) };
}

/** Moved as little as it takes to hold a place. */
export function spanHolding(span: Span, place: number, whole: Span): Span {
  const by = place < span.from ? place - span.from : place > span.to ? place - span.to : 0;
  return by === 0 ? span : movedSpan(span, by, whole);
}

/** Whether a span shows everything, so that nothing is zoomed. */
export function isWhole(span: Span, whole: Span): boolean {
  return span.from <= whole.from && span.to >= whole.to;
}

/** The last position of an ascending list whose value is not above `value`; 0 where all are. */
export function positionAt(values: ArrayLike<number>, value: number): number {
  return Math.max(0, firstNotBefore(0, values.length, (at) => (values[at] ?? 0) <= value) - 1);
}

// Intervals that a person marks and keeps.

import type { Picture, PictureRow, Timing, TimelineState } from '../state/state';
import { greatest } from '../../../shared/table/greatest';
import type { Span } from '../state/viewport';

/** Edges of events that are this near to the pointer are meant by it. */
export const SNAP_PX = 6;

/** Two times in their order. */
export function spanOf(one_ps: number, other_ps: number): Span {
  return { start_ps: Math.min(one_ps, other_ps), end_ps: Math.max(one_ps, other_ps) };
}

export function withTiming(timings: readonly Timing[], span: Span): readonly Timing[] {
  const id = greatest(timings, (each) => each.id) + 1;
  return [...timings, { id, start_ps: span.start_ps, end_ps: span.end_ps }];
}

/** One edge moved; it may pass the other one. */
export function movedEdge(timing: Timing, edge: keyof Span, to_ps: number): Timing {
  const other_ps = edge === 'start_ps' ? timing.end_ps : timing.start_ps;
  return { id: timing.id, ...spanOf(to_ps, other_ps) };
}

export function replaced(timings: readonly Timing[], timing: Timing): readonly Timing[] {
  return timings.map((each) => (each.id === timing.id ? timing : each));
}

/** Marks a span; one that is marked already is not marked again. */
export function mark(state: TimelineState, span: Span): void {
  const isMarked = state.timings.value.some(
    ({ start_ps, end_ps }) => start_ps === span.start_ps && end_ps === span.end_ps,
  );
  if (!isMarked && span.end_ps > span.start_ps) {
    state.timings.value = withTiming(state.timings.value, span);
  }
}

/** The edge of an event near a time, else the time itself: `row` is the one under the pointer, whose edges come first. */
export function snapped(picture: Picture | null, at_ps: number, row: PictureRow | null): number {
  if (picture === null) {
    return at_ps;
  }
  const ofRow = row === null ? undefined : picture.edgesNear(at_ps, SNAP_PX, row)[0];
  return ofRow ?? picture.edgesNear(at_ps, SNAP_PX)[0] ?? at_ps;
}

// The steps of a run: which one is in sight, and the way to the next.

import type { TimelineStepsRecord } from '../../../../src/protocol';
import type { Span } from '../state/viewport';

export function stepSpan(steps: TimelineStepsRecord, step: number): Span | null {
  const start_ps = steps.start_ps[step];
  const duration_ps = steps.duration_ps[step];
  return start_ps === undefined || duration_ps === undefined ? null : { start_ps, end_ps: start_ps + duration_ps };
}

/** The step at the middle of the view, else the last one before it; -1 before the first. */
export function stepInSight(steps: TimelineStepsRecord, view: Span): number {
  const middle_ps = (view.start_ps + view.end_ps) / 2;
  let [low, high] = [0, steps.start_ps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps.start_ps[middle] ?? 0) <= middle_ps) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

/** The step to go to from the one in sight; the first and the last stay what they are. */
export function stepBeside(steps: TimelineStepsRecord, view: Span, by: -1 | 1): number {
  return Math.min(Math.max(0, stepInSight(steps, view) + by), steps.start_ps.length - 1);
}

// The steps of a run: where each is in time, which one is in sight, and the way to the next.

import type { TimelineStepsRecord } from '../../../../src/protocol';
import { firstNotBefore } from '../../../shared/charts/ascending';
import { middleOf, spanFrom, type Span } from './viewport';

export function stepSpan({ start_ps, duration_ps }: TimelineStepsRecord, step: number): Span {
  return spanFrom({ start_ps: start_ps[step] ?? 0, duration_ps: duration_ps[step] ?? 0 });
}

/** The first step that ends after a time. */
export function firstStepEndingAfter({ start_ps, duration_ps }: TimelineStepsRecord, at_ps: number): number {
  return firstNotBefore(0, start_ps.length, (step) => (start_ps[step] ?? 0) + (duration_ps[step] ?? 0) <= at_ps);
}

/** The step that a time is in; null between steps. */
export function stepAt(steps: TimelineStepsRecord | null, at_ps: number): number | null {
  const step = steps === null ? 0 : firstStepEndingAfter(steps, at_ps);
  const start_ps = steps?.start_ps[step];
  return start_ps !== undefined && start_ps <= at_ps ? step : null;
}

/** The step at the middle of the view, else the last one before it; -1 before the first. */
export function stepInSight({ start_ps }: TimelineStepsRecord, view: Span): number {
  return firstNotBefore(0, start_ps.length, (step) => (start_ps[step] ?? 0) <= middleOf(view)) - 1;
}

/** The step to go to from the one in sight; the first and the last stay what they are. */
export function stepBeside(steps: TimelineStepsRecord, view: Span, by: -1 | 1): number {
  return Math.min(Math.max(0, stepInSight(steps, view) + by), steps.start_ps.length - 1);
}

// Marks of the time axis: round times, and labels as exact as the marks are apart.

import { decimalsOf, exactTime, unitOf } from '../../../shared/text/exactTime';
import { lengthOf, type Span } from '../state/viewport';

export interface Tick {
  readonly at_ps: number;
  readonly label: string;
}

export interface Ticks {
  readonly step_ps: number;
  readonly ticks: readonly Tick[];
  /**
   * Zoomed in deep, full times would be longer than their marks are apart: labels count from here then. Null where
   * they are times of the profile.
   */
  readonly base: Tick | null;
}

/** With more decimals than this a label counts from a base. */
const MOST_DECIMALS = 3;
/** A base is a multiple of this many steps, so that it changes seldom while one pans. */
const STEPS_OF_BASE = 1000;

/** The least of 1, 2 and 5 times a power of ten that is not below a time. */
export function roundStep(least_ps: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least_ps)));
  for (const factor of [1, 2, 5]) {
    if (factor * power >= least_ps) {
      return factor * power;
    }
  }
  return 10 * power;
}

/** Marks of a view, at least `apart_px` from each other. */
export function ticksOf(view: Span, width_px: number, apart_px: number): Ticks {
  const step_ps = roundStep((lengthOf(view) / Math.max(1, width_px)) * apart_px);
  const full = unitOf(view.end_ps);
  const hasBase = decimalsOf(step_ps, full.unit_ps) > MOST_DECIMALS;
  const base_ps = hasBase ? Math.floor(view.start_ps / (step_ps * STEPS_OF_BASE)) * step_ps * STEPS_OF_BASE : 0;
  const unit = unitOf(view.end_ps - base_ps);
  const decimals = decimalsOf(step_ps, unit.unit_ps);
  const ticks: Tick[] = [];
  for (let at = Math.ceil(view.start_ps / step_ps); at * step_ps <= view.end_ps; at += 1) {
    const at_ps = at * step_ps;
    const number = ((at_ps - base_ps) / unit.unit_ps).toFixed(decimals);
    ticks.push({ at_ps, label: `${hasBase ? '+' : ''}${number} ${unit.name}` });
  }
  return {
    step_ps,
    ticks,
    base: hasBase ? { at_ps: base_ps, label: exactTime(base_ps, step_ps * STEPS_OF_BASE) } : null,
  };
}

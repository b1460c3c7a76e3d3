// Times as exact as they must be to be told from their neighbours, such as the marks of an axis.

import { duration, TIME_UNITS } from './format';

const SMALLEST = { unit_ps: 1, name: 'ps' };
const UNITS = TIME_UNITS.map(([unit_ps, name]) => ({ unit_ps, name }));

/** A time of the profile, with as many digits as tell it from one that is `step_ps` away. */
export function exactTime(at_ps: number, step_ps: number): string {
  const { unit_ps, name } = unitOf(at_ps);
  return at_ps === 0 ? duration(0) : `${(at_ps / unit_ps).toFixed(decimalsOf(step_ps, unit_ps))} ${name}`;
}

/** The largest unit that is not above a time. */
export function unitOf(time_ps: number): { readonly unit_ps: number; readonly name: string } {
  return UNITS.find(({ unit_ps }) => time_ps >= unit_ps) ?? SMALLEST;
}

/** How many decimals in a unit tell times apart that are `step_ps` from each other. */
export function decimalsOf(step_ps: number, unit_ps: number): number {
  return Math.max(0, Math.ceil(Math.log10(unit_ps / step_ps) - 1e-9));
}

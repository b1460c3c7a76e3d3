// The figures that a counter's area is read by.

import type { CounterRecord } from '../../../../src/protocol';
import { count } from '../../../shared/text/format';

/** At the top of its area, and at the bottom where that is not zero. */
export function counterFigures({ least, greatest, unit }: CounterRecord): { top: string; bottom: string | null } {
  const figure = (value: number): string => `${count(value)} ${unit}`.trim();
  return { top: figure(greatest), bottom: least < 0 ? figure(least) : null };
}

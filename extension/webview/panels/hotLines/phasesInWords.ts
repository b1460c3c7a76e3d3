// The phases of a row in words.

import { phaseName } from '../../shared/text/phases';
import { PHASES, type Phase } from '../../shared/theme';
import type { HotRow } from './rows';

/** `forward 33, backward 67` in whole percent, the greatest first; phases that round to nothing are left out. */
export function phasesInWords(row: HotRow, name?: (phase: Phase) => string): string {
  const { phases, self_ps } = row;
  if (phases === null || self_ps === null || self_ps === 0) {
    return '';
  }
  return PHASES.map((phase) => ({ phase, percent: Math.round((phases[phase] / self_ps) * 100) }))
    .filter(({ percent }) => percent > 0)
    .sort((one, other) => other.percent - one.percent)
    .map(({ phase, percent }) => (name ? `${name(phase)} ${percent}` : `${phaseName(phase)} ${percent} %`))
    .join(name ? ' ' : ', ');
}

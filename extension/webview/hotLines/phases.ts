// Phases of training by name and by letter.

import * as l10n from '@vscode/l10n';
import { PHASES, type Phase } from '../shared/theme';
import type { HotRow } from './rows';

export function phaseName(phase: Phase): string {
  switch (phase) {
    case 'forward':
      return l10n.t('forward');
    case 'backward':
      return l10n.t('backward');
    case 'recompute':
      return l10n.t('recompute');
    case 'optimizer':
      return l10n.t('optimizer');
    case 'other':
      return l10n.t('other');
  }
}

/** The same in every language, as the header of their column explains them. */
export function phaseLetter(phase: Phase): string {
  return { forward: 'F', backward: 'B', recompute: 'R', optimizer: 'O', other: '·' }[phase];
}

/** `forward 33, backward 67` in whole percent, the greatest first; phases that round to nothing are left out. */
export function phasesInWords(row: HotRow, name?: (phase: Phase) => string): string {
  const { phases } = row;
  if (phases === null || row.self_ps === 0) {
    return '';
  }
  return PHASES.map((phase) => ({ phase, percent: Math.round((phases[phase] / row.self_ps) * 100) }))
    .filter(({ percent }) => percent > 0)
    .sort((one, other) => other.percent - one.percent)
    .map(({ phase, percent }) => (name ? `${name(phase)} ${percent}` : `${phaseName(phase)} ${percent} %`))
    .join(name ? ' ' : ', ');
}

// Phases of training by name and by letter.

import * as l10n from '@vscode/l10n';
import type { Phase } from '../theme';

export function phaseName(phase: Phase): string {
  return {
    forward: l10n.t('forward'),
    backward: l10n.t('backward'),
    recompute: l10n.t('recompute'),
    optimizer: l10n.t('optimizer'),
    other: l10n.t('other'),
  }[phase];
}

/** The same in every language, as the header of their column explains them. */
export function phaseLetter(phase: Phase): string {
  return { forward: 'F', backward: 'B', recompute: 'R', optimizer: 'O', other: '·' }[phase];
}

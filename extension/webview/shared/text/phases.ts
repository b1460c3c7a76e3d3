// Phases of training by name and by letter.

import * as l10n from '@vscode/l10n';
import type { Phase } from '../theme';

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

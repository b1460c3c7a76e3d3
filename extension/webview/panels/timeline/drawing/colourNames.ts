// What the colours of the mode "phase" mean, in words.

import * as l10n from '@vscode/l10n';
import type { EventRecord } from '../../../../src/protocol';

export type SliceColour = EventRecord['colour'];

export function colourName(colour: SliceColour): string {
  switch (colour) {
    case 'forward':
      return l10n.t('forward');
    case 'backward':
      return l10n.t('backward');
    case 'recompute':
      return l10n.t('recompute');
    case 'optimizer':
      return l10n.t('optimizer');
    case 'communication':
      return l10n.t('communication');
    case 'transfer':
      return l10n.t('input and transfer');
    case 'idle':
      return l10n.t('idle');
    case 'other':
      return l10n.t('other');
    case 'host':
      return l10n.t('host');
  }
}

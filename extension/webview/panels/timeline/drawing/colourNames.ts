// What the colours of the mode "phase" mean, in words.

import * as l10n from '@vscode/l10n';
import type { EventRecord } from '../../../../src/protocol';
import { phaseName } from '../../../shared/text/phases';

export function colourName(colour: EventRecord['colour']): string {
  switch (colour) {
    case 'communication':
      return l10n.t('communication');
    case 'transfer':
      return l10n.t('input and transfer');
    case 'idle':
      return l10n.t('idle');
    case 'host':
      return l10n.t('host');
    default:
      return phaseName(colour);
  }
}

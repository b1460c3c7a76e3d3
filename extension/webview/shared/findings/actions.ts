// What helps, by the daemon's code of it, as the button of a page.

import * as l10n from '@vscode/l10n';
import type { PageCommand } from '../../../src/panels/messages';
import type { Action } from '../../../src/protocol';

export interface Remedy {
  readonly label: string;
  readonly command: PageCommand;
}

/** The button for an action; null where the editor has none. */
export function remedyOf(action: Action | null): Remedy | null {
  switch (action?.command) {
    case 'profile-script':
      return { label: l10n.t('Profile a Training Script'), command: 'scopelight.profile' };
    case 'set-peaks':
      return { label: l10n.t('Set Peaks'), command: 'scopelight.setPeaks' };
    case 'set-target':
      return { label: l10n.t('Choose a Target'), command: 'scopelight.setTarget' };
    case 'show-view':
      return viewRemedy(action.arguments['view']);
    default:
      return null;
  }
}

function viewRemedy(view: unknown): Remedy | null {
  switch (view) {
    case 'ops':
      return { label: l10n.t('Show Op Statistics'), command: 'scopelight.openOpStatistics' };
    case 'memory-viewer':
      return { label: l10n.t('Show Memory Viewer'), command: 'scopelight.openMemoryViewer' };
    case 'memory-profile':
      return { label: l10n.t('Show Memory Profile'), command: 'scopelight.openMemoryProfile' };
    default:
      return null;
  }
}

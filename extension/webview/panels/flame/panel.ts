import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'flame'> = {
  view: 'flame',
  title: () => l10n.t('Flame Graph'),
  icon: 'flame',
  order: 45,
  isInTextMenu: true,
  selections: ['op', 'line'],
  needsLine: true,
  dependsOn: ['settings'],
};

import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'op-profile'> = {
  view: 'op-profile',
  title: () => l10n.t('Op Profile'),
  icon: 'list-tree',
  order: 20,
  isInTextMenu: true,
  selections: ['op', 'line', 'category', 'program', 'scope'],
  dependsOn: ['settings'],
};

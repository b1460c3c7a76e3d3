import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'resources'> = {
  view: 'resources',
  title: () => l10n.t('Resources'),
  icon: 'dashboard',
  order: 75,
  selections: [],
  dependsOn: [],
};

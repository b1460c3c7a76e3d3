import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'overview'> = {
  view: 'overview',
  title: () => l10n.t('Overview'),
  icon: 'compass',
  order: 5,
  selections: [],
  dependsOn: ['settings', 'places'],
};

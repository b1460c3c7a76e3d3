import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'shapes'> = {
  view: 'shapes',
  title: () => l10n.t('Shapes'),
  icon: 'symbol-ruler',
  order: 56,
  selections: [],
  dependsOn: ['places'],
};

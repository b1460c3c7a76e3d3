import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'roofline'> = {
  view: 'roofline',
  title: () => l10n.t('Roofline'),
  icon: 'graph-line',
  order: 50,
  selections: ['op', 'line', 'category', 'program'],
  dependsOn: ['settings'],
};

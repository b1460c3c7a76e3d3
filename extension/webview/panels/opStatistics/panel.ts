import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'ops'> = {
  view: 'ops',
  title: () => l10n.t('Op Statistics'),
  icon: 'pie-chart',
  order: 30,
  selections: ['op', 'line', 'category'],
  dependsOn: ['settings'],
};

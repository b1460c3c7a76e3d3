import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'lines'> = {
  view: 'lines',
  title: () => l10n.t('Hot Lines'),
  icon: 'flame',
  order: 80,
  commandIcon: 'go-to-file',
  isInSideBar: true,
  selections: ['op', 'line'],
  needsLine: true,
  dependsOn: ['places', 'settings'],
};

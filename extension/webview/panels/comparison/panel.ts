import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'comparison'> = {
  view: 'comparison',
  title: () => l10n.t('Comparison'),
  icon: 'git-compare',
  order: 7,
  isMissingInReports: true,
  selections: [],
  dependsOn: ['settings'],
};

import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'query'> = {
  view: 'query',
  isMissingInReports: true,
  title: () => l10n.t('Query'),
  icon: 'database',
  order: 96,
  selections: [],
  dependsOn: [],
};

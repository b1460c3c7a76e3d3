import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'programs'> = {
  view: 'programs',
  title: () => l10n.t('Programs'),
  icon: 'package',
  order: 54,
  selections: ['program'],
  dependsOn: ['places'],
};

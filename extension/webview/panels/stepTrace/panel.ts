import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'steps'> = {
  view: 'steps',
  title: () => l10n.t('Step Trace'),
  icon: 'graph-line',
  order: 12,
  selections: [],
  dependsOn: ['places'],
};

import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'hosts'> = {
  view: 'hosts',
  title: () => l10n.t('Hosts'),
  icon: 'server-environment',
  order: 14,
  selections: [],
  dependsOn: ['places'],
};

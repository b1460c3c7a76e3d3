import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'counters'> = {
  view: 'counters',
  title: () => l10n.t('Counters'),
  icon: 'circuit-board',
  order: 58,
  selections: [],
  dependsOn: ['places'],
};

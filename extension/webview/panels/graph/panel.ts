import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'graph'> = {
  view: 'graph',
  title: () => l10n.t('Graph'),
  icon: 'type-hierarchy-sub',
  order: 52,
  isInTextMenu: true,
  selections: ['op', 'line', 'scope'],
  hasSomethingWithoutTimes: ({ has }) => has.includes('programs'),
  dependsOn: ['settings'],
};

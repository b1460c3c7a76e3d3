import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'memory-viewer'> = {
  view: 'memory-viewer',
  title: () => l10n.t('Memory Viewer'),
  icon: 'chip',
  order: 60,
  isInTextMenu: true,
  selections: ['op', 'line', 'program'],
  hasSomethingWithoutTimes: ({ has }) => has.includes('programs'),
  dependsOn: [],
};

import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'memoryViewer'> = {
  view: 'memoryViewer',
  title: () => l10n.t('Memory Viewer'),
  icon: 'chip',
  order: 60,
  isInTextMenu: true,
  selections: ['op', 'line', 'program'],
  needs: ['programs'],
  hasSomethingWithoutTimes: ({ has_programs }) => has_programs,
  dependsOn: [],
};

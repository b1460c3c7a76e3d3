import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'timeline'> = {
  view: 'timeline',
  title: () => l10n.t('Timeline'),
  icon: 'watch',
  order: 10,
  isInTextMenu: true,
  selections: ['op', 'line', 'time'],
  dependsOn: [],
  fileEditor: {
    viewType: 'scopelight.profile',
    patterns: ['*.xplane.pb'],
    priority: 'default',
    displayName: 'Timeline',
    showsRun: true,
  },
};

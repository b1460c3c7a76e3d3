import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'compatibility'> = {
  view: 'compatibility',
  title: () => l10n.t('Compatibility'),
  icon: 'checklist',
  order: 53,
  selections: ['line', 'scope', 'program'],
  hasSomethingWithoutTimes: ({ has }) => has.includes('compatibility'),
  dependsOn: ['places'],
};

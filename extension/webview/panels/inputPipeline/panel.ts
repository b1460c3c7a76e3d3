import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'input'> = {
  view: 'input',
  title: () => l10n.t('Input Pipeline'),
  icon: 'type-hierarchy-sub',
  order: 72,
  selections: ['line'],
  dependsOn: ['places'],
};

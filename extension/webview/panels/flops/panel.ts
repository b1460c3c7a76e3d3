import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'flops'> = {
  view: 'flops',
  title: () => l10n.t('FLOPs'),
  icon: 'layers',
  order: 40,
  selections: ['op', 'line', 'scope'],
  hasSomethingWithoutTimes: ({ never_ran }) => never_ran,
  dependsOn: ['settings'],
};

import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'memory-profile'> = {
  view: 'memory-profile',
  title: () => l10n.t('Memory Profile'),
  icon: 'pulse',
  order: 70,
  selections: [],
  hasSomethingWithoutTimes: ({ memory_alone }) => memory_alone,
  dependsOn: [],
  fileEditor: {
    viewType: 'scopelight.memorySnapshot',
    patterns: ['*.prof', '*.pprof'],
    // cProfile writes .prof, and pprof of other languages both.
    priority: 'option',
    displayName: 'Memory Profile (JAX)',
    showsRun: false,
  },
};

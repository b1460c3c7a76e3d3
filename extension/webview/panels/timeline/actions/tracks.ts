// Which tracks are open, and in which order they are.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import type { ActionOfGroup } from './action';

export function trackActions({ state }: Timeline): readonly ActionOfGroup[] {
  const { record, collapsed, order, pinned } = state;
  return [
    {
      id: 'collapse',
      label: l10n.t('Collapse All Sections'),
      run: () => {
        const sections = record.value?.sections.map(({ id }) => id) ?? [];
        collapsed.value = [...new Set([...collapsed.value, ...sections])];
      },
    },
    {
      id: 'expand',
      label: l10n.t('Expand All Sections and Tracks'),
      run: () => (collapsed.value = []),
      isOffered: () => collapsed.value.length > 0,
    },
    {
      id: 'reset',
      label: l10n.t('Reset Order and Pins'),
      run: () => (order.value = pinned.value = []),
      isOffered: () => order.value.length > 0 || pinned.value.length > 0,
    },
  ];
}

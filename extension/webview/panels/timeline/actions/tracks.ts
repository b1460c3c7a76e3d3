// Which tracks are open, and in which order they are.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { type Action, always } from './action';

export function trackActions({ state }: Timeline): readonly Action[] {
  const sections = (): readonly string[] => state.record.value?.sections.map(({ id }) => id) ?? [];
  return [
    {
      id: 'collapse',
      group: 'tracks',
      label: l10n.t('Collapse All Sections'),
      keys: [],
      run: () => (state.collapsed.value = [...new Set([...state.collapsed.value, ...sections()])]),
      isOffered: always,
    },
    {
      id: 'expand',
      group: 'tracks',
      label: l10n.t('Expand All Sections and Tracks'),
      keys: [],
      run: () => (state.collapsed.value = []),
      isOffered: () => state.collapsed.value.length > 0,
    },
    {
      id: 'reset',
      group: 'tracks',
      label: l10n.t('Reset Order and Pins'),
      keys: [],
      run: () => {
        state.order.value = [];
        state.pinned.value = [];
      },
      isOffered: () => state.order.value.length > 0 || state.pinned.value.length > 0,
    },
  ];
}

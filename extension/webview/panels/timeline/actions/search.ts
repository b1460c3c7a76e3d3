// The way to the search, and from one hit to the next.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { type Action, always } from './action';

export function searchActions({ state, searching }: Timeline, focusSearch: () => void): readonly Action[] {
  const hasHits = (): boolean => (state.found.value?.count ?? 0) > 0;
  return [
    { id: 'search', group: 'search', label: l10n.t('Search'), keys: ['/'], run: focusSearch, isOffered: always },
    {
      id: 'nextHit',
      group: 'search',
      label: l10n.t('Next Hit'),
      keys: ['n'],
      run: () => void searching.step(1),
      isOffered: hasHits,
    },
    {
      id: 'previousHit',
      group: 'search',
      label: l10n.t('Previous Hit'),
      keys: ['p'],
      run: () => void searching.step(-1),
      isOffered: hasHits,
    },
  ];
}

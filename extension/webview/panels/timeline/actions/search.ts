// The way to the search, and from one hit to the next.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import type { ActionOfGroup } from './action';

export function searchActions({ state, searching }: Timeline, focusSearch: () => void): readonly ActionOfGroup[] {
  const toHit = (id: string, label: string, key: string, by: -1 | 1): ActionOfGroup => ({
    id,
    label,
    keys: [key],
    run: () => void searching.step(by),
    isOffered: () => (state.found.value?.count ?? 0) > 0,
  });
  return [
    { id: 'search', label: l10n.t('Search'), keys: ['/'], run: focusSearch },
    toHit('nextHit', l10n.t('Next Hit'), 'n', 1),
    toHit('previousHit', l10n.t('Previous Hit'), 'p', -1),
  ];
}

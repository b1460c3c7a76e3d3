// What selects events, and what is done with what is selected.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { mark } from '../tools/timings';
import type { ActionOfGroup } from './action';

export function selectionActions(timeline: Timeline): readonly ActionOfGroup[] {
  const { state, selecting } = timeline;
  const walking = (id: string, label: string, key: string, run: () => void): ActionOfGroup => ({
    id,
    label,
    keys: [key],
    onPictureOnly: true,
    run,
  });
  return [
    walking('next', l10n.t('Select the Next Event'), 'ArrowRight', () => void selecting.beside(1)),
    walking('previous', l10n.t('Select the Previous Event'), 'ArrowLeft', () => void selecting.beside(-1)),
    walking('above', l10n.t('Select the Event in the Row Above'), 'ArrowUp', () => void selecting.across(-1)),
    walking('below', l10n.t('Select the Event in the Row Below'), 'ArrowDown', () => void selecting.across(1)),
    {
      id: 'goToLine',
      label: l10n.t('Go to Line'),
      keys: ['Enter'],
      onPictureOnly: true,
      run: () => void selecting.goToLineOfEvent(),
      isOffered: () => selecting.hasLine,
    },
    {
      id: 'mark',
      label: l10n.t('Mark the Selection as an Interval'),
      keys: ['m'],
      run: () => {
        if (selecting.selected !== null) {
          mark(state, selecting.selected);
        }
      },
      isOffered: () => selecting.selected !== null,
    },
    { id: 'selectWindow', label: l10n.t('Select All in Sight'), keys: ['v'], run: () => timeline.selectWindow() },
    {
      id: 'unmark',
      label: l10n.t('Remove All Intervals'),
      run: () => (state.timings.value = []),
      isOffered: () => state.timings.value.length > 0,
    },
    {
      id: 'escape',
      label: l10n.t('Clear the Selection, then What Is Highlighted'),
      keys: ['Escape'],
      run: () => timeline.escape(),
      isOffered: () => selecting.selected !== null || state.matcher.value !== null,
    },
  ];
}

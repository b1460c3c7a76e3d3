// What selects events, and what is done with what is selected.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { mark } from '../tools/timings';
import { type Action, always } from './action';

export function selectionActions(timeline: Timeline): readonly Action[] {
  const { state, selecting } = timeline;
  const ofPicture = (id: string, label: string, key: string, run: () => void): Action => ({
    id,
    group: 'selection',
    label,
    keys: [key],
    onPictureOnly: true,
    run,
    isOffered: always,
  });
  return [
    ofPicture('next', l10n.t('Select the Next Event'), 'ArrowRight', () => void selecting.beside(1)),
    ofPicture('previous', l10n.t('Select the Previous Event'), 'ArrowLeft', () => void selecting.beside(-1)),
    ofPicture('above', l10n.t('Select the Event in the Row Above'), 'ArrowUp', () => void selecting.across(-1)),
    ofPicture('below', l10n.t('Select the Event in the Row Below'), 'ArrowDown', () => void selecting.across(1)),
    {
      id: 'goToLine',
      group: 'selection',
      label: l10n.t('Go to Line'),
      keys: ['Enter'],
      onPictureOnly: true,
      run: () => void selecting.goToLineOfEvent(),
      isOffered: () => selecting.hasLine,
    },
    {
      id: 'mark',
      group: 'selection',
      label: l10n.t('Mark the Selection as an Interval'),
      keys: ['m'],
      run: () => {
        if (selecting.selected !== null) {
          mark(state, selecting.selected);
        }
      },
      isOffered: () => selecting.selected !== null,
    },
    {
      id: 'selectWindow',
      group: 'selection',
      label: l10n.t('Select All in Sight'),
      keys: ['v'],
      run: () => timeline.selectWindow(),
      isOffered: always,
    },
    {
      id: 'unmark',
      group: 'selection',
      label: l10n.t('Remove All Intervals'),
      keys: [],
      run: () => (state.timings.value = []),
      isOffered: () => state.timings.value.length > 0,
    },
    {
      id: 'escape',
      group: 'selection',
      label: l10n.t('Clear the Selection, then What Is Highlighted'),
      keys: ['Escape'],
      run: () => timeline.escape(),
      isOffered: () => selecting.selected !== null || state.matcher.value !== null,
    },
  ];
}

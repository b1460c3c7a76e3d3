// What selects and finds events, and what is done with what is selected.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { mark } from '../tools/timings';
import { action, type ActionOfGroup } from './action';

const ON_PICTURE = { onPictureOnly: true };

export function selectionActions(timeline: Timeline): readonly ActionOfGroup[] {
  const { state, selecting } = timeline;
  const beside = (by: -1 | 1) => () => void selecting.beside(by);
  const across = (by: -1 | 1) => () => void selecting.across(by);
  const isSelected = (): boolean => selecting.selected !== null;
  const markSelected = (): void => {
    if (selecting.selected !== null) {
      mark(state, selecting.selected);
    }
  };
  return [
    action('next', l10n.t('Select the Next Event'), ['ArrowRight'], beside(1), ON_PICTURE),
    action('previous', l10n.t('Select the Previous Event'), ['ArrowLeft'], beside(-1), ON_PICTURE),
    action('above', l10n.t('Select the Event in the Row Above'), ['ArrowUp'], across(-1), ON_PICTURE),
    action('below', l10n.t('Select the Event in the Row Below'), ['ArrowDown'], across(1), ON_PICTURE),
    action('goToLine', l10n.t('Go to Line'), ['Enter'], () => void selecting.goToLineOfEvent(), {
      onPictureOnly: true,
      isOffered: () => selecting.hasLine,
    }),
    action('mark', l10n.t('Mark the Selection as an Interval'), ['m'], markSelected, { isOffered: isSelected }),
    action('selectWindow', l10n.t('Select All in Sight'), ['v'], () => timeline.selectWindow()),
    action('unmark', l10n.t('Remove All Intervals'), [], () => (state.timings.value = []), {
      isOffered: () => state.timings.value.length > 0,
    }),
    action('escape', l10n.t('Clear the Selection, then What Is Highlighted'), ['Escape'], () => timeline.escape(), {
      isOffered: () => isSelected() || state.matcher.value !== null,
    }),
  ];
}

/** The way to the search, and from one hit to the next. */
export function searchActions({ state, searching }: Timeline, focusSearch: () => void): readonly ActionOfGroup[] {
  const isOffered = (): boolean => (state.found.value?.count ?? 0) > 0;
  return [
    action('search', l10n.t('Search'), ['/'], focusSearch),
    action('nextHit', l10n.t('Next Hit'), ['n'], () => void searching.step(1), { isOffered }),
    action('previousHit', l10n.t('Previous Hit'), ['p'], () => void searching.step(-1), { isOffered }),
  ];
}

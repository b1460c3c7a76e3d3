// Everything that can be done on the timeline: what menus offer, keys do and the help lists.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { type Action, always } from './action';
import { appearanceActions } from './appearance';
import { exportActions } from './export';
import { searchActions } from './search';
import { selectionActions } from './selection';
import { stepActions } from './steps';
import { toolActions } from './tools';
import { trackActions } from './tracks';
import { viewActions } from './view';

/** What the page does for the tools: things that are elements, not state. */
export interface PageTools {
  readonly focusSearch: () => void;
}

/** All actions of a timeline, group by group. */
export function actionsOf(timeline: Timeline, page: PageTools): readonly Action[] {
  return [
    ...viewActions(timeline),
    ...selectionActions(timeline),
    ...searchActions(timeline, page.focusSearch),
    ...stepActions(timeline),
    ...toolActions(timeline),
    ...trackActions(timeline),
    ...appearanceActions(timeline),
    ...exportActions(timeline),
    {
      id: 'table',
      group: 'page',
      label: l10n.t('Show or Hide the Table of Events'),
      keys: ['t'],
      run: () => (timeline.showsTable.value = !timeline.showsTable.value),
      isOffered: always,
    },
    {
      id: 'help',
      group: 'page',
      label: l10n.t('Keys and Help'),
      keys: ['?'],
      run: () => (timeline.showsHelp.value = true),
      isOffered: always,
    },
  ];
}

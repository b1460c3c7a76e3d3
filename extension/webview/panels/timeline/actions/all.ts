// Everything that can be done on the timeline: what menus offer, keys do and the help lists.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { type Action, ofGroup } from './action';
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
  const { showsTable, showsHelp } = timeline;
  return [
    ...ofGroup('view', viewActions(timeline)),
    ...ofGroup('selection', selectionActions(timeline)),
    ...ofGroup('search', searchActions(timeline, page.focusSearch)),
    ...ofGroup('steps', stepActions(timeline)),
    ...ofGroup('tools', toolActions(timeline)),
    ...ofGroup('tracks', trackActions(timeline)),
    ...ofGroup('appearance', appearanceActions(timeline)),
    ...ofGroup('export', exportActions(timeline)),
    ...ofGroup('page', [
      {
        id: 'table',
        label: l10n.t('Show or Hide the Table of Events'),
        keys: ['t'],
        run: () => (showsTable.value = !showsTable.value),
      },
      { id: 'help', label: l10n.t('Keys and Help'), keys: ['?'], run: () => (showsHelp.value = true) },
    ]),
  ];
}

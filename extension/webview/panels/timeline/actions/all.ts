// Everything that can be done on the timeline: what menus offer, keys do and the help lists.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { action, type Action, ofGroup } from './action';
import { appearanceActions, toolActions, trackActions } from './appearance';
import { exportActions } from './export';
import { gapActions } from './gaps';
import { searchActions, selectionActions } from './selection';
import { stepActions, viewActions } from './view';

/** All actions of a timeline, group by group; `focusSearch` puts the cursor into the search's field. */
export function actionsOf(timeline: Timeline, focusSearch: () => void): readonly Action[] {
  const { showsTable, showsHelp } = timeline;
  return [
    ...ofGroup(l10n.t('View'), viewActions(timeline)),
    ...ofGroup(l10n.t('Selection'), selectionActions(timeline)),
    ...ofGroup(l10n.t('Search'), searchActions(timeline, focusSearch)),
    ...ofGroup(l10n.t('Steps'), stepActions(timeline)),
    ...ofGroup(l10n.t('Gaps'), gapActions(timeline)),
    ...ofGroup(l10n.t('Tools'), toolActions(timeline)),
    ...ofGroup(l10n.t('Tracks'), trackActions(timeline)),
    ...ofGroup(l10n.t('Appearance'), appearanceActions(timeline)),
    ...ofGroup(l10n.t('Export'), exportActions(timeline)),
    ...ofGroup(l10n.t('Page'), [
      action('table', l10n.t('Show or Hide the Table of Events'), ['t'], () => (showsTable.value = !showsTable.value)),
      action('help', l10n.t('Keys and Help'), ['?'], () => (showsHelp.value = true)),
    ]),
  ];
}

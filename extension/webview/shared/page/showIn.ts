// "Show in …": selects a thing in another panel and opens that.

import * as l10n from '@vscode/l10n';
import type { PanelId, Selection } from '../../../src/panels/messages';
import type { OpenedRun } from '../../../src/protocol';
import type { MenuItem } from '../controls/menu';
import type { Page } from './page';

type Kind = Selection['kind'];

/** The panels that can show a selection, with what the way there is called and the kinds of selections. */
function ways(): readonly (readonly [PanelId, string, readonly Kind[]])[] {
  return [
    ['timeline', l10n.t('Show in Timeline'), ['op', 'line']],
    ['opProfile', l10n.t('Show in Op Profile'), ['op', 'line', 'category', 'program', 'scope']],
    ['opStatistics', l10n.t('Show in Op Statistics'), ['op', 'line', 'category']],
    ['flops', l10n.t('Show in FLOPs'), ['op', 'line', 'scope']],
    ['roofline', l10n.t('Show in Roofline'), ['op', 'line', 'category', 'program']],
    ['memoryViewer', l10n.t('Show in Memory Viewer'), ['op', 'line', 'program']],
    ['hotLines', l10n.t('Show in Hot Lines'), ['op', 'line']],
  ];
}

/** Whether a panel has anything of a run. What did not run has no times; its FLOPs and ops are listed all the same. */
function hasSomething(panel: PanelId, run: OpenedRun | null): boolean {
  switch (panel) {
    case 'timeline':
      return run?.has_timeline !== false;
    case 'memoryViewer':
      return run?.has_programs !== false;
    case 'opProfile':
    case 'roofline':
    case 'hotLines':
      return run?.never_ran !== true;
    default:
      return true;
  }
}

/**
 * Items of a context menu, for every panel but the one that they are in that has something of the run. Hot Lines shows
 * what has a line.
 */
export function showInItems({ panel, host }: Page, selection: Selection | null): readonly MenuItem[] {
  if (selection === null) {
    return [];
  }
  return ways()
    .filter(([id, , kinds]) => id !== panel && kinds.includes(selection.kind))
    .filter(([id]) => id !== 'hotLines' || selection.file !== null)
    .filter(([id]) => hasSomething(id, host.facts.value?.shownRun ?? null))
    .map(([id, label], position) => ({
      label,
      run: () => host.showIn(id, selection),
      ...(position === 0 ? { startsGroup: true } : {}),
    }));
}

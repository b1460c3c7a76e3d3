// "Show in …": selects a thing in another panel and opens that.

import * as l10n from '@vscode/l10n';
import type { Selection } from '../../../src/panels/messages';
import { panelsFor } from '../../../src/panels/panelList';
import { panels } from '../../../src/panels/registry';
import type { MenuItem } from '../controls/menu';
import type { Page } from './page';

/** Items of a context menu: every other panel that can show the selection and has something of the run. */
export function showInItems({ panel, host }: Page, selection: Selection | null): readonly MenuItem[] {
  if (selection === null) {
    return [];
  }
  return panelsFor(selection, host.facts.value?.shownRun ?? null)
    .filter((id) => id !== panel)
    .map((id, position) => ({
      label: l10n.t('Show in {0}', panels[id].title()),
      run: () => host.showIn(id, selection),
      ...(position === 0 ? { startsGroup: true } : {}),
    }));
}

// Where what is first to be known of a prediction stands: what does not fit, what the TPU refuses.

import * as vscode from 'vscode';
import { openCommand, panelOf } from '../panels/panelList';
import { panels } from '../panels/registry';
import type { OpenedRun } from '../protocol';
import { type Button, commandButton } from '../userMessages';

/** The views that are led to, that of what matters most first: without room nothing of a program runs. */
const VIEWS = ['fit', 'compatibility'] as const;

/** Buttons that lead to what keeps a prediction from running as it is; none of a run that was measured. */
export function leadsOf(run: OpenedRun): Button[] {
  if (run.predicted_for === null) {
    return [];
  }
  const led = run.findings
    .filter(({ severity, action }) => severity !== 'note' && action?.command === 'show-view')
    .map(({ action }) => action?.arguments['view']);
  return VIEWS.filter((view) => led.includes(view)).flatMap((view) => {
    const id = panelOf(view);
    return id === undefined ? [] : [commandButton(vscode.l10n.t('Show {0}', panels[id].title()), openCommand(id))];
  });
}

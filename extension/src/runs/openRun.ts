// Opens a run, tells how far that is, and says what there is to know of it.

import path from 'node:path';
import * as vscode from 'vscode';
import { commandButton, offer, withNotificationUnlessSoon } from '../userMessages';
import { openCommand, panelsWithoutTimes } from '../panels/panelList';
import { type PanelId, panels } from '../panels/registry';
import type { OpenedRun } from '../protocol';
import type { ShownRun } from './shownRun';

/** Opens a run; what takes long tells how far it is, and can be cancelled. */
export async function openRun(shown: ShownRun, runPath: string): Promise<OpenedRun> {
  const title = vscode.l10n.t('Opening {0}', path.basename(runPath));
  const run = await withNotificationUnlessSoon(title, (onProgress, token) =>
    shown.open(runPath, { token, onProgress }),
  );
  await tell(run);
  return run;
}

/** Says what went wrong with a run, and leads to the panel that has more of it. */
async function tell(run: OpenedRun): Promise<void> {
  const { out_of_memory: ended, memory_alone: isMemoryAlone } = run;
  if (isMemoryAlone) {
    // There is nothing else of it, and why is of no interest to who opened a snapshot.
    await vscode.commands.executeCommand(openCommand('memoryProfile'));
  }
  if (ended !== null) {
    offerPanels(vscode.window.showErrorMessage, ended, isMemoryAlone ? [] : ['memoryProfile']);
  } else if (isEmpty(run) && !isMemoryAlone && !run.never_ran) {
    offerPanels(vscode.window.showWarningMessage, sentenceOf(run), []);
  }
}

/** Leads to the panels that have something of programs of which nothing ran. Nothing is wrong with them. */
export function tellOfPrograms(run: OpenedRun): void {
  if (run.out_of_memory === null && isEmpty(run)) {
    offerPanels(vscode.window.showInformationMessage, sentenceOf(run), panelsWithoutTimes(run));
  }
}

function isEmpty({ findings }: OpenedRun): boolean {
  return findings.some(({ severity }) => severity === 'empty');
}

/** Why a run has nothing to show, and what to do; empty where it has something. */
export function sentenceOf({ findings }: OpenedRun): string {
  return findings
    .filter(({ severity }) => severity === 'empty')
    .map(({ text, remedy }) => `${text} ${remedy}`.trimEnd())
    .join(' ');
}

/** A message with buttons that lead to panels. */
function offerPanels(show: Parameters<typeof offer>[0], sentence: string, ids: readonly PanelId[]): void {
  const buttons = ids.map((id) => commandButton(vscode.l10n.t('Show {0}', panels[id].title()), openCommand(id)));
  // Messages have no code: what stands between backticks is written as it is.
  void offer(show, sentence.replaceAll('`', ''), buttons);
}

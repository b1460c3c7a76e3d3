// Opens a run, tells how far that is, and says what there is to know of it.

import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ProgressReport } from '../daemon/connection';
import { openCommand, panelsWithoutTimes } from '../panels/panelList';
import { type PanelId, panels } from '../panels/registry';
import type { OpenedRun } from '../protocol';
import type { ShownRun } from './shownRun';

/** What is over within this time needs no word of how far it is. */
const QUIET_MILLISECONDS = 300;

/** Opens a run; what takes long tells how far it is, and can be cancelled. */
export async function openRun(shown: ShownRun, runPath: string): Promise<OpenedRun> {
  const source = new vscode.CancellationTokenSource();
  let latest: string | undefined;
  let report = (message: string): void => {
    latest = message;
  };
  const onProgress = ({ message }: ProgressReport): void => {
    if (message !== undefined) {
      report(message);
    }
  };
  const opening = shown.open(runPath, { token: source.token, onProgress });
  const isOver = opening.then(
    () => true,
    () => true,
  );
  if (!(await Promise.race([isOver, sleep(QUIET_MILLISECONDS, false)]))) {
    const title = vscode.l10n.t('Opening {0}', path.basename(runPath));
    const location = vscode.ProgressLocation.Notification;
    await vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
      token.onCancellationRequested(() => source.cancel());
      report = (message) => progress.report({ message });
      if (latest !== undefined) {
        report(latest);
      }
      await isOver;
    });
  }
  const run = await opening;
  await tell(run);
  return run;
}

interface WayToPanel {
  readonly label: string;
  readonly command: string;
}

/** Says what went wrong with a run, and leads to the panel that has more of it. */
async function tell(run: OpenedRun): Promise<void> {
  const { out_of_memory: ended, memory_alone: isMemoryAlone } = run;
  const profile = wayTo('memoryProfile');
  if (isMemoryAlone) {
    // There is nothing else of it, and why is of no interest to who opened a snapshot.
    await vscode.commands.executeCommand(profile.command);
  }
  if (ended !== null) {
    offer(vscode.window.showErrorMessage, ended, isMemoryAlone ? [] : [profile]);
  } else if (run.reason !== null && !isMemoryAlone && !run.never_ran) {
    offer(vscode.window.showWarningMessage, sentenceOf(run), []);
  }
}

/** Leads to the panels that have something of programs of which nothing ran. Nothing is wrong with them. */
export function tellOfPrograms(run: OpenedRun): void {
  if (run.out_of_memory === null && run.reason !== null) {
    offer(vscode.window.showInformationMessage, sentenceOf(run), panelsWithoutTimes(run).map(wayTo));
  }
}

function sentenceOf({ reason, remedy }: OpenedRun): string {
  return [reason, remedy].filter(Boolean).join(' ');
}

/** The button of a message that leads to a panel. */
function wayTo(id: PanelId): WayToPanel {
  return { label: vscode.l10n.t('Show {0}', panels[id].title()), command: openCommand(id) };
}

/** A message with ways to panels. */
function offer(
  show: (sentence: string, ...labels: string[]) => Thenable<string | undefined>,
  sentence: string,
  ways: readonly WayToPanel[],
): void {
  // Messages have no code: what stands between backticks is written as it is.
  void show(sentence.replaceAll('`', ''), ...ways.map(({ label }) => label)).then((chosen) => {
    const way = ways.find(({ label }) => label === chosen);
    if (way !== undefined) {
      void vscode.commands.executeCommand(way.command);
    }
  });
}

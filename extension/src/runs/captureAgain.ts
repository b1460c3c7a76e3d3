// Another window of a job that was captured, and still runs.

import * as vscode from 'vscode';
import { registerCommand, UserError } from '../failure';
import type { RunRecord } from '../protocol';
import { isOfRun } from './logDirectories';
import { openRun } from './openRun';
import { isRunNode, pickRun, type RunsShown } from './pickRun';
import { runTitle } from './runText';
import { runName } from './scriptNames';
import type { Services } from '../services';
import { offer, withNotification } from '../userMessages';
import { showHotLines } from '../capture/captureEnd';

/** Between the run that is shown and the job that is watched. */
const PRIORITY = 49.5;

/** The command that captures again: the run of the tree that it was called with, else the only one, or one to choose. */
export function registerCaptureAgain(services: Services, runs: RunsShown): vscode.Disposable {
  return vscode.Disposable.from(registerItem(runs), registerCaptureAgainNow(services, runs));
}

/** In the status bar, while the job of the run that is shown still runs. */
function registerItem({ list, shown }: RunsShown): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('scopelight.captureAgain', vscode.StatusBarAlignment.Left, PRIORITY);
  item.name = vscode.l10n.t('Scopelight Capture Again');
  item.text = `$(record) ${vscode.l10n.t('Capture Again Now')}`;
  item.tooltip = vscode.l10n.t('The job of the run that is shown still runs: capture another window of it.');
  item.command = 'scopelight.captureAgainNow';
  const update = (): void => {
    if (shownOf(list.known, shown.current?.path)?.is_live === true) {
      item.show();
    } else {
      item.hide();
    }
  };
  return vscode.Disposable.from(item, list.onDidChange(update), shown.onDidChange(update));
}

function registerCaptureAgainNow(services: Services, runs: RunsShown): vscode.Disposable {
  const { list, shown } = runs;
  return registerCommand(services, 'scopelight.captureAgainNow', async (node) => {
    const run = isRunNode(node) ? node.run : await chosen(runs);
    if (run === undefined) {
      return;
    }
    const name = runTitle(run, runName(run, await list.get()));
    const isFirst = run.state === 'running';
    const title = isFirst ? vscode.l10n.t('Capturing {0}', name) : vscode.l10n.t('Capturing {0} again', name);
    await withNotification(title, (onProgress, token) =>
      services.daemon.request(
        'scopelight/captureAgain',
        { path: run.path, workDoneToken: null },
        { token, onProgress },
      ),
    );
    const opened = await openRun(shown, run.path);
    await list.refresh();
    await showHotLines();
    if (opened.summary !== '') {
      void offer(vscode.window.showInformationMessage, opened.summary, []);
    }
  });
}

/** The run whose job still runs; where there are several, that of the shown run, or the one that is picked. */
async function chosen(runs: RunsShown): Promise<RunRecord | undefined> {
  const live = (await runs.list.refresh()).filter(({ is_live: isLive }) => isLive);
  if (live.length === 0) {
    throw new UserError(vscode.l10n.t('No job that was captured still runs: profile a script, or start it, first.'));
  }
  const ofShown = shownOf(live, runs.shown.current?.path);
  if (live.length === 1 || ofShown !== undefined) {
    return ofShown ?? live[0];
  }
  const picked = await pickRun(runs, vscode.l10n.t('The job to capture again'), ({ is_live: isLive }) => isLive);
  return picked?.run;
}

/** The run that is shown, or a window of which is. */
function shownOf(runs: readonly RunRecord[], path: string | undefined): RunRecord | undefined {
  return path === undefined ? undefined : runs.find((run) => isOfRun(path, run.path));
}

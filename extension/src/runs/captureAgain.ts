// Another window of a job that was captured, and still runs.

import * as vscode from 'vscode';
import { registerCommand, UserError } from '../failure';
import type { RunRecord } from '../protocol';
import { openRun } from './openRun';
import { isRunNode, pickRun, type RunsShown } from './pickRun';
import { runTitle } from './runText';
import { runName } from './scriptNames';
import type { Services } from '../services';
import { offer, withNotification } from '../userMessages';
import { showHotLines } from '../capture/captureEnd';

/** The command that captures again: the run of the tree that it was called with, else the only one, or one to choose. */
export function registerCaptureAgain(services: Services, runs: RunsShown): vscode.Disposable {
  const { list, shown } = runs;
  return registerCommand(services, 'scopelight.captureAgainNow', async (node) => {
    const run = isRunNode(node) ? node.run : await chosen(runs);
    if (run === undefined) {
      return;
    }
    const title = vscode.l10n.t('Capturing {0} again', runTitle(run, runName(run, await list.get())));
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
  const ofShown = live.find(({ path }) => path === runs.shown.current?.path);
  if (live.length === 1 || ofShown !== undefined) {
    return ofShown ?? live[0];
  }
  const picked = await pickRun(runs, vscode.l10n.t('The job to capture again'), ({ is_live: isLive }) => isLive);
  return picked?.run;
}

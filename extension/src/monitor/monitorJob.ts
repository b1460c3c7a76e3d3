// The command that watches a job, with what shows it.

import * as vscode from 'vscode';
import { registerCommand, UserError } from '../failure';
import type { RunRecord } from '../protocol';
import { isRunNode } from '../runs/pickRun';
import type { RunsList } from '../runs/runsList';
import { runTitle } from '../runs/runText';
import { runName } from '../runs/scriptNames';
import type { Services } from '../services';
import { registerMonitorItem } from './monitorItem';
import { MonitoredJob } from './monitoredJob';
import { MonitorPage } from './monitorPage';

export function registerMonitor(services: Services, list: RunsList): vscode.Disposable {
  const job = new MonitoredJob(services);
  const page = new MonitorPage(services, job);
  return vscode.Disposable.from(
    job,
    page,
    registerMonitorItem(job),
    registerCommand(services, 'scopelight.monitorJob', async (node) => {
      const run = isRunNode(node) ? node.run : await chosen(list);
      if (run !== undefined) {
        await job.watch({ path: run.path, title: runTitle(run, runName(run, await list.get())) });
        page.open();
      }
    }),
    registerCommand(services, 'scopelight.openMonitor', () => {
      page.open();
      return Promise.resolve();
    }),
  );
}

/** The run whose job still runs: the only one, or the one that is picked. */
async function chosen(list: RunsList): Promise<RunRecord | undefined> {
  const runs = await list.refresh();
  const running = runs.filter(isRunning);
  if (running.length === 0) {
    throw new UserError(
      vscode.l10n.t(
        'No job that Scopelight is in still runs: profile a script first, which can be watched while it runs.',
      ),
    );
  }
  const items = running.map((run) => ({ label: runTitle(run, runName(run, runs)), description: run.path, run }));
  const placeHolder = vscode.l10n.t('The job to watch');
  return items.length === 1 ? items[0]?.run : (await vscode.window.showQuickPick(items, { placeHolder }))?.run;
}

/** Whether a job runs, as far as its run says: the daemon knows for certain. */
function isRunning(run: RunRecord): boolean {
  return run.is_live || run.state === 'running';
}

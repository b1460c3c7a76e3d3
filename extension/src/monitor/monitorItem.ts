// The item of the status bar: how the job that is watched does.

import * as vscode from 'vscode';
import { duration, share } from '../../webview/shared/text/format';
import type { WatchedReading } from '../protocol';
import type { MonitoredJob } from './monitoredJob';

/** Right of the run that is shown. */
const PRIORITY = 49;

export function registerMonitorItem(job: MonitoredJob): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('scopelight.monitor', vscode.StatusBarAlignment.Left, PRIORITY);
  item.name = vscode.l10n.t('Scopelight Monitor');
  item.command = 'scopelight.openMonitor';
  const update = (): void => {
    const { title, isWatching } = job.facts;
    if (!isWatching) {
      item.hide();
      return;
    }
    const { last } = job;
    const text = last === undefined ? vscode.l10n.t('waiting for a reading') : readingInShort(last);
    item.text = `$(pulse) ${text}`;
    item.tooltip = [title ?? '', last?.line ?? '', ...(last?.said ?? [])].filter((each) => each !== '').join('\n');
    item.accessibilityInformation = { label: vscode.l10n.t('{0}: {1}', title ?? '', text) };
    item.show();
  };
  update();
  return vscode.Disposable.from(item, job.onDidChange(update));
}

/** How far devices are used, and how long a step takes. */
export function readingInShort(reading: WatchedReading): string {
  const { utilisation_ratio: used, step_avg_ps: step } = reading;
  const parts = [
    used === null ? null : vscode.l10n.t('busy {0}', share(used)),
    step === null ? null : vscode.l10n.t('step {0}', duration(step)),
  ].filter((part) => part !== null);
  return parts.length === 0 ? vscode.l10n.t('nothing known now') : parts.join(' · ');
}

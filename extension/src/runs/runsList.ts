import * as vscode from 'vscode';
import { Observable } from '../observable';
import type { ListedExperiment, LogDirectoryRecord, RunRecord } from '../protocol';
import type { Services } from '../services';

/** The runs of the workspace as the daemon last listed them, newest first. */
export class RunsList extends Observable {
  private listed: readonly RunRecord[] | undefined;
  private others: readonly LogDirectoryRecord[] = [];
  private compared: readonly ListedExperiment[] = [];
  private asked = 0;
  private answered = 0;

  constructor(private readonly services: Pick<Services, 'daemon' | 'log'>) {
    super();
    const { daemon } = services;
    this.parts.push(
      daemon.onNotification('scopelight/runsChanged', () => this.refreshQuietly()),
      daemon.onDidChangeState((state) => {
        if (state === 'running') {
          this.refreshQuietly();
        }
      }),
    );
  }

  /** The runs; the daemon is asked the first time. */
  async get(): Promise<readonly RunRecord[]> {
    return this.listed ?? this.refresh();
  }

  /** The runs as they were last listed; none before that. */
  get known(): readonly RunRecord[] {
    return this.listed ?? [];
  }

  /** Log directories in the workspace that are no runs, as they were last listed. */
  get directories(): readonly LogDirectoryRecord[] {
    return this.others;
  }

  /** Experiments in the workspace, newest first, as they were last listed. */
  get experiments(): readonly ListedExperiment[] {
    return this.compared;
  }

  /** Asks the daemon. Rejects as `DaemonConnection.request` does. */
  async refresh(): Promise<readonly RunRecord[]> {
    const number = ++this.asked;
    const answer = await this.services.daemon.request('scopelight/runs', {});
    const { runs, log_directories: directories, experiments } = answer;
    // An answer that was overtaken by a later one is old.
    if (number > this.answered) {
      this.answered = number;
      this.set(runs, directories, experiments);
    }
    return runs;
  }

  private set(
    runs: readonly RunRecord[],
    directories: readonly LogDirectoryRecord[],
    experiments: readonly ListedExperiment[],
  ): void {
    const before = [this.listed, this.others, this.compared];
    const isNew = JSON.stringify([runs, directories, experiments]) !== JSON.stringify(before);
    this.listed = runs;
    this.others = directories;
    this.compared = experiments;
    if (!isNew) {
      return;
    }
    const contexts = {
      'scopelight.hasRuns': runs.length > 0,
      // Not the opposite of the one above until the runs are listed: an empty view says nothing before.
      'scopelight.hasNoRuns': runs.length === 0 && experiments.length === 0,
      'scopelight.hasExperiments': experiments.some(({ state }) => state !== 'running'),
      'scopelight.isRunWaiting': runs.some(({ state }) => state === 'running'),
      'scopelight.hasLogDirectories': directories.length > 0,
      'scopelight.canCompareRuns': runs.filter(isComparable).length > 1 && runs.some(isPrediction),
      'scopelight.hasRunsToCompare': runs.filter(isCaptured).length > 1 || experiments.length > 0,
      'scopelight.hasPinnedRuns': runs.some((run) => run.pinned),
      'scopelight.hasUnpinnedRuns': runs.some((run) => !run.pinned && run.problem === null),
    };
    for (const [key, value] of Object.entries(contexts)) {
      void vscode.commands.executeCommand('setContext', key, value);
    }
    this.changed.fire();
  }

  private refreshQuietly(): void {
    this.refresh().catch((error: unknown) => this.services.log.warn(`The runs could not be listed: ${String(error)}`));
  }
}

/** Whether there is something to compare of a run. */
export function isCaptured(run: RunRecord): boolean {
  return run.state === 'captured' && run.problem === null;
}

/** Whether a run can stand beside a prediction: it is one, or was measured on a TPU. */
export function isComparable(run: RunRecord): boolean {
  return run.state === 'captured' && (isPrediction(run) || (run.device_kind?.startsWith('TPU') ?? false));
}

function isPrediction(run: RunRecord): boolean {
  return run.predicted_for !== null && run.state === 'captured';
}

import * as vscode from 'vscode';
import { DaemonError } from '../daemon/connection';
import type { RequestOptions } from '../daemon/connection';
import { requestThroughRestarts } from '../daemon/persistence';
import { Observable } from '../observable';
import { panelIds, panelsWithout } from '../panels/panelList';
import type { OpenedRun } from '../protocol';
import type { Remembered } from '../remembered';
import type { Services } from '../services';

/**
 * The run that is shown: opened by request, and again after a reload of the window or a restart of the daemon. Changes
 * when a run is shown, or none; also where none could be shown again.
 */
export class ShownRun extends Observable<OpenedRun | null> {
  private run: OpenedRun | null = null;
  private opening = 0;
  private capturedPath: string | null = null;
  private readonly failed = new vscode.EventEmitter<void>();

  /** A run could not be opened: what was shown still is. */
  readonly onDidFailToOpen = this.failed.event;

  constructor(
    private readonly services: Pick<Services, 'daemon' | 'log'>,
    private readonly remembered: Remembered,
  ) {
    super();
    const { daemon } = services;
    this.parts.push(
      this.failed,
      daemon.onNotification('scopelight/shownRun', ({ run }) => this.set(run)),
      daemon.onDidChangeState((state) => {
        // Whoever opens a run asks again by itself.
        if (state === 'running' && this.opening === 0) {
          void this.restore();
        }
      }),
    );
  }

  get current(): OpenedRun | null {
    return this.run;
  }

  /** The run that was captured last in this window, as far as it was opened: lists of it start over. */
  get captured(): string | null {
    return this.capturedPath;
  }

  /** Opens a run whose capture has just ended, as `open` does. */
  openCaptured(path: string, options: RequestOptions = {}): Promise<OpenedRun> {
    // Pages hear of the run from the daemon, before it answers.
    this.capturedPath = path;
    return this.open(path, options);
  }

  /** Opens a run and shows it. Rejects as `DaemonConnection.request` does; the run that was shown then stays. */
  async open(path: string, options: RequestOptions = {}): Promise<OpenedRun> {
    this.opening++;
    try {
      const parameters = { path, workDoneToken: null };
      const run = await requestThroughRestarts(this.services.daemon, 'scopelight/openRun', parameters, options);
      this.set(run);
      await this.remembered.setShownRun(run.path);
      return run;
    } catch (error) {
      this.failed.fire();
      throw error;
    } finally {
      this.opening--;
    }
  }

  /** Opens the run that was shown when the window was closed or the daemon stopped. Offers nothing where it cannot. */
  async restore(): Promise<void> {
    const path = this.remembered.shownRun;
    if (path === undefined) {
      return;
    }
    try {
      await this.open(path, { isQuiet: true });
    } catch (error) {
      this.services.log.warn(`The run ${path} could not be shown again: ${String(error)}`);
      // The daemon has looked and cannot: it would say so after every reload.
      if (error instanceof DaemonError && this.services.daemon.state === 'running') {
        await this.forget();
      }
    }
  }

  /** Shows no run. */
  async clear(): Promise<void> {
    await this.forget();
    await this.services.daemon.request('scopelight/closeRun', {});
    this.set(null);
  }

  private async forget(): Promise<void> {
    await this.remembered.setShownRun(undefined);
    this.set(null);
  }

  private set(run: OpenedRun | null): void {
    this.run = run;
    void vscode.commands.executeCommand('setContext', 'scopelight.hasShownRun', run !== null);
    const isPredicted = run !== null && run.predicted_by !== null;
    void vscode.commands.executeCommand('setContext', 'scopelight.wasShownRunPredicted', isPredicted);
    const lacking = run === null ? [] : panelsWithout(run);
    for (const id of panelIds) {
      void vscode.commands.executeCommand('setContext', `scopelight.shownRunLacks.${id}`, lacking.includes(id));
    }
    this.changed.fire(run);
  }
}

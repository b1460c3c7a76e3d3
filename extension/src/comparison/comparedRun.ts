import * as vscode from 'vscode';
import { requestThroughRestarts } from '../daemon/persistence';
import type { RequestOptions } from '../daemon/connection';
import { Observable } from '../observable';
import type { ComparedWith } from '../protocol';
import type { Comparing, Remembered } from '../remembered';
import type { Services } from '../services';
import type { RunsList } from '../runs/runsList';
import type { ShownRun } from '../runs/shownRun';

/**
 * With what the run that is shown is compared: chosen once, and remembered until another is chosen or one of its runs is
 * deleted. Changes when the shown run's comparison does.
 */
export class ComparedRun extends Observable<ComparedWith | null> {
  private known: ComparedWith | null = null;
  private told: Comparing | undefined;
  private listed: readonly string[] = [];

  constructor(
    private readonly services: Pick<Services, 'daemon' | 'log'>,
    private readonly remembered: Pick<Remembered, 'comparing' | 'setComparing'>,
    private readonly shown: Pick<ShownRun, 'current' | 'onDidChange' | 'open'>,
    list: Pick<RunsList, 'known' | 'experiments' | 'onDidChange'>,
  ) {
    super();
    this.parts.push(
      services.daemon.onDidChangeState((state) => {
        if (state !== 'running') {
          this.told = undefined;
        }
      }),
      shown.onDidChange(() => void this.tellAgain()),
      list.onDidChange(() => this.forgetDeleted([...list.known, ...list.experiments].map(({ path }) => path))),
    );
  }

  /** With what the run that is shown is compared; null where it is with nothing. */
  get current(): ComparedWith | null {
    return this.known?.run === this.shown.current?.path ? this.known : null;
  }

  /**
   * Compares a run with what was before it, and shows it. `before` is a run or a folder of several rounds; null where
   * `run` is the folder of an experiment. Rejects as `DaemonConnection.request` does; what was compared then stays.
   */
  async compare(run: string, before: string | null, options: RequestOptions = {}): Promise<ComparedWith> {
    const found = await requestThroughRestarts(
      this.services.daemon,
      'scopelight/compareWith',
      { run, before },
      options,
    );
    const comparing = { run, before, shown: found.run };
    this.told = comparing;
    this.known = found;
    await this.remembered.setComparing(comparing);
    if (this.shown.current?.path !== found.run) {
      await this.shown.open(found.run, options);
    }
    this.tell();
    return found;
  }

  /** Compares with nothing. */
  async stop(): Promise<void> {
    this.known = null;
    this.told = undefined;
    await this.remembered.setComparing(undefined);
    this.tell();
    await this.services.daemon.request('scopelight/stopComparing', {});
  }

  /** A daemon that was started again, or has not heard of it, is told when the run is shown. */
  private async tellAgain(): Promise<void> {
    const { comparing } = this.remembered;
    const isDue = comparing !== undefined && comparing.shown === this.shown.current?.path;
    if (!isDue || this.told === comparing) {
      this.tell();
      return;
    }
    this.told = comparing;
    try {
      const { run, before } = comparing;
      this.known = await this.services.daemon.request('scopelight/compareWith', { run, before }, { isQuiet: true });
    } catch (error) {
      this.services.log.warn(`${comparing.shown} could not be compared again: ${String(error)}`);
      this.known = null;
      if (this.services.daemon.state === 'running') {
        await this.remembered.setComparing(undefined);
      }
    }
    this.tell();
  }

  private forgetDeleted(listed: readonly string[]): void {
    const deleted = this.listed.filter((path) => !listed.includes(path));
    this.listed = listed;
    const { comparing } = this.remembered;
    const compared = [comparing?.run, comparing?.before, ...(this.known?.before ?? []), ...(this.known?.after ?? [])];
    if (comparing !== undefined && deleted.some((path) => compared.includes(path))) {
      this.stop().catch((error: unknown) => this.services.log.warn(`A comparison goes on: ${String(error)}`));
    }
  }

  private tell(): void {
    const { current } = this;
    void vscode.commands.executeCommand('setContext', 'scopelight.isComparing', current !== null);
    this.changed.fire(current);
  }
}

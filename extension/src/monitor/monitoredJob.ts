// The job that is watched: one at a time, by the daemon, until it ends or is left.

import { Observable } from '../observable';
import type { JobWatched, WatchedReading } from '../protocol';
import type { Services } from '../services';
import type { MonitorFacts } from './messages';

/** Readings that are kept, and drawn. */
const MOST_READINGS = 2000;
const DEFAULT_SECONDS = 5;

/** A job, by the run that it fills. */
export interface RunningJob {
  readonly path: string;
  readonly title: string;
}

export class MonitoredJob extends Observable {
  private job: RunningJob | null = null;
  private state: Omit<MonitorFacts, 'title'> = { isWatching: false, why: null, seconds: DEFAULT_SECONDS, readings: [] };

  constructor(private readonly services: Pick<Services, 'daemon'>) {
    super();
    this.parts.push(
      services.daemon.onNotification('scopelight/jobWatched', (watched) => this.hear(watched)),
      services.daemon.onDidChangeState((state) => {
        // Another daemon knows nothing of it.
        if (state !== 'running' && this.state.isWatching) {
          this.set({ isWatching: false });
        }
      }),
    );
  }

  get facts(): MonitorFacts {
    return { title: this.job?.title ?? null, ...this.state };
  }

  /** What was seen last; undefined where nothing was, or nothing is watched. */
  get last(): WatchedReading | undefined {
    return this.state.isWatching ? this.state.readings.at(-1) : undefined;
  }

  /** Watches a job, in the place of any that is watched. Rejects where it runs no more. */
  async watch(job: RunningJob): Promise<void> {
    const { seconds } = this.state;
    const { path, readings } = await this.services.daemon.request('scopelight/watchJob', { path: job.path, seconds });
    this.job = { ...job, path };
    this.set({ isWatching: true, why: null, readings });
  }

  /** Watches the last job again. */
  async resume(): Promise<void> {
    if (this.job !== null) {
      await this.watch(this.job);
    }
  }

  async stop(): Promise<void> {
    this.set({ isWatching: false, why: null });
    await this.services.daemon.request('scopelight/leaveJob', {});
  }

  /** Has a reading every so many seconds from now on. */
  async setPeriod(seconds: number): Promise<void> {
    this.set({ seconds });
    if (this.state.isWatching) {
      await this.resume();
    }
  }

  private hear({ path, reading, why }: JobWatched): void {
    if (path !== this.job?.path || !this.state.isWatching) {
      return;
    }
    if (reading === null) {
      this.set({ isWatching: false, why });
    } else {
      this.set({ readings: [...this.state.readings, reading].slice(-MOST_READINGS) });
    }
  }

  private set(changes: Partial<typeof this.state>): void {
    this.state = { ...this.state, ...changes };
    this.changed.fire();
  }
}

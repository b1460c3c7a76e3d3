/** Crashes within the period after which the daemon is left stopped. */
const MOST_CRASHES = 4;
const PERIOD_MS = 3 * 60 * 1000;

/** Decides whether a daemon that stopped by itself is started again: not when it keeps stopping. */
export class RestartPolicy {
  private crashes: number[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /** Records a crash, and says what is to be done about it. */
  crashed(): 'restart' | 'leave' {
    const now = this.now();
    this.crashes = [...this.crashes.filter((time) => now - time < PERIOD_MS), now];
    return this.crashes.length < MOST_CRASHES ? 'restart' : 'leave';
  }

  /** A person who starts it again has it tried anew. */
  reset(): void {
    this.crashes = [];
  }
}

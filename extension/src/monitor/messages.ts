// What the page of a watched job and its host say to each other.

import type { WatchedReading } from '../protocol';

/** What is known of the job that is watched, or was last. */
export interface MonitorFacts {
  /** What it is called on screen; null where none was ever watched. */
  readonly title: string | null;
  readonly isWatching: boolean;
  /** Why it is watched no more; null where it is, or where the user has stopped. */
  readonly why: string | null;
  /** From one reading to the next. */
  readonly seconds: number;
  /** The earliest first. */
  readonly readings: readonly WatchedReading[];
}

export type MonitorHostMessage = { readonly type: 'facts'; readonly facts: MonitorFacts };

export type MonitorPageMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'start' }
  | { readonly type: 'stop' }
  | { readonly type: 'choose' }
  | { readonly type: 'every'; readonly seconds: number };

/** The periods that can be chosen. */
export const PERIODS_SECONDS: readonly number[] = [1, 2, 5, 10, 30];

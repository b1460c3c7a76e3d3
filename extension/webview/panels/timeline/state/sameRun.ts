// Whether a record is of the run that was shown before, of its files as they were, or of something else.

import type { TimelineRecord, TrackRecord } from '../../../../src/protocol';

/** What is shown, and what stands for what is in its files. */
export interface ShownFiles {
  readonly path: string;
  readonly contents: string;
}

/**
 * What a new record means for what was shown: the same files; files that were written anew with the same in them; with
 * something else in them; another run.
 */
export type RunChange = 'none' | 'rewritten' | 'changed' | 'anotherRun';

export function changeOf(before: ShownFiles | null, now: ShownFiles | null): 'none' | 'rewritten' | 'anotherRun' {
  if (before === null || now === null) {
    return 'none';
  }
  if (before.path !== now.path) {
    return 'anotherRun';
  }
  return before.contents === now.contents ? 'none' : 'rewritten';
}

/**
 * Whether two records are of the same events, as far as both say: a record that is not complete lacks tracks, steps and
 * the overview, which are worked out later.
 */
export function isAlike(one: TimelineRecord, other: TimelineRecord): boolean {
  if (one.duration_ps !== other.duration_ps) {
    return false;
  }
  const [first, second] = [tracksOf(one), tracksOf(other)];
  return (
    (!one.complete || holdsAll(first, second)) &&
    (!other.complete || holdsAll(second, first)) &&
    (!one.complete || !other.complete || overviewOf(one) === overviewOf(other))
  );
}

/** Whether each track of `held` is one of `all`, with as many events. Its rows may not be counted yet. */
function holdsAll(all: ReadonlyMap<string, TrackRecord>, held: ReadonlyMap<string, TrackRecord>): boolean {
  return [...held].every(([id, { name, events }]) => {
    const track = all.get(id);
    return track?.name === name && track.events === events;
  });
}

/** When steps began and how busy the devices were over time: events that were moved are seen in it. */
function overviewOf({ events, steps, busy }: TimelineRecord): string {
  return JSON.stringify([events, steps, busy]);
}

/** The tracks of a record by their ids. */
export function tracksOf(record: TimelineRecord | null): ReadonlyMap<string, TrackRecord> {
  return new Map(record?.sections.flatMap(({ tracks }) => tracks.map((track) => [track.id, track] as const)));
}

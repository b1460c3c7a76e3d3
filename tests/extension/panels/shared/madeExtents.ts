// What sums are over, and what the devices did in it, as the daemon says it.

import type { ExtentRecord, WallRecord } from '../../../../extension/src/protocol';

const MS = 1_000_000_000;

/** Five complete steps of a run on one device, 100 ms in all. */
export function anExtent(changes: Partial<ExtentRecord> = {}): ExtentRecord {
  return { kind: 'steps', steps: 5, duration_ps: 100 * MS, devices: 1, has_steps: true, ...changes };
}

/** The whole window of a run that has steps. */
export function aWindow(duration_ms: number, changes: Partial<ExtentRecord> = {}): ExtentRecord {
  return anExtent({ kind: 'window', steps: 0, duration_ps: duration_ms * MS, ...changes });
}

/** One run of a program that did not run. */
export const aProgram: ExtentRecord = anExtent({
  kind: 'program',
  steps: 0,
  duration_ps: 0,
  devices: 0,
  has_steps: false,
});

/** A device's wall clock: what is not busy is idle, unless it is said to be stalled. */
export function aWall(wall_ms: number, busy_ms: number, changes: Partial<WallRecord> = {}): WallRecord {
  const stalled_ps = (changes.stalls ?? []).reduce((sum, each) => sum + each.stalled_ps, 0);
  return {
    wall_ps: wall_ms * MS,
    busy_ps: busy_ms * MS,
    stalled_ps,
    idle_ps: (wall_ms - busy_ms) * MS - stalled_ps,
    compiling_ps: 0,
    stalls: [],
    ...changes,
  };
}

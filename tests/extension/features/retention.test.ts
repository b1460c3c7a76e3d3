import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../extension/src/protocol';
import { runsToDelete } from '../../../extension/src/runs/retention';
import { aRun } from './aRun';

const MANY = 1e18;

function names(runs: readonly RunRecord[], limits: { runs: number; bytes: number }, shown?: string): string[] {
  return runsToDelete(runs, limits, shown).map((run) => run.path);
}

describe('retention', () => {
  test('deletes the oldest beyond the number that is kept', () => {
    const runs = ['e', 'd', 'c', 'b', 'a'].map((path) => aRun({ path }));
    expect(names(runs, { runs: 3, bytes: MANY })).toEqual(['b', 'a']);
    expect(names(runs, { runs: 5, bytes: MANY })).toEqual([]);
  });

  test('deletes the oldest with which the size is exceeded', () => {
    const runs = ['c', 'b', 'a'].map((path) => aRun({ path, size_bytes: 2e9 }));
    expect(names(runs, { runs: 20, bytes: 4e9 })).toEqual(['a']);
  });

  test('never deletes a run that is pinned, shown or at work, and counts it', () => {
    const runs = [
      aRun({ path: 'new' }),
      aRun({ path: 'old' }),
      aRun({ path: 'running', state: 'running' }),
      aRun({ path: 'pinned', pinned: true }),
      aRun({ path: 'shown' }),
      aRun({ path: 'live', is_live: true }),
    ];
    expect(names(runs, { runs: 1, bytes: MANY }, 'shown')).toEqual(['old']);
    expect(names(runs, { runs: 5, bytes: MANY }, 'shown')).toEqual(['old']);
    expect(names(runs, { runs: 5, bytes: MANY }, 'shown/plugins/profile/one')).toEqual(['old']);
    expect(names(runs, { runs: 6, bytes: MANY }, 'shown')).toEqual([]);
  });

  test('keeps the newest run however large it is', () => {
    expect(names([aRun({ path: 'huge', size_bytes: 9e9 })], { runs: 20, bytes: 5e9 })).toEqual([]);
  });
});

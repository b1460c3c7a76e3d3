import { beforeEach, describe, expect, test, vi } from 'vitest';
import { registerCompareCommands } from '../../../extension/src/comparison/compareCommands';
import { experimentDescription, experimentTitle } from '../../../extension/src/comparison/experimentText';
import { aRun } from '../features/aRun';
import { opened } from '../features/openedRun';
import { anExperiment } from '../runs/anExperiment';
import { fake, resetFake, silentLog, Uri, window } from '../vscode';

beforeEach(() => {
  resetFake();
  window.showQuickPick.mockReset();
});

const AFTER = aRun({ path: '/w/.scopelight/after', created: '2026-03-01T12:05:00+00:00' });
const BEFORE = aRun({ path: '/w/.scopelight/before', created: '2026-03-01T12:03:00+00:00', revision: '3f2a1b0c' });
const OTHER = aRun({ path: '/w/.scopelight/other', script: 'other.py', created: '2026-03-01T12:04:00+00:00' });
const FAILED = aRun({ path: '/w/.scopelight/failed', state: 'failed' });
const EXPERIMENT = anExperiment();

interface Item {
  readonly label: string;
  readonly description?: string;
  readonly kind?: number;
}

function setUp() {
  const runs = [AFTER, OTHER, BEFORE, FAILED];
  const compare = vi.fn((run: string) => Promise.resolve({ run }));
  const list = {
    get: () => Promise.resolve(runs),
    refresh: () => Promise.resolve(runs),
    experiments: [EXPERIMENT, { ...EXPERIMENT, path: '/w/.scopelight/empty', rounds: 0 }],
  };
  const parts = { list, shown: { current: opened(AFTER.path) }, profiles: { all: [] }, isPageInSight: () => false };
  registerCompareCommands({ log: silentLog() as never }, parts as never, { compare, stop: vi.fn() } as never);
  return compare;
}

/** Runs the command and chooses the row that says so; what was offered. */
async function choose(pattern: RegExp, ...args: readonly unknown[]): Promise<readonly Item[]> {
  let offered: readonly Item[] = [];
  window.showQuickPick.mockImplementationOnce((items: readonly Item[]) => {
    offered = items;
    return Promise.resolve(items.find(({ label, description = '' }) => pattern.test(`${label} ${description}`)));
  });
  await fake.commands.get('scopelight.compareWith')?.(...args);
  return offered;
}

describe('Compare with…', () => {
  test('offers the runs of the script first, then experiments, and what can be compared of the rest', async () => {
    const compare = setUp();
    const offered = await choose(/3f2a1b0c/);
    expect(offered.map(({ label }) => label)).toEqual([
      'Runs of this script',
      'train.py',
      'Experiments: rounds of both sides',
      'train.py against 3f2a1b0c',
      'Other runs',
      'other.py',
      '',
      'A Folder…',
    ]);
    expect(offered[1]?.description).toMatch(/ago.* · 3f2a1b0c · 5 steps · 4 × TPU v6e$/);
    expect(compare.mock.calls[0]?.slice(0, 2)).toEqual([AFTER.path, BEFORE.path]);
  });

  test('compares all rounds of an experiment', async () => {
    const compare = setUp();
    await choose(/against/);
    expect(compare.mock.calls[0]?.slice(0, 2)).toEqual([EXPERIMENT.path, null]);
  });

  test('takes two runs that are selected, the older as what was before', async () => {
    const compare = setUp();
    const nodes = [AFTER, BEFORE].map((run) => ({ kind: 'run', run, name: 'train.py' }));
    await fake.commands.get('scopelight.compareWith')?.(nodes[0], nodes);
    expect(compare.mock.calls[0]?.slice(0, 2)).toEqual([AFTER.path, BEFORE.path]);
    expect(window.showQuickPick).not.toHaveBeenCalled();
  });

  test('takes a folder that is chosen', async () => {
    const compare = setUp();
    window.showOpenDialog.mockResolvedValueOnce([Uri.file('/w/rounds')]);
    await choose(/A Folder/);
    expect(compare.mock.calls[0]?.slice(0, 2)).toEqual([AFTER.path, '/w/rounds']);
  });

  test('does nothing where it is left', async () => {
    const compare = setUp();
    await choose(/no such run/);
    expect(compare).not.toHaveBeenCalled();
  });
});

test('an experiment that is opened, from its row or its menu, tells how far it is where that takes long', async () => {
  for (const argument of [EXPERIMENT.path, { kind: 'experiment', experiment: EXPERIMENT }]) {
    const compare = setUp();
    compare.mockImplementationOnce((run) => new Promise((resolve) => setTimeout(() => resolve({ run }), 400)));
    await fake.commands.get('scopelight.openExperiment')?.(argument);
    expect(compare.mock.calls[0]?.slice(0, 2)).toEqual([EXPERIMENT.path, null]);
    expect(fake.progress.at(-1)?.title).toBe('Comparing');
  }
  expect(fake.progress).toHaveLength(2);
});

test('an experiment is named by its script and what it is against', () => {
  expect(experimentTitle(EXPERIMENT)).toBe('train.py against 3f2a1b0c');
  const now = new Date('2026-03-01T12:09:00+00:00');
  expect(experimentDescription(EXPERIMENT, now)).toBe('5 rounds · 3 min. ago · 77aa1b0c*');
});

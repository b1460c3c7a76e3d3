import { expect, test } from 'vitest';
import type * as vscode from 'vscode';
import type { LogDirectoryRecord, OpenedRun, RunWindow, SessionRecord } from '../../../extension/src/protocol';
import { isAddress } from '../../../extension/src/runs/logDirectories';
import { type RunNode, RunsTree } from '../../../extension/src/runs/runsTree';
import { windowName } from '../../../extension/src/runs/windowText';
import { aRun } from './aRun';
import { fake } from '../vscode';
import { opened } from './openedRun';

const on = () => () => undefined;

function session(path: string, hosts: readonly string[], folders = 1): SessionRecord {
  return {
    path,
    name: path.split('/').filter(Boolean).at(-1) ?? '',
    ended: '2026-01-01T00:00:00+00:00',
    folders,
    hosts: hosts.map((name) => ({ name, path: `${path}/${name}.xplane.pb`, size_bytes: 1000 })),
    size_bytes: 1000 * hosts.length,
    window: null,
  };
}

const local: LogDirectoryRecord = {
  path: '/w/logs/exp1',
  sessions: [
    session('/w/logs/exp1/plugins/profile/b', ['one', 'two'], 2),
    session('/w/logs/exp1/plugins/profile/a', ['one']),
  ],
};
const remote: LogDirectoryRecord = {
  path: 's3://bucket/deep/exp2',
  sessions: [session('s3://bucket/deep/exp2/c/', ['one'])],
};

function treeOf(
  current: OpenedRun | null,
  below: () => Promise<unknown> = () => Promise.resolve([remote]),
  runs = [aRun({ sessions: local.sessions })],
) {
  return new RunsTree(
    { get: () => Promise.resolve(runs), directories: [local], experiments: [], onDidChange: on } as never,
    { current, onDidChange: on } as never,
    { all: [], onDidChange: on } as never,
    { nodes: [{ kind: 'remote', address: 's3://bucket' }], below, onDidChange: on } as never,
  );
}

async function child(tree: RunsTree, ...labels: readonly string[]): Promise<vscode.TreeItem | undefined> {
  let found: RunNode | undefined;
  for (const label of labels) {
    const children: RunNode[] = await tree.getChildren(found);
    found = children.find((each) => tree.getTreeItem(each).label === label);
  }
  return found === undefined ? undefined : tree.getTreeItem(found);
}

/** What is opened by a click on a row. */
function clicked(row: vscode.TreeItem | undefined): readonly unknown[] | undefined {
  void fake.commands.get(row?.command?.command ?? '')?.();
  const done = fake.executed.at(-1);
  return done?.command === 'scopelight.openRun' ? done.args : undefined;
}

test('sessions stand below their run and log directory, and hosts below their session; each opens', async () => {
  const tree = treeOf(null);
  for (const above of ['train.py', 'exp1']) {
    const newest = await child(tree, above, 'b');
    expect(newest?.description).toMatch(/ · 2 hosts · in 2 folders · /u);
    expect(clicked(newest)).toEqual(['/w/logs/exp1/plugins/profile/b']);
    const host = await child(tree, above, 'b', 'two');
    expect(clicked(host)).toEqual(['/w/logs/exp1/plugins/profile/b/two.xplane.pb']);
    expect((await child(tree, above, 'a'))?.collapsibleState).toBe(0);
  }
  // Nothing of another tool's is offered to be deleted.
  expect((await child(tree, 'exp1'))?.contextValue).toBe('logs');
});

function aWindow(changes: Partial<RunWindow> = {}): RunWindow {
  const nothing = { kind: null, seconds: null, first_step: null, last_step: null, slow_steps: [] } as const;
  return { ...nothing, number: 2, started: new Date(2026, 0, 1, 5, 15, 33).toISOString(), steps: 5, ...changes };
}

test('windows are called by what they hold', () => {
  const name = (changes: Partial<RunWindow>) => windowName(aWindow(changes), 'en');
  expect(name({})).toBe('window 2: 5 steps, 05:15:33');
  expect(name({ steps: 1, started: null })).toBe('window 2: 1 step');
  expect(name({ first_step: 40, last_step: 44 })).toBe('window 2: steps 40 to 44, 05:15:33');
  expect(name({ first_step: 40, last_step: 44, slow_steps: [41] })).toBe('window 2: slow step 41, 05:15:33');
  expect(name({ kind: 'seconds', steps: 0, seconds: 0.30004 })).toBe('window 2: 0.3 s, 05:15:33');
  expect(name({ kind: 'whole', steps: null, started: null })).toBe('window 2: the whole script');
  expect(name({ steps: null, started: null })).toBe('window 2');
});

test('the windows of a run open alone, and the one that is shown is marked, however it was opened', async () => {
  const [newest, oldest] = ['/w/.scopelight/a/plugins/profile/2', '/w/.scopelight/a/plugins/profile/1'];
  const run = aRun({
    path: '/w/.scopelight/a',
    sessions: [
      { ...session(newest, ['one']), window: aWindow() },
      { ...session(oldest, ['one']), window: aWindow({ number: 1 }) },
    ],
  });
  const rows = async (current: OpenedRun | null) => {
    const tree = treeOf(current, undefined, [run]);
    const [first] = await tree.getChildren();
    const items = first === undefined ? [] : (await tree.getChildren(first)).map((each) => tree.getTreeItem(each));
    const isShown = (item: vscode.TreeItem) => /^shown · /u.test(String(item.description));
    const windows = items.filter(({ label }) => typeof label === 'string' && label.startsWith('window'));
    return { run: first && tree.getTreeItem(first), windows, shown: windows.map(isShown) };
  };
  const none = await rows(null);
  expect(none.windows.map(({ label }) => label)).toEqual([
    'window 2: 5 steps, 05:15:33',
    'window 1: 5 steps, 05:15:33',
  ]);
  expect(none.windows.map(clicked)).toEqual([[newest], [oldest]]);
  expect(none.shown).toEqual([false, false]);
  expect((await rows(opened(run.path, { session: newest }))).shown).toEqual([true, false]);
  const older = await rows(opened(oldest, { session: oldest }));
  expect(older.shown).toEqual([false, true]);
  expect(older.run?.description).toContain('shown');
  // Of one host alone, which is not all of its window.
  expect((await rows(opened(`${newest}/one.xplane.pb`, { session: newest }))).shown).toEqual([false, false]);
});

test('a log directory on a server is listed below its address, and what is shown of it is marked', async () => {
  const tree = treeOf(opened('/cache/log/exp2/c', { address: 's3://bucket/deep/exp2/c' }));
  expect(clicked(await child(tree, 's3://bucket', 'exp2'))).toEqual(['s3://bucket/deep/exp2']);
  expect((await child(tree, 's3://bucket', 'exp2', 'c'))?.description).toMatch(/^shown · /u);
});

test('why an address cannot be listed stands below it', async () => {
  const sentence = 'what reads s3:// is not installed: pip install "scopelight[s3]".';
  const tree = treeOf(null, () => Promise.resolve({ kind: 'problem', address: 's3://bucket', sentence }));
  expect((await child(tree, 's3://bucket', sentence))?.tooltip).toBe(sentence);
});

test('an address is told from a path', () => {
  expect(['s3://b', 'gs://b/c', 'https://h/x.pb'].every(isAddress)).toBe(true);
  expect(['/w/logs', 'C:\\logs', 'logs', ''].some(isAddress)).toBe(false);
});

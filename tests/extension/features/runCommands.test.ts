import { anEmpty } from '../panels/shared/madeFindings';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DaemonError } from '../../../extension/src/daemon/connection';
import type { OpenedRun, RunRecord } from '../../../extension/src/protocol';
import { Remembered } from '../../../extension/src/remembered';
import { OpenedProfiles } from '../../../extension/src/runs/openedProfiles';
import { registerRunCommands } from '../../../extension/src/runs/runCommands';
import { RunsList } from '../../../extension/src/runs/runsList';
import { RemoteDirectories } from '../../../extension/src/runs/remoteDirectories';
import { RunsTree } from '../../../extension/src/runs/runsTree';
import { ShownRun } from '../../../extension/src/runs/shownRun';
import { fake, resetFake, silentLog, Uri, window, workspace } from '../vscode';
import { aRun } from './aRun';
import { FakeDaemon, fakeMemento, opened } from './fakeDaemon';

beforeEach(() => {
  resetFake();
  workspace.fs.delete.mockReset();
  workspace.fs.delete.mockResolvedValue(undefined);
});

function setUp(memento = fakeMemento(), isPageInSight = false) {
  const daemon = new FakeDaemon();
  const services = { daemon: daemon.connection, log: silentLog() } as never;
  const remembered = new Remembered(memento);
  const shown = new ShownRun(services, remembered);
  const list = new RunsList(services);
  const profiles = new OpenedProfiles(remembered);
  registerRunCommands(services, { list, shown, profiles, remembered, isPageInSight: () => isPageInSight });
  return { daemon, shown, list, profiles, tree: new RunsTree(list, shown, profiles, new RemoteDirectories(services)) };
}

function run(command: string, record: RunRecord): unknown {
  return fake.commands.get(command)?.({ kind: 'run', run: record, name: 'train.py' });
}

async function press(text: RegExp, button: string | undefined): Promise<void> {
  await vi.waitFor(() => expect(fake.messages.at(-1)?.text).toMatch(text));
  fake.messages.at(-1)?.press(button);
}

describe('a run that failed', () => {
  const RUN = aRun({ path: '/w/.scopelight/a', script: 'jobs/train.py', state: 'failed', exit_code: 3 });

  async function click(record: RunRecord) {
    workspace.workspaceFolders = [{ uri: Uri.file('/w'), name: 'w', index: 0 }];
    const { daemon } = setUp();
    const opening = fake.commands.get('scopelight.openRun')?.(record.path);
    (await daemon.request(0)).refuse(new DaemonError(`${record.path} is not a readable profile: it failed.`));
    (await daemon.request(1)).answer({ runs: [record], log_directories: [], experiments: [] });
    await opening;
    await vi.waitFor(() => expect(fake.messages).toHaveLength(1));
    return fake.messages[0];
  }

  test('says why by the name of its script, and offers what mends it', async () => {
    expect(await click({ ...RUN, failure: 'The script ended with exit code 3 before it imported jax.' })).toMatchObject(
      {
        text: 'Nothing was captured of train.py: The script ended with exit code 3 before it imported jax.',
        buttons: ['Change Arguments…'],
      },
    );
  });

  test('leads to the line of what ended it', async () => {
    const error = { kind: 'ValueError', message: 'no', path: '/w/a.py', line: 3, function: 'f', module: null };
    expect(await click({ ...RUN, failure: 'It failed.', error })).toMatchObject({
      text: 'train.py ended before anything was captured: ValueError: no (a.py:3).',
      buttons: ['Go to Line 3', 'Show Terminal'],
    });
  });

  test('or cannot be read is named as within the workspace', async () => {
    expect((await click({ ...RUN, state: null, problem: 'damaged' }))?.text).toBe(
      '.scopelight/a is not a readable profile: it failed.',
    );
  });
});

describe('to delete a run', () => {
  test('moves it to the trash when the user has agreed', async () => {
    const { daemon } = setUp();
    const deleting = run('scopelight.deleteRun', aRun({ path: '/w/.scopelight/a' }));
    await press(/Delete the run “train\.py”\?/, 'Move to Trash');
    (await daemon.request(0)).answer({ runs: [], log_directories: [], experiments: [] });
    await deleting;
    const [uri, options] = workspace.fs.delete.mock.calls[0] as [Uri, unknown];
    expect(uri.fsPath).toBe('/w/.scopelight/a');
    expect(options).toEqual({ recursive: true, useTrash: true });
  });

  test('deletes nothing when the user leaves', async () => {
    setUp();
    const deleting = run('scopelight.deleteRun', aRun());
    await press(/Delete the run/, undefined);
    await deleting;
    expect(workspace.fs.delete).not.toHaveBeenCalled();
  });

  test('asks again where there is no trash, and deletes for ever only then', async () => {
    const { daemon } = setUp();
    workspace.fs.delete.mockRejectedValueOnce(new Error('no trash'));
    const deleting = run('scopelight.deleteRun', aRun());
    await press(/Delete the run/, 'Move to Trash');
    await press(/cannot be moved to a trash/, 'Delete Permanently');
    (await daemon.request(0)).answer({ runs: [], log_directories: [], experiments: [] });
    await deleting;
    expect(workspace.fs.delete.mock.calls.at(-1)?.[1]).toEqual({ recursive: true, useTrash: false });
  });
});

test('to pin a run tells the daemon and lists the runs anew', async () => {
  const { daemon } = setUp();
  const pinning = run('scopelight.pinRun', aRun({ path: '/w/a' }));
  const pin = await daemon.request(0);
  expect(pin).toMatchObject({ method: 'scopelight/pinRun', params: { path: '/w/a', pinned: true } });
  pin.answer({});
  (await daemon.request(1)).answer({
    runs: [aRun({ path: '/w/a', pinned: true })],
    log_directories: [],
    experiments: [],
  });
  await pinning;
  expect(fake.contexts.get('scopelight.hasPinnedRuns')).toBe(true);
  expect(fake.contexts.get('scopelight.hasUnpinnedRuns')).toBe(false);
});

describe('the tree of runs', () => {
  const folders = ['/w/app', '/w/app/inner', '/w/lib'].map((path, index) => ({
    uri: Uri.file(path),
    name: path.slice(1),
    index,
  }));

  test('has the runs themselves where one folder is open', async () => {
    const { daemon, tree } = setUp();
    workspace.workspaceFolders = folders.slice(0, 1);
    const children = tree.getChildren();
    (await daemon.request(0)).answer({
      runs: [aRun({ path: '/w/app/.scopelight/b' })],
      log_directories: [],
      experiments: [],
    });
    expect(await children).toMatchObject([{ kind: 'run', run: { path: '/w/app/.scopelight/b' } }]);
  });

  test('has the folders that hold runs where several are open, each run in the innermost', async () => {
    const { daemon, tree } = setUp();
    workspace.workspaceFolders = folders;
    const children = tree.getChildren();
    const paths = ['/w/app/inner/.scopelight/a', '/w/app/.scopelight/b'];
    (await daemon.request(0)).answer({
      runs: paths.map((path) => aRun({ path })),
      log_directories: [],
      experiments: [],
    });
    const nodes = await children;
    expect(nodes.map((node) => node.kind === 'folder' && node.folder.name)).toEqual(['w/app', 'w/app/inner']);
    const inner = nodes[1] && (await tree.getChildren(nodes[1]));
    expect(inner).toMatchObject([{ run: { path: '/w/app/inner/.scopelight/a' } }]);
  });

  test('is empty where the daemon does not answer, so that its welcome says why', async () => {
    const { daemon, tree } = setUp();
    const children = tree.getChildren();
    (await daemon.request(0)).refuse(new DaemonError('missing'));
    expect(await children).toEqual([]);
  });
});

describe('profiles that were opened', () => {
  const FILE = '/data/tpu/host.xplane.pb';
  const open = async (
    { daemon }: ReturnType<typeof setUp>,
    path: string,
    runs: readonly RunRecord[] = [],
    changes: Partial<OpenedRun> = {},
  ) => {
    window.showOpenDialog.mockResolvedValueOnce([Uri.file(path)]);
    const before = daemon.asked.length;
    const opening = fake.commands.get('scopelight.openProfile')?.();
    const asked = await daemon.request(before);
    expect(asked.method).toBe('scopelight/openRun');
    asked.answer(opened(path, changes));
    const listing = vi.waitFor(() => expect(daemon.asked.length).toBeGreaterThan(before + 1));
    await Promise.race([listing, opening]);
    daemon.asked[before + 1]?.answer({ runs, log_directories: [], experiments: [] });
    await opening;
  };

  test('are listed below the runs, the latest first, and opened by a click', async () => {
    const made = setUp();
    await open(made, FILE, [aRun()]);
    await open(made, '/data/gpu');
    expect(fake.contexts.get('scopelight.hasOpenedProfiles')).toBe(true);
    const nodes = await made.tree.getChildren();
    expect(nodes.map(({ kind }) => kind)).toEqual(['run', 'profiles']);
    const leaves = await made.tree.getChildren({ kind: 'profiles' });
    const [gpu, tpu] = leaves.map((node) => made.tree.getTreeItem(node));
    expect(gpu).toMatchObject({ label: 'gpu', description: 'shown · data · opened just now', contextValue: 'profile' });
    expect(tpu).toMatchObject({ label: 'host.xplane.pb', description: 'tpu · opened just now', tooltip: FILE });
    fake.commands.get(tpu?.command?.command ?? '')?.();
    expect(fake.executed.at(-1)).toEqual({ command: 'scopelight.openRun', args: [FILE] });
  });

  test('are opened by a click on a row that is just made anew', async () => {
    const made = setUp();
    await open(made, FILE, [aRun()]);
    const rows = async () => {
      const nodes = [...(await made.tree.getChildren()), ...(await made.tree.getChildren({ kind: 'profiles' }))];
      return nodes.map((node) => made.tree.getTreeItem(node).command).filter((command) => command !== undefined);
    };
    const [before, after] = [await rows(), await rows()];
    expect(before).toHaveLength(2);
    // The editor keeps the arguments of a row's command no longer than the row.
    expect(before.flatMap(({ arguments: given = [] }) => given as unknown[])).toEqual([]);
    expect(after).toEqual(before);
    for (const [row, path] of [aRun().path, FILE].entries()) {
      fake.commands.get(before[row]?.command ?? '')?.();
      expect(fake.executed.at(-1)).toEqual({ command: 'scopelight.openRun', args: [path] });
    }
    made.tree.dispose();
    expect([...fake.commands.keys()].filter((id) => id.startsWith('_'))).toEqual([]);
  });

  test('are kept over a reload, once each, until they are taken from the list', async () => {
    const memento = fakeMemento();
    const first = setUp(memento);
    await open(first, FILE);
    await open(first, '/data/gpu');
    await open(first, FILE);
    const again = setUp(memento);
    expect(again.profiles.all.map(({ path }) => path)).toEqual([FILE, '/data/gpu']);
    const [profile] = again.profiles.all;
    await fake.commands.get('scopelight.forgetProfile')?.({ kind: 'profile', profile });
    expect(again.profiles.all.map(({ path }) => path)).toEqual(['/data/gpu']);
    expect(workspace.fs.delete).not.toHaveBeenCalled();
  });

  test('are not the runs of the workspace, which are listed as such', async () => {
    const made = setUp();
    await open(made, aRun().path, [aRun()]);
    expect(made.profiles.all).toEqual([]);
  });

  test('are chosen and revealed as runs are', async () => {
    const made = setUp();
    await made.profiles.add(FILE);
    window.showQuickPick.mockImplementationOnce(async (items: Promise<readonly { path: string }[]>) =>
      (await items).find(({ path }) => path === FILE),
    );
    const selecting = fake.commands.get('scopelight.selectRun')?.();
    (await made.daemon.request(0)).answer({ runs: [aRun()], log_directories: [], experiments: [] });
    const asked = await made.daemon.request(1);
    expect(asked).toMatchObject({ method: 'scopelight/openRun', params: { path: FILE } });
    asked.answer(opened(FILE));
    await selecting;
    await fake.commands.get('scopelight.revealRun')?.({ kind: 'profile', profile: made.profiles.all[0] });
    expect(fake.executed.at(-1)?.command).toBe('revealFileInOS');
  });

  test('do not hide why the view is empty where the daemon does not answer', async () => {
    const { daemon, tree, profiles } = setUp();
    await profiles.add(FILE);
    const children = tree.getChildren();
    (await daemon.request(0)).refuse(new DaemonError('missing'));
    expect(await children).toEqual([]);
  });

  async function opening(changes: Partial<OpenedRun>) {
    const { daemon } = setUp();
    const asked = fake.commands.get('scopelight.openRun')?.('/data/a');
    (await daemon.request(0)).answer(opened('/data/a', changes));
    await asked;
    return fake.executed.map(({ command }) => command).filter((command) => command.startsWith('scopelight.open'));
  }

  const neverRan = {
    findings: anEmpty('Nothing ran: `scopelight run` makes a profile.'),
    never_ran: true,
    has: ['programs'] as const,
  };

  test('of programs that did not run lead to their FLOPs and to what they keep in memory, once and quietly', async () => {
    const made = setUp();
    await open(made, FILE, [], neverRan);
    expect(fake.messages).toMatchObject([
      {
        kind: 'information',
        text: 'Nothing ran: scopelight run makes a profile.',
        buttons: ['Show FLOPs', 'Show Graph', 'Show Memory Viewer'],
      },
    ]);
    await press(/Nothing ran/, 'Show FLOPs');
    await vi.waitFor(() => expect(fake.executed.at(-1)?.command).toBe('scopelight.openFlops'));
    await open(made, FILE, [], neverRan);
    expect(fake.messages).toHaveLength(1);
    await open(made, '/data/other.hlo.pb', [], { ...neverRan, has: [] });
    expect(fake.messages.at(-1)?.buttons).toEqual(['Show FLOPs']);
    await open(made, '/data/third.hlo.pb', [], neverRan);
    await press(/Nothing ran/, 'Show Memory Viewer');
    await vi.waitFor(() => expect(fake.executed.at(-1)?.command).toBe('scopelight.openMemoryViewer'));
  });

  test('of programs that did not run raise no message over a page that says so itself, nor when shown again', async () => {
    await open(setUp(fakeMemento(), true), FILE, [], neverRan);
    expect(await opening(neverRan)).toEqual([]);
    expect(fake.messages).toEqual([]);
  });

  test('that have no lines for another reason lead nowhere', async () => {
    expect(await opening({ findings: anEmpty('No op ran.', 'Capture longer.') })).toEqual([]);
    expect(fake.messages.at(-1)).toMatchObject({ kind: 'warning', text: 'No op ran. Capture longer.', buttons: [] });
  });

  test('that hold memory alone open at it, without a word of the trace that they do not have', async () => {
    const run = { findings: anEmpty('It holds no trace.'), memory_alone: true, has: ['memory'] as const };
    expect(await opening(run)).toEqual(['scopelight.openMemoryProfile']);
    expect(fake.messages).toEqual([]);
  });

  test('that ran out of memory say so, and open at it where there is nothing else', async () => {
    const run = { findings: anEmpty('It holds no trace.'), out_of_memory: 'The script ran out of memory at `a.py:3`.' };
    expect(await opening({ ...run, memory_alone: true })).toEqual(['scopelight.openMemoryProfile']);
    expect(fake.messages.at(-1)).toMatchObject({ text: 'The script ran out of memory at a.py:3.', buttons: [] });
    resetFake();
    expect(await opening({ ...run, findings: [] })).toEqual([]);
    expect(fake.messages.at(-1)).toMatchObject({ kind: 'error', buttons: ['Show Memory Profile'] });
    await press(/ran out of memory/, 'Show Memory Profile');
    await vi.waitFor(() => expect(fake.executed.at(-1)?.command).toBe('scopelight.openMemoryProfile'));
  });
});

test('an answer that was overtaken by a later one does not count', async () => {
  const { daemon, list } = setUp();
  const early = list.refresh();
  const late = list.refresh();
  (await daemon.request(1)).answer({ runs: [aRun({ path: '/w/new' })], log_directories: [], experiments: [] });
  await late;
  (await daemon.request(0)).answer({ runs: [], log_directories: [], experiments: [] });
  await early;
  expect((await list.get()).map(({ path }) => path)).toEqual(['/w/new']);
});

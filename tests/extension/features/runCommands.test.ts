import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DaemonError } from '../../../extension/src/daemon/connection';
import type { RunRecord } from '../../../extension/src/protocol';
import { Remembered } from '../../../extension/src/remembered';
import { registerRunCommands } from '../../../extension/src/runs/runCommands';
import { RunsList } from '../../../extension/src/runs/runsList';
import { RunsTree } from '../../../extension/src/runs/runsTree';
import { ShownRun } from '../../../extension/src/runs/shownRun';
import { fake, resetFake, silentLog, Uri, workspace } from '../vscode';
import { aRun } from './aRun';
import { FakeDaemon, fakeMemento } from './fakeDaemon';

beforeEach(() => {
  resetFake();
  workspace.fs.delete.mockReset();
  workspace.fs.delete.mockResolvedValue(undefined);
});

function setUp() {
  const daemon = new FakeDaemon();
  const services = { daemon: daemon.connection, log: silentLog() } as never;
  const shown = new ShownRun(services, new Remembered(fakeMemento()));
  const list = new RunsList(services);
  registerRunCommands(services, list, shown);
  return { daemon, shown, list, tree: new RunsTree(list, shown) };
}

function run(command: string, record: RunRecord): unknown {
  return fake.commands.get(command)?.({ kind: 'run', run: record });
}

async function press(text: RegExp, button: string | undefined): Promise<void> {
  await vi.waitFor(() => expect(fake.messages.at(-1)?.text).toMatch(text));
  fake.messages.at(-1)?.press(button);
}

describe('to delete a run', () => {
  test('moves it to the trash when the user has agreed', async () => {
    const { daemon } = setUp();
    const deleting = run('scopelight.deleteRun', aRun({ path: '/w/.scopelight/a' }));
    await press(/Delete the run “train\.py”\?/, 'Move to Trash');
    (await daemon.request(0)).answer({ runs: [] });
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
    (await daemon.request(0)).answer({ runs: [] });
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
  (await daemon.request(1)).answer({ runs: [aRun({ path: '/w/a', pinned: true })] });
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
    (await daemon.request(0)).answer({ runs: [aRun({ path: '/w/app/.scopelight/b' })] });
    expect(await children).toMatchObject([{ kind: 'run', run: { path: '/w/app/.scopelight/b' } }]);
  });

  test('has the folders that hold runs where several are open, each run in the innermost', async () => {
    const { daemon, tree } = setUp();
    workspace.workspaceFolders = folders;
    const children = tree.getChildren();
    const paths = ['/w/app/inner/.scopelight/a', '/w/app/.scopelight/b'];
    (await daemon.request(0)).answer({ runs: paths.map((path) => aRun({ path })) });
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

test('an answer that was overtaken by a later one does not count', async () => {
  const { daemon, list } = setUp();
  const early = list.refresh();
  const late = list.refresh();
  (await daemon.request(1)).answer({ runs: [aRun({ path: '/w/new' })] });
  await late;
  (await daemon.request(0)).answer({ runs: [] });
  await early;
  expect((await list.get()).map(({ path }) => path)).toEqual(['/w/new']);
});

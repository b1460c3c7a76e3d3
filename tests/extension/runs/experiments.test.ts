// Experiments among the runs: where they stand, and what can be done with them.

import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ListedExperiment, RunRecord } from '../../../extension/src/protocol';
import { Remembered } from '../../../extension/src/remembered';
import { OpenedProfiles } from '../../../extension/src/runs/openedProfiles';
import { RemoteDirectories } from '../../../extension/src/runs/remoteDirectories';
import { registerRunCommands } from '../../../extension/src/runs/runCommands';
import { RunsList } from '../../../extension/src/runs/runsList';
import { RunsTree } from '../../../extension/src/runs/runsTree';
import { ShownRun } from '../../../extension/src/runs/shownRun';
import { aRun } from '../features/aRun';
import { FakeDaemon, fakeMemento, opened } from '../features/fakeDaemon';
import { fake, resetFake, silentLog, Uri, window, workspace } from '../vscode';
import { anExperiment } from './anExperiment';

beforeEach(() => {
  resetFake();
  workspace.workspaceFolders = [{ uri: Uri.file('/w'), name: 'w', index: 0 }];
  workspace.fs.delete.mockReset();
  workspace.fs.delete.mockResolvedValue(undefined);
});

async function listing(runs: readonly RunRecord[], experiments: readonly ListedExperiment[]) {
  const daemon = new FakeDaemon();
  const services = { daemon: daemon.connection, log: silentLog() } as never;
  const remembered = new Remembered(fakeMemento());
  const shown = new ShownRun(services, remembered);
  const list = new RunsList(services);
  const profiles = new OpenedProfiles(remembered);
  registerRunCommands(services, { list, shown, profiles, remembered, isPageInSight: () => false });
  const tree = new RunsTree(list, shown, profiles, new RemoteDirectories(services));
  const asked = list.refresh();
  (await daemon.request(0)).answer({ runs, log_directories: [], experiments });
  await asked;
  return { daemon, shown, tree };
}

const at = (minute: number) => `2026-03-01T12:${String(minute).padStart(2, '0')}:00+00:00`;
const OLD = aRun({ path: '/w/.scopelight/old', created: at(1) });
const NEW = aRun({ path: '/w/.scopelight/new', created: at(8) });
const BROKEN = aRun({ path: '/w/.scopelight/broken', created: null });

async function pathsOf(tree: RunsTree): Promise<readonly unknown[]> {
  const nodes = await tree.getChildren();
  return nodes.map((node) =>
    node.kind === 'run' ? node.run.path : node.kind === 'experiment' ? node.experiment.path : node.kind,
  );
}

describe('an experiment in the view Runs', () => {
  test('stands among the runs by its time', async () => {
    const newest = anExperiment({ path: '/w/.scopelight/x', created: '2026-03-01T13:30:00+01:00' });
    const between = anExperiment({ path: '/w/.scopelight/y', created: at(5) });
    const unknown = anExperiment({ path: '/w/.scopelight/z', created: null });
    const { tree } = await listing([NEW, OLD, BROKEN], [newest, between, unknown]);
    expect(await pathsOf(tree)).toEqual([newest.path, NEW.path, between.path, OLD.path, BROKEN.path, unknown.path]);
  });

  test('stands in its folder of several, and is there without any run', async () => {
    workspace.workspaceFolders = ['/w', '/v'].map((path, index) => ({ uri: Uri.file(path), name: path, index }));
    const { tree } = await listing([], [anExperiment()]);
    const [folder, ...others] = await tree.getChildren();
    expect(others).toEqual([]);
    expect(folder).toMatchObject({ kind: 'folder', folder: { name: '/w' } });
    const below = folder === undefined ? [] : await tree.getChildren(folder);
    expect(below).toMatchObject([{ kind: 'experiment' }]);
    expect(below[0] && tree.getParent(below[0])).toEqual(folder);
    expect(fake.contexts.get('scopelight.hasNoRuns')).toBe(false);
  });

  test.each([
    [{}, 'experiment'],
    [{ rounds: 0, state: 'failed' }, 'experiment.failed'],
    [{ state: 'running' }, 'experiment.running'],
  ] as const)('has the menu of what %o is', async (changes, context) => {
    const { tree } = await listing([], [anExperiment(changes)]);
    const [node] = await tree.getChildren();
    expect(node && tree.getTreeItem(node).contextValue).toBe(context);
  });
});

function press(text: RegExp, button: string | undefined): Promise<void> {
  return vi.waitFor(() => {
    expect(fake.messages.at(-1)?.text).toMatch(text);
    fake.messages.at(-1)?.press(button);
  });
}

describe('to delete an experiment', () => {
  const node = { kind: 'experiment', experiment: anExperiment() };

  test('says how many rounds go with it, and takes what is shown of it from the editor', async () => {
    const asking = vi.spyOn(window, 'showWarningMessage');
    const { daemon, shown } = await listing([], [anExperiment()]);
    daemon.notify('scopelight/shownRun', { run: opened(`${anExperiment().path}/after/round-1`) });
    const deleting = fake.commands.get('scopelight.deleteExperiment')?.(node);
    await vi.waitFor(() => expect(fake.messages).toHaveLength(1));
    expect(fake.messages[0]?.text).toBe('Delete the experiment “train.py against 3f2a1b0c”?');
    const detail = `Its 5 rounds of both sides go with it.\n${anExperiment().path}`;
    expect(asking.mock.calls.at(-1)?.[1]).toEqual({ modal: true, detail });
    fake.messages[0]?.press('Move to Trash');
    (await daemon.request(1)).answer({});
    (await daemon.request(2)).answer({ runs: [], log_directories: [], experiments: [] });
    await deleting;
    const [uri, how] = workspace.fs.delete.mock.calls[0] as [Uri, unknown];
    expect(uri.fsPath).toBe(anExperiment().path);
    expect(how).toEqual({ recursive: true, useTrash: true });
    expect(shown.current).toBeNull();
  });

  test('deletes nothing where the user leaves', async () => {
    await listing([], [anExperiment()]);
    const deleting = fake.commands.get('scopelight.deleteExperiment')?.(node);
    await press(/Delete the experiment/, undefined);
    await deleting;
    expect(workspace.fs.delete).not.toHaveBeenCalled();
  });

  test('where there is no trash, Enter shows its folder and costs nothing', async () => {
    await listing([], [anExperiment()]);
    workspace.fs.delete.mockRejectedValueOnce(new Error('no trash'));
    const deleting = fake.commands.get('scopelight.deleteExperiment')?.(node);
    await press(/Delete the experiment/, 'Move to Trash');
    await vi.waitFor(() => expect(fake.messages).toHaveLength(2));
    // The editor adds Cancel: another word for it would be one too many.
    expect(fake.messages[1]?.buttons).toEqual(['Show Its Folder', 'Delete Permanently']);
    fake.messages[1]?.press('Show Its Folder');
    await deleting;
    expect(fake.executed.at(-1)?.command).toBe('revealFileInOS');
    expect(workspace.fs.delete).toHaveBeenCalledOnce();
  });
});

test('an experiment is revealed as a run is', async () => {
  await listing([], [anExperiment()]);
  await fake.commands.get('scopelight.revealRun')?.({ kind: 'experiment', experiment: anExperiment() });
  expect(fake.executed.at(-1)).toMatchObject({ command: 'revealFileInOS', args: [{ fsPath: anExperiment().path }] });
});

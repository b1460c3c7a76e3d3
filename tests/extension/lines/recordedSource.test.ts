import { beforeEach, expect, test, vi } from 'vitest';
import { EventEmitter, Uri, workspace } from 'vscode';
import { RecordedSources, recordedCopy, recordedUri } from '../../../extension/src/lines/recordedSource';
import type { OpenedRun } from '../../../extension/src/protocol';
import { FakeDaemon, opened } from '../features/fakeDaemon';
import { resetFake, silentLog } from '../vscode';

beforeEach(resetFake);

const copy = { run: '/runs/first', file: '/home/other/proj/model.py' };

function serve({ shown, restored = Promise.resolve() }: { shown: OpenedRun | null; restored?: Promise<void> }) {
  const daemon = new FakeDaemon();
  const changed = new EventEmitter<OpenedRun | null>();
  const run = { current: shown, onDidChange: changed.event };
  const services = { daemon: daemon.connection, log: silentLog() as never };
  const sources = new RecordedSources(services, run, () => restored);
  const show = (now: OpenedRun | null) => {
    run.current = now;
    changed.fire(now);
  };
  return { daemon, sources, show };
}

async function textOf(sources: RecordedSources, uri: Uri): Promise<string> {
  return new TextDecoder().decode(await sources.readFile(uri));
}

test.each([
  ['/home/other/proj/model.py', '/home/other/proj/model.py'],
  ['experimental/model.py', '/experimental/model.py'],
  ['C:\\job\\model.py', '/C:/job/model.py'],
  ['//host/share/model.py', '/host/share/model.py'],
])('a document of %s is titled by it, and names it exactly', (file, titled) => {
  const uri = recordedUri({ run: copy.run, file });
  expect(uri.path).toBe(titled);
  expect(recordedCopy(Uri.parse(uri.toString()))).toEqual({ run: copy.run, file });
});

test('what is no document of ours is the copy of nothing', () => {
  expect(recordedCopy(Uri.file('/home/me/model.py'))).toBeUndefined();
  for (const query of ['', 'no json', 'null', '{}', '{"run": 1, "file": "/x"}']) {
    expect(recordedCopy(Uri.from({ scheme: 'scopelight-source', path: '/x', query }))).toBeUndefined();
  }
});

test('a copy is asked for once, by its run and file, and cannot be written', async () => {
  const { daemon, sources } = serve({ shown: opened(copy.run) });
  const uri = recordedUri(copy);
  const reading = textOf(sources, uri);
  const request = await daemon.request(0);
  expect([request.method, request.params]).toEqual(['scopelight/recordedSource', copy]);
  request.answer({ text: 'one = 1 # \u00e9\n' });
  expect(await reading).toBe('one = 1 # \u00e9\n');
  expect(await sources.stat(uri)).toMatchObject({ type: 1, size: 13 });
  expect(daemon.asked).toHaveLength(1);
  expect(vi.mocked(workspace.registerFileSystemProvider).mock.lastCall).toMatchObject([
    'scopelight-source',
    sources,
    { isReadonly: { value: expect.stringContaining('cannot be edited') as string } },
  ]);
  for (const write of ['writeFile', 'createDirectory', 'delete', 'rename'] as const) {
    expect(() => sources[write](uri)).toThrow('may not be written');
  }
});

test('a document that is restored waits for its run', async () => {
  let restore = (): void => undefined;
  const restored = new Promise<void>((resolve) => (restore = resolve));
  const { daemon, sources, show } = serve({ shown: null, restored });
  const reading = textOf(sources, recordedUri(copy));
  await Promise.resolve();
  expect(daemon.asked).toEqual([]);
  show(opened(copy.run));
  restore();
  (await daemon.request(0)).answer({ text: 'one = 1\n' });
  expect(await reading).toBe('one = 1\n');
});

test('where its run is not shown it says so in a sentence, until that is', async () => {
  const { daemon, sources, show } = serve({ shown: null });
  const uri = recordedUri(copy);
  expect(await textOf(sources, uri)).toBe(
    '# The run first, which keeps this copy, is not shown: choose it in the Runs view.',
  );
  const before = await sources.stat(uri);
  const changes: unknown[] = [];
  sources.onDidChangeFile((each) => changes.push(...each.map((change) => change.uri.toString())));
  show(opened('/runs/other'));
  show(opened(copy.run));
  await vi.waitFor(() => expect(changes).toEqual([uri.toString()]));
  const reading = sources.stat(uri);
  (await daemon.request(0)).answer({ text: 'one = 1\n' });
  expect((await reading).mtime).toBeGreaterThan(before.mtime);
  // What is read stays, whatever is shown then.
  show(opened('/runs/other'));
  expect(await textOf(sources, uri)).toBe('one = 1\n');
});

test('a run without the copy, and a daemon that fails, are told of too', async () => {
  const { daemon, sources } = serve({ shown: opened(copy.run) });
  const reading = textOf(sources, recordedUri(copy));
  (await daemon.request(0)).answer({ text: null });
  expect(await reading).toBe('# The run first keeps no copy of this file.');
  const other = textOf(sources, recordedUri({ ...copy, file: 'b.py' }));
  (await daemon.request(1)).refuse(new Error('stopped'));
  expect(await other).toContain('keeps no copy');
  await expect(sources.readFile(Uri.from({ scheme: 'scopelight-source', path: '/x', query: '' }))).rejects.toThrow();
});

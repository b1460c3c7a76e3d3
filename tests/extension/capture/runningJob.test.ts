import { beforeEach, expect, test, vi } from 'vitest';
import { window } from 'vscode';
import { registerCaptureRunningJob } from '../../../extension/src/capture/runningJob';
import type { LocalJob, UnpreparedJob } from '../../../extension/src/protocol';
import { Remembered } from '../../../extension/src/remembered';
import { ShownRun } from '../../../extension/src/runs/shownRun';
import { fake, resetFake, silentLog, Uri, workspace } from '../vscode';
import { FakeDaemon, fakeMemento, opened } from '../features/fakeDaemon';

const JOB: LocalJob = {
  pid: 12,
  address: 'localhost:9999',
  script: 'jobs/train.py',
  arguments: [],
  cwd: '/w',
  jaxlib: '0.10.2',
  kind: 'current',
  shares_port: false,
};
const OLDER: LocalJob = { ...JOB, pid: 13, address: 'localhost:9998', jaxlib: '0.8.1', kind: 'older' };

const UNPREPARED: UnpreparedJob = {
  pid: 15,
  script: 'alone.py',
  arguments: [],
  cwd: '/w/jobs',
  jaxlib: '0.12.0',
  refusal: null,
};
const CLOSED: UnpreparedJob = {
  ...UNPREPARED,
  pid: 16,
  script: 'closed.py',
  refusal: 'It runs on Python 3.11: do this.',
};

interface Choice {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

beforeEach(() => {
  resetFake();
  vi.mocked(window.showInputBox).mockReset();
  vi.mocked(window.showQuickPick).mockReset();
  workspace.workspaceFolders = [{ uri: Uri.file('/w'), name: 'w', index: 0 }];
});

function setUp(memento = fakeMemento()) {
  const daemon = new FakeDaemon();
  const services = { daemon: daemon.connection, log: silentLog() } as never;
  const remembered = new Remembered(memento);
  registerCaptureRunningJob(services, { remembered, shown: new ShownRun(services, remembered) });
  return { daemon, remembered };
}

/** Calls the command where these jobs listen, and picks what has this label. */
async function pick(
  daemon: FakeDaemon,
  jobs: readonly LocalJob[],
  label: string,
  unprepared: readonly UnpreparedJob[] = [],
) {
  const offered: Choice[] = [];
  vi.mocked(window.showQuickPick).mockImplementationOnce((items) => {
    offered.push(...(items as unknown as Choice[]));
    return Promise.resolve(offered.find((each) => each.label === label) as never);
  });
  const running = Promise.resolve(fake.commands.get('scopelight.captureRunningJob')?.());
  const asked = await daemon.request(0);
  expect(asked.method).toBe('scopelight/localJobs');
  asked.answer({ jobs, unprepared });
  return { running, offered };
}

test('a job that listens is captured for as long as is asked, and its run opened', async () => {
  const { daemon, remembered } = setUp();
  vi.mocked(window.showInputBox).mockResolvedValueOnce('1.5');
  const { running, offered } = await pick(daemon, [JOB], 'train.py');
  expect(offered[0]?.description).toBe('localhost:9999 · process 12 · jaxlib 0.10.2');
  const capture = await daemon.request(1);
  expect(capture.method).toBe('scopelight/captureServers');
  expect(capture.params).toMatchObject({ addresses: ['localhost:9999'], seconds: 1.5, trusts: false, folder: '/w' });
  capture.progress({ message: 'localhost:9999: capturing 1.5 s' });
  expect(fake.progress.at(-1)?.title).toBe('Capturing localhost:9999');
  expect(fake.progress.at(-1)?.reports).toContainEqual({ message: 'localhost:9999: capturing 1.5 s' });
  capture.answer({ path: '/w/.scopelight/a', problems: [] });
  const open = await daemon.request(2);
  expect(open).toMatchObject({ method: 'scopelight/openRun', params: { path: '/w/.scopelight/a' } });
  open.answer({ ...opened('/w/.scopelight/a'), summary: 'train.py: 30 steps of 6 ms.' });
  await running;
  expect(fake.messages.at(-1)?.text).toBe('train.py: 30 steps of 6 ms.');
  expect(remembered.addresses).toEqual(['localhost:9999']);
});

test('several jobs can be captured at once, those that could be harmed left out', async () => {
  const { daemon } = setUp();
  vi.mocked(window.showInputBox).mockResolvedValueOnce('2');
  const other = { ...JOB, pid: 14, address: 'localhost:9997' };
  await pick(daemon, [JOB, OLDER, other], 'All 2 at once');
  expect((await daemon.request(1)).params['addresses']).toEqual(['localhost:9999', 'localhost:9997']);
});

test('a job that a capture can freeze is asked only where that is meant', async () => {
  const { daemon } = setUp();
  const { running, offered } = await pick(daemon, [OLDER], 'train.py');
  expect(offered[0]?.detail).toContain('older than 0.9');
  await vi.waitFor(() => expect(fake.messages.at(-1)?.text).toContain('older than 0.9'));
  fake.messages.at(-1)?.press(undefined);
  await running;
  expect(daemon.asked).toHaveLength(1);

  vi.mocked(window.showInputBox).mockResolvedValueOnce('2');
  const again = setUp();
  await pick(again.daemon, [OLDER], 'train.py');
  await vi.waitFor(() => expect(fake.messages).toHaveLength(2));
  fake.messages.at(-1)?.press('Capture All the Same');
  expect((await again.daemon.request(1)).params).toMatchObject({ addresses: ['localhost:9998'], trusts: true });
});

test('an address is entered, and offered again', async () => {
  const memento = fakeMemento();
  const { daemon, remembered } = setUp(memento);
  vi.mocked(window.showInputBox).mockImplementationOnce((options) => {
    expect(options?.prompt).toContain('ssh -L 9999:localhost:9999');
    expect(options?.validateInput?.('nonsense')).toBeTruthy();
    expect(options?.validateInput?.('a:1, b:2')).toBeUndefined();
    return Promise.resolve('a:1, b:2');
  });
  vi.mocked(window.showInputBox).mockResolvedValueOnce('2');
  const { running } = await pick(daemon, [], 'Enter an Address…');
  const capture = await daemon.request(1);
  expect(capture.params['addresses']).toEqual(['a:1', 'b:2']);
  capture.answer({ path: null, problems: ['Nothing could be reached at a:1.', 'b:2 is at another capture.'] });
  await running;
  expect(fake.messages.at(-1)?.text).toBe('Nothing could be reached at a:1. b:2 is at another capture.');
  expect(remembered.addresses, 'nothing came from there').toEqual([]);

  await remembered.addAddresses(['a:1']);
  const again = setUp(memento);
  const { offered } = await pick(again.daemon, [JOB], 'none of them');
  expect(offered.map(({ label }) => label)).toEqual(['train.py', 'a:1', 'Enter an Address…']);
});

test('a job that does not listen is attached to, where its Python lets an agent in', async () => {
  const { daemon, remembered } = setUp();
  vi.mocked(window.showInputBox).mockResolvedValueOnce('0.5');
  const { running, offered } = await pick(daemon, [JOB], 'alone.py', [CLOSED, UNPREPARED]);
  expect(offered.map(({ label }) => label)).toEqual([
    'train.py',
    'alone.py',
    'Enter an Address…',
    '$(circle-slash) closed.py',
  ]);
  expect(offered[1]?.description).toBe('attach · process 15 · jaxlib 0.12.0');
  const capture = await daemon.request(1);
  expect(capture.method).toBe('scopelight/attachToJob');
  expect(capture.params).toMatchObject({ pid: 15, seconds: 0.5, folder: '/w' });
  expect(fake.progress.at(-1)?.title).toBe('Capturing alone.py');
  capture.answer({ path: '/w/.scopelight/b', problems: [] });
  const open = await daemon.request(2);
  expect(open).toMatchObject({ method: 'scopelight/openRun', params: { path: '/w/.scopelight/b' } });
  open.answer(opened('/w/.scopelight/b'));
  await running;
  expect(remembered.addresses).toEqual([]);
});

test('a job that lets no agent in says what to do', async () => {
  const { daemon } = setUp();
  const { running, offered } = await pick(daemon, [], '$(circle-slash) closed.py', [CLOSED]);
  expect(offered.at(-1)?.detail).toBe(CLOSED.refusal);
  await vi.waitFor(() => expect(fake.messages.at(-1)?.text).toBe(CLOSED.refusal));
  fake.messages.at(-1)?.press(undefined);
  await running;
  expect(daemon.asked).toHaveLength(1);
  expect(window.showInputBox).not.toHaveBeenCalled();
});

import { beforeEach, expect, test, vi } from 'vitest';
import { CancellationError, window } from 'vscode';
import { registerCaptureNow } from '../../../extension/src/capture/captureProgress';
import { DaemonError } from '../../../extension/src/daemon/connection';
import type { RunRecord } from '../../../extension/src/protocol';
import { Remembered } from '../../../extension/src/remembered';
import { registerCaptureAgain } from '../../../extension/src/runs/captureAgain';
import { OpenedProfiles } from '../../../extension/src/runs/openedProfiles';
import { RunsList } from '../../../extension/src/runs/runsList';
import { ShownRun } from '../../../extension/src/runs/shownRun';
import { fake, resetFake, silentLog, Uri, workspace } from '../vscode';
import { aRun } from '../features/aRun';
import { FakeDaemon, fakeMemento, opened } from '../features/fakeDaemon';

const LIVE = aRun({ path: '/w/.scopelight/live', is_live: true });
const OTHER = aRun({ path: '/w/.scopelight/other', is_live: true, args: ['--other'] });
const ENDED = aRun({ path: '/w/.scopelight/ended' });

beforeEach(() => {
  resetFake();
  vi.mocked(window.showQuickPick).mockReset();
  vi.mocked(window.createStatusBarItem).mockClear();
  workspace.workspaceFolders = [{ uri: Uri.file('/w'), name: 'w', index: 0 }];
});

function setUp() {
  const daemon = new FakeDaemon();
  const services = { daemon: daemon.connection, log: silentLog() } as never;
  const remembered = new Remembered(fakeMemento());
  const shown = new ShownRun(services, remembered);
  const list = new RunsList(services);
  const profiles = new OpenedProfiles(remembered);
  registerCaptureAgain(services, { list, shown, profiles, remembered, isPageInSight: () => true });
  registerCaptureNow(services, remembered, list);
  const item = vi.mocked(window.createStatusBarItem).mock.results[0]?.value as {
    show: ReturnType<typeof vi.fn>;
    hide: ReturnType<typeof vi.fn>;
  };
  return { daemon, shown, list, remembered, item };
}

const run = (command: string, ...args: unknown[]) => Promise.resolve(fake.commands.get(command)?.(...args));

/** Answers the request with this number, which asks for the runs. */
async function list(daemon: FakeDaemon, number: number, runs: readonly RunRecord[]): Promise<void> {
  const asked = await daemon.request(number);
  expect(asked.method).toBe('scopelight/runs');
  asked.answer({ runs, log_directories: [], experiments: [] });
}

test('another window of the only job that still runs is captured, with progress, and shown', async () => {
  const { daemon, shown } = setUp();
  const running = run('scopelight.captureAgainNow');
  await list(daemon, 0, [ENDED, LIVE]);
  const capture = await daemon.request(1);
  expect(capture).toMatchObject({ method: 'scopelight/captureAgain', params: { path: LIVE.path } });
  capture.progress({ message: 'step 2 of 5' });
  expect(fake.progress.at(-1)?.title).toBe('Capturing train.py again');
  expect(fake.progress.at(-1)?.reports).toContainEqual({ message: 'step 2 of 5' });
  capture.answer({});
  const open = await daemon.request(2);
  expect(open).toMatchObject({ method: 'scopelight/openRun', params: { path: LIVE.path } });
  open.answer({ ...opened(LIVE.path), summary: 'train.py: 5 steps of 6 ms.' });
  await list(daemon, 3, [ENDED, LIVE]);
  await running;
  expect(fake.messages.at(-1)?.text).toBe('train.py: 5 steps of 6 ms.');
  expect(shown.current?.path).toBe(LIVE.path);
});

test('of several jobs the one of the shown run is meant, else one is chosen', async () => {
  const { daemon, shown } = setUp();
  const open = shown.open(`${OTHER.path}/plugins/profile/1`);
  (await daemon.request(0)).answer(opened(`${OTHER.path}/plugins/profile/1`));
  await open;
  void run('scopelight.captureAgainNow');
  await list(daemon, 1, [LIVE, OTHER]);
  expect((await daemon.request(2)).params['path']).toBe(OTHER.path);

  const again = setUp();
  let offered: string[] = [];
  vi.mocked(window.showQuickPick).mockImplementationOnce(async (items) => {
    const found = (await items) as unknown as { label: string }[];
    offered = found.map(({ label }) => label);
    return found[0];
  });
  void run('scopelight.captureAgainNow');
  await list(again.daemon, 0, [LIVE, ENDED, OTHER]);
  await list(again.daemon, 1, [LIVE, ENDED, OTHER]);
  expect((await again.daemon.request(2)).params['path']).toBe(LIVE.path);
  expect(offered).toEqual(['train.py', 'train.py --other']);
});

test('where no job runs any more a sentence says what to do, and what the daemon says is told', async () => {
  const { daemon } = setUp();
  const none = run('scopelight.captureAgainNow');
  await list(daemon, 0, [ENDED]);
  await none;
  expect(fake.messages.at(-1)?.text).toMatch(/^No job that was captured still runs: /u);
  const ended = run('scopelight.captureAgainNow', { kind: 'run', run: LIVE, name: 'train.py' });
  (await daemon.request(1)).refuse(new DaemonError('The job of live is captured no more.'));
  await ended;
  expect(fake.messages.at(-1)?.text).toBe('The job of live is captured no more.');
});

test('to cancel is no failure, and opens nothing', async () => {
  const { daemon } = setUp();
  const running = run('scopelight.captureAgainNow', { kind: 'run', run: LIVE, name: 'train.py' });
  await list(daemon, 0, [LIVE]);
  (await daemon.request(1)).refuse(new CancellationError());
  await running;
  expect(fake.messages).toEqual([]);
  expect(daemon.asked).toHaveLength(2);
});

test('the status bar offers it while the job of the shown run, or of a window of it, still runs', async () => {
  const { daemon, shown, list: runs, item } = setUp();
  const refresh = async (number: number, records: readonly RunRecord[]) => {
    const refreshing = runs.refresh();
    await list(daemon, number, records);
    await refreshing;
  };
  await refresh(0, [LIVE, ENDED]);
  expect(item.show).not.toHaveBeenCalled();
  const open = shown.open(`${LIVE.path}/plugins/profile/1`);
  (await daemon.request(1)).answer(opened(`${LIVE.path}/plugins/profile/1`));
  await open;
  expect(item.show).toHaveBeenCalledTimes(1);
  item.hide.mockClear();
  await refresh(2, [{ ...LIVE, is_live: false }, ENDED]);
  expect(item.hide).toHaveBeenCalled();
});

test('Capture Now opens the window of a capture of this editor, and takes that of a job which another began', async () => {
  const waiting = aRun({ path: '/w/.scopelight/waiting', state: 'running' });
  const { daemon, remembered } = setUp();
  const running = run('scopelight.captureNow');
  await list(daemon, 0, [ENDED, waiting]);
  const taken = await daemon.request(1);
  expect(taken).toMatchObject({ method: 'scopelight/captureAgain', params: { path: waiting.path } });
  expect(fake.progress.at(-1)?.title).toBe('Capturing train.py');
  taken.refuse(new CancellationError());
  await running;

  await remembered.setCapture({ path: waiting.path } as never);
  void run('scopelight.captureNow', { kind: 'run', run: waiting, name: 'train.py' });
  await vi.waitFor(() => expect(daemon.asked.at(-1)?.method).toBe('scopelight/captureNow'));
  expect(daemon.asked.at(-1)?.params).toEqual({ path: waiting.path });
});

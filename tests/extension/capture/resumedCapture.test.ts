import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Captures } from '../../../extension/src/capture/captures';
import { resumeCaptures } from '../../../extension/src/capture/resumedCapture';
import { DaemonError } from '../../../extension/src/daemon/connection';
import { Remembered } from '../../../extension/src/remembered';
import { ShownRun } from '../../../extension/src/runs/shownRun';
import { CancellationTokenSource, fake, resetFake, silentLog, window, workspace } from '../vscode';
import { FakeDaemon, fakeMemento, opened } from '../features/fakeDaemon';

const OUT = '/w/.scopelight/20260101-000000-train';

let left: ChildProcess | undefined;
let cancels: (() => void)[] = [];

beforeEach(() => {
  resetFake();
  cancels = [];
  workspace.fs.stat.mockReset().mockResolvedValue({});
  vi.spyOn(window, 'withProgress').mockImplementation((options, task) => {
    const source = new CancellationTokenSource();
    const reports: { message?: string }[] = [];
    fake.progress.push({ title: options.title ?? '', reports });
    cancels.push(() => source.cancel());
    return task({ report: (value) => reports.push(value) }, source.token);
  });
});

afterEach(() => {
  left?.kill('SIGKILL');
  left = undefined;
  vi.restoreAllMocks();
});

/** The process of a capture that an earlier window has started in a terminal of its own. */
async function startCapture(): Promise<number> {
  left = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)', '--', '--out', OUT], {
    detached: true,
  });
  await once(left.stdout as NodeJS.ReadableStream, 'data');
  return left.pid as number;
}

/** A window in whose workspace a capture was begun before it was loaded. */
async function reloaded(pid: number | null) {
  const daemon = new FakeDaemon();
  const log = silentLog() as never;
  const remembered = new Remembered(fakeMemento());
  await remembered.setCapture({ path: OUT, title: 'train.py', pid });
  const shown = new ShownRun({ daemon: daemon.connection, log }, remembered);
  const captures = new Captures();
  const retention = { apply: vi.fn(() => Promise.resolve()) };
  const parts = { shown, remembered, captures, retention: retention as never };
  const resuming = resumeCaptures({ daemon: daemon.connection, log } as never, parts);
  return { daemon, remembered, shown, captures, retention, resuming };
}

describe('a capture that goes on while the window is reloaded', () => {
  test('is followed, opened and told as any other', async () => {
    const { daemon, remembered, shown, captures, retention, resuming } = await reloaded(await startCapture());
    const follow = await daemon.request(0);
    expect(follow).toMatchObject({ method: 'scopelight/followCapture', params: { path: OUT } });
    expect(captures.active.map(({ title }) => title)).toEqual(['train.py']);
    follow.progress({ message: 'step 3 of 5' });
    expect(fake.progress).toMatchObject([
      { title: 'Profiling train.py', reports: [{ message: 'starting' }, { message: 'step 3 of 5' }] },
    ]);
    follow.answer({ path: OUT, stage: 'captured', failure: null, error: null });
    (await daemon.request(1)).answer(opened(OUT));
    await resuming;
    expect(shown.current?.path).toBe(OUT);
    expect(fake.messages.at(-1)?.text).toBe(opened('').summary);
    expect(remembered.captures).toEqual([]);
    expect(captures.active).toEqual([]);
    expect(retention.apply).toHaveBeenCalledWith('/w');
  });

  test('is interrupted by Cancel, as in its terminal', async () => {
    const { daemon, resuming } = await reloaded(await startCapture());
    const follow = await daemon.request(0);
    const exited = once(left as ChildProcess, 'exit');
    cancels[0]?.();
    expect(await exited).toEqual([null, 'SIGINT']);
    follow.answer({ path: OUT, stage: 'failed', failure: 'The script ended.', error: null });
    await resuming;
    expect(fake.messages.at(-1)).toMatchObject({ kind: 'information' });
  });

  test('and ends before it has a run is told', async () => {
    workspace.fs.stat.mockRejectedValue(new Error('no file'));
    const { daemon, remembered, resuming } = await reloaded(await startCapture());
    await daemon.request(0);
    left?.kill();
    await resuming;
    expect(fake.messages.at(-1)).toMatchObject({ kind: 'error' });
    expect(remembered.captures).toEqual([]);
  });
});

describe('a capture that ended while the window was reloaded', () => {
  test('is opened where it left a profile', async () => {
    const { daemon, remembered, shown, resuming } = await reloaded(null);
    (await daemon.request(0)).answer({ path: OUT, stage: 'captured', failure: null, error: null });
    (await daemon.request(1)).answer({ path: OUT, stage: 'captured', failure: null, error: null });
    (await daemon.request(2)).answer(opened(OUT));
    await resuming;
    expect(shown.current?.path).toBe(OUT);
    expect(remembered.captures).toEqual([]);
  });

  test('is forgotten without a word where it left none', async () => {
    const { daemon, remembered, resuming } = await reloaded(null);
    (await daemon.request(0)).answer({ path: OUT, stage: 'failed', failure: 'It stopped.', error: null });
    await resuming;
    expect(remembered.captures).toEqual([]);
    expect([fake.messages, fake.progress]).toEqual([[], []]);
  });

  test('is forgotten where it had no run, also where another process has its id by now', async () => {
    workspace.fs.stat.mockRejectedValue(new Error('no file'));
    const { daemon, remembered, resuming } = await reloaded(process.pid);
    await resuming;
    expect(remembered.captures).toEqual([]);
    expect(daemon.asked).toEqual([]);
  });

  test('stays remembered, without a word, where there is no daemon to ask', async () => {
    const { daemon, remembered, resuming } = await reloaded(null);
    daemon.state = 'missing';
    (await daemon.request(0)).refuse(new DaemonError('no daemon'));
    await resuming;
    expect(remembered.captures).toHaveLength(1);
    expect(fake.messages).toEqual([]);
  });
});

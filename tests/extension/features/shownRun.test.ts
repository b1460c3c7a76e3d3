import { beforeEach, describe, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode';
import { DaemonError, DaemonStoppedError } from '../../../extension/src/daemon/connection';
import { Remembered } from '../../../extension/src/remembered';
import { ShownRun } from '../../../extension/src/runs/shownRun';
import { fake, resetFake, silentLog } from '../vscode';
import { FakeDaemon, fakeMemento, opened } from './fakeDaemon';

beforeEach(resetFake);

function setUp(shownBefore?: string) {
  const daemon = new FakeDaemon();
  const remembered = new Remembered(fakeMemento());
  void remembered.setShownRun(shownBefore);
  const shown = new ShownRun({ daemon: daemon.connection, log: silentLog() as never }, remembered);
  return { daemon, remembered, shown };
}

describe('the run that is shown', () => {
  test('is remembered, and told to the menus', async () => {
    const { daemon, remembered, shown } = setUp();
    const opening = shown.open('/runs/a');
    (await daemon.request(0)).answer(opened('/runs/a'));
    await opening;
    expect(shown.current?.path).toBe('/runs/a');
    expect(remembered.shownRun).toBe('/runs/a');
    expect(fake.contexts.get('scopelight.hasShownRun')).toBe(true);
    expect(fake.contexts.get('scopelight.shownRunLacks.timeline')).toBe(false);
    daemon.notify('scopelight/shownRun', { run: opened('/runs/b', { has: ['executions', 'programs'] }) });
    expect(fake.contexts.get('scopelight.shownRunLacks.timeline')).toBe(true);
    expect(fake.contexts.get('scopelight.shownRunLacks.graph')).toBe(false);
  });

  test('stays when another cannot be opened', async () => {
    const { daemon, remembered, shown } = setUp('/runs/a');
    daemon.notify('scopelight/shownRun', { run: opened('/runs/a') });
    const opening = shown.open('/runs/b');
    (await daemon.request(0)).refuse(new DaemonError('b is damaged'));
    await expect(opening).rejects.toThrow('b is damaged');
    expect(shown.current?.path).toBe('/runs/a');
    expect(remembered.shownRun).toBe('/runs/a');
  });

  test('is asked for again where the daemon stopped while it opened it', async () => {
    const { daemon, shown } = setUp();
    const opening = shown.open('/runs/a');
    (await daemon.request(0)).refuse(new DaemonStoppedError('stopped'));
    const again = await daemon.request(1);
    expect(again.params).toMatchObject({ path: '/runs/a' });
    again.answer(opened('/runs/a'));
    expect((await opening).path).toBe('/runs/a');
  });

  test('is not asked for for ever where it stops the daemon each time', async () => {
    const { daemon, shown } = setUp();
    const opening = shown.open('/runs/a');
    for (const number of [0, 1, 2]) {
      (await daemon.request(number)).refuse(new DaemonStoppedError('stopped'));
    }
    await expect(opening).rejects.toThrow('stopped');
    expect(daemon.asked).toHaveLength(3);
  });

  test('is not asked for again where the user cancelled', async () => {
    const { daemon, shown } = setUp();
    const source = new CancellationTokenSource();
    const opening = shown.open('/runs/a', { token: source.token });
    source.cancel();
    await expect(opening).rejects.toThrow('Canceled');
    expect(daemon.asked).toHaveLength(1);
  });

  test('is opened again by a daemon that was started again', async () => {
    const { daemon, shown } = setUp('/runs/a');
    daemon.become('restarting');
    daemon.become('running');
    const again = await daemon.request(0);
    expect(again).toMatchObject({ method: 'scopelight/openRun', params: { path: '/runs/a' } });
    again.answer(opened('/runs/a'));
    await expect.poll(() => shown.current?.path).toBe('/runs/a');
  });

  test('is forgotten where the daemon looked and could not open it, and not where it could not look', async () => {
    const { daemon, remembered, shown } = setUp('/runs/gone');
    daemon.state = 'missing';
    const quiet = shown.restore();
    (await daemon.request(0)).refuse(new DaemonError('no daemon'));
    await quiet;
    expect(remembered.shownRun).toBe('/runs/gone');
    daemon.state = 'running';
    const told: unknown[] = [];
    shown.onDidChange((run) => told.push(run));
    const restoring = shown.restore();
    (await daemon.request(1)).refuse(new DaemonError('There is no run'));
    await restoring;
    expect(remembered.shownRun).toBeUndefined();
    expect(told).toEqual([null]);
  });

  test('is restored without an offer to install the daemon, which only who opens a run is made', async () => {
    const { daemon, shown } = setUp('/runs/a');
    daemon.state = 'missing';
    const restoring = shown.restore();
    const quiet = await daemon.request(0);
    expect(quiet.isQuiet).toBe(true);
    quiet.refuse(new DaemonError('no daemon'));
    await restoring;
    void shown.open('/runs/a').catch(() => undefined);
    expect((await daemon.request(1)).isQuiet).toBe(false);
  });

  test('is none after it was cleared, also after a reload', async () => {
    const { daemon, remembered, shown } = setUp('/runs/a');
    daemon.notify('scopelight/shownRun', { run: opened('/runs/a') });
    const clearing = shown.clear();
    (await daemon.request(0)).answer({});
    await clearing;
    expect(daemon.asked[0]?.method).toBe('scopelight/closeRun');
    expect(shown.current).toBeNull();
    expect(remembered.shownRun).toBeUndefined();
    expect(fake.contexts.get('scopelight.hasShownRun')).toBe(false);
  });
});

describe('what is remembered of targets', () => {
  const script = (path: string) => ({ kind: 'script', path }) as const;

  test('is the latest first, each once, and no more than are offered', async () => {
    const remembered = new Remembered(fakeMemento());
    for (let number = 0; number < 15; number++) {
      await remembered.setLatest(script(`/w/${number}.py`));
    }
    await remembered.setLatest(script('/w/9.py'));
    expect(remembered.targets).toHaveLength(10);
    expect(remembered.targets[0]).toEqual(script('/w/9.py'));
    expect(remembered.targets.filter((each) => each.kind === 'script' && each.path === '/w/9.py')).toHaveLength(1);
  });

  test('are the answers for each target by itself', async () => {
    const remembered = new Remembered(fakeMemento());
    const configuration = { kind: 'configuration', folder: 'file:///w', name: 'Train' } as const;
    await remembered.setAnswers(script('/w/a.py'), { args: '--x', window: { kind: 'whole' } });
    await remembered.setAnswers(configuration, { args: '', window: { kind: 'settings' } });
    expect(remembered.answers(script('/w/a.py'))).toEqual({ args: '--x', window: { kind: 'whole' } });
    expect(remembered.answers(configuration)?.window).toEqual({ kind: 'settings' });
    expect(remembered.answers(script('/w/b.py'))).toBeUndefined();
  });
});

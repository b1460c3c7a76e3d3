import { beforeEach, describe, expect, test, vi } from 'vitest';
import { runCapture } from '../../../extension/src/capture/captureSession';
import { DaemonError } from '../../../extension/src/daemon/connection';
import { Remembered } from '../../../extension/src/remembered';
import { ShownRun } from '../../../extension/src/runs/shownRun';
import { aRun } from '../features/aRun';
import { FakeDaemon, fakeMemento, opened } from '../features/fakeDaemon';
import { aFinding } from '../panels/shared/madeFindings';
import { fake, silentLog } from '../vscode';
import { ended, ERROR, execution, lastMessage, notifications, prepareEditor, request, setUp } from './startedCapture';

beforeEach(prepareEditor);

describe('a capture that compiles for a TPU', () => {
  const PREDICTED = { ...request, title: 'train.py for v5e-8', preflight: { tpu: 'v5e-8', observes: false } };
  const captured = (path: unknown) => ({ path, stage: 'captured', failure: null, out_of_memory: false, error: null });

  test('speaks of compiling, to its end and where it is cancelled', async () => {
    const { daemon, capturing, remembered } = setUp(PREDICTED);
    const follow = await daemon.request(0);
    notifications[0]?.cancel();
    await vi.waitFor(() => expect(notifications).toHaveLength(2));
    expect(notifications.map(({ title, messages }) => [title, messages])).toEqual([
      ['Compiling train.py for v5e-8', ['starting']],
      ['Stopping train.py for v5e-8', ['keeping what was compiled']],
    ]);
    follow.answer({ path: '/w/run', stage: 'failed', failure: 'It ended.', out_of_memory: false, error: null });
    await capturing;
    expect(lastMessage()?.text).toBe('train.py for v5e-8 was stopped before anything was compiled.');
    expect(remembered.captures).toEqual([]);
  });

  test('says of a script that failed that it did, and no more, beside what was found', async () => {
    const { daemon, shown, capturing } = setUp(PREDICTED);
    const follow = await daemon.request(0);
    follow.answer(captured(follow.params['path']));
    (await daemon.request(1)).answer(opened('/w/run'));
    ended.fire({ execution, exitCode: 1 });
    (await daemon.request(2)).answer({ runs: [aRun({ path: String(follow.params['path']), error: ERROR })] });
    await capturing;
    expect(fake.messages.map(({ text }) => text)).toEqual([
      'train.py for v5e-8 ended with ValueError: negative (model.py:12); the lines are of what it compiled before.',
    ]);
    expect(shown.current?.path).toBe('/w/run');
    expect(fake.executed.map(({ command }) => command)).toContain('scopelight.hotLines.focus');
  });

  test('says what it found of a script that ended well', async () => {
    const { daemon, capturing } = setUp(PREDICTED);
    const follow = await daemon.request(0);
    follow.answer(captured(follow.params['path']));
    (await daemon.request(1)).answer(opened('/w/run'));
    ended.fire({ execution, exitCode: 0 });
    (await daemon.request(2)).answer({ runs: [aRun({ path: String(follow.params['path']) })] });
    await capturing;
    expect(fake.messages.map(({ text }) => text)).toEqual([opened('/w/run').summary]);
  });

  describe('while another run came to be shown', () => {
    /** A prediction, and a run that the user selects meanwhile. */
    async function selectOther() {
      const parts = setUp(PREDICTED);
      const follow = await parts.daemon.request(0);
      const selecting = parts.shown.open('/w/other');
      (await parts.daemon.request(1)).answer(opened('/w/other'));
      await selecting;
      fake.executed.length = 0;
      follow.answer(captured(follow.params['path']));
      return { ...parts, path: String(follow.params['path']) };
    }

    test('leaves that shown, and offers its own', async () => {
      const { daemon, shown, capturing, path } = await selectOther();
      ended.fire({ execution, exitCode: 0 });
      (await daemon.request(2)).answer({ runs: [aRun({ path })] });
      expect(await capturing).toMatchObject({ isCaptured: true });
      expect(shown.current?.path).toBe('/w/other');
      expect(fake.executed.filter(({ command }) => command.startsWith('scopelight.'))).toEqual([]);
      expect(fake.messages).toMatchObject([
        { text: 'train.py for v5e-8 was compiled. Another run is shown.', buttons: ['Show'] },
      ]);
      lastMessage()?.press('Show');
      const open = await daemon.request(3);
      expect(open).toMatchObject({ method: 'scopelight/openRun', params: { path } });
      open.answer(opened(path));
      await vi.waitFor(() => expect(lastMessage()?.text).toBe(opened('').summary));
      expect(shown.current?.path).toBe(path);
    });

    test('offers its own also where the script failed, and says that alone', async () => {
      const { daemon, shown, capturing, path } = await selectOther();
      ended.fire({ execution, exitCode: 1 });
      (await daemon.request(2)).answer({ runs: [aRun({ path, error: ERROR })] });
      await capturing;
      expect(shown.current?.path).toBe('/w/other');
      expect(fake.messages).toHaveLength(1);
      expect(lastMessage()?.text).toMatch(/^train\.py for v5e-8 ended with ValueError/u);
      expect(lastMessage()?.buttons).toEqual(['Show', 'Go to Line 12', 'Show Terminal']);
      lastMessage()?.press('Show');
      (await daemon.request(3)).answer(opened(path));
      await vi.waitFor(() =>
        expect(fake.executed.map(({ command }) => command)).toContain('scopelight.hotLines.focus'),
      );
      expect(fake.messages).toHaveLength(1);
    });

    test('says why its own cannot be opened', async () => {
      const { daemon, capturing, path } = await selectOther();
      ended.fire({ execution, exitCode: 0 });
      (await daemon.request(2)).answer({ runs: [aRun({ path })] });
      await capturing;
      lastMessage()?.press('Show');
      (await daemon.request(3)).refuse(new DaemonError('The run is gone.'));
      await vi.waitFor(() => expect(lastMessage()).toMatchObject({ kind: 'error', text: 'The run is gone.' }));
    });
  });

  test('shows its run where the one that was shown as it began still is', async () => {
    const daemon = new FakeDaemon();
    const log = silentLog() as never;
    const remembered = new Remembered(fakeMemento());
    const shown = new ShownRun({ daemon: daemon.connection, log }, remembered);
    const selecting = shown.open('/w/other');
    (await daemon.request(0)).answer(opened('/w/other'));
    await selecting;
    const capturing = runCapture({ daemon: daemon.connection, log } as never, { shown, remembered }, PREDICTED);
    const follow = await daemon.request(1);
    const path = String(follow.params['path']);
    follow.answer(captured(path));
    (await daemon.request(2)).answer(opened(path));
    ended.fire({ execution, exitCode: 0 });
    (await daemon.request(3)).answer({ runs: [aRun({ path })] });
    await capturing;
    expect(shown.current?.path).toBe(path);
  });

  test('leads from a failed script to what matters of what it compiled', async () => {
    const { daemon, capturing } = setUp(PREDICTED);
    const follow = await daemon.request(0);
    follow.answer(captured(follow.params['path']));
    const action = { command: 'show-view', arguments: { view: 'compatibility' } };
    const refused = aFinding('warning', 'Refused.', { code: 'prediction-refused-ops', action });
    (await daemon.request(1)).answer(opened('/w/run', { predicted_for: 'TPU v5e', findings: [refused] }));
    ended.fire({ execution, exitCode: 1 });
    (await daemon.request(2)).answer({ runs: [aRun({ path: String(follow.params['path']), error: ERROR })] });
    await capturing;
    expect(lastMessage()?.buttons).toEqual(['Show Compatibility', 'Go to Line 12', 'Show Terminal']);
  });
});

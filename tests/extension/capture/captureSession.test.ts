import { OPEN_BESIDE } from '../../../extension/src/panels/panelList';
import { anEmpty } from '../panels/shared/madeFindings';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DaemonStoppedError } from '../../../extension/src/daemon/connection';
import { fake, workspace } from '../vscode';
import { aRun } from '../features/aRun';
import { opened } from '../features/fakeDaemon';
import {
  ended,
  ERROR,
  execution,
  lastMessage,
  MAKING,
  notifications,
  prepareEditor,
  request,
  setUp,
  started,
} from './startedCapture';

beforeEach(prepareEditor);

const OUT_OF_MEMORY = 'train.py ran out of memory: train.py:12 asked for 1.2 TiB.';

function openedPanels() {
  return fake.executed
    .map(({ command }) => command)
    .filter((command) => command.startsWith('scopelight.open') && command !== OPEN_BESIDE);
}

describe('a capture', () => {
  test('tells how far it is, and ends with the sentence of its run', async () => {
    const { daemon, shown, capturing } = setUp();
    const follow = await daemon.request(0);
    expect(follow.method).toBe('scopelight/followCapture');
    follow.progress({ message: 'compiling (3 programs)' });
    follow.progress({ message: 'step 3 of 5' });
    follow.answer({ path: follow.params['path'], stage: 'captured', failure: null, out_of_memory: false, error: null });
    const open = await daemon.request(1);
    expect(open).toMatchObject({ method: 'scopelight/openRun', params: { path: follow.params['path'] } });
    await vi.waitFor(() => expect(notifications).toHaveLength(2));
    open.progress({ message: 'compiling the reader (once)' });
    open.answer(opened('/w/run'));
    await capturing;
    expect(notifications.map(({ title, messages }) => [title, messages])).toEqual([
      ['Profiling train.py', ['starting', 'compiling (3 programs)', 'step 3 of 5']],
      ['Profiling train.py', ['analysing', 'compiling the reader (once)']],
    ]);
    expect(shown.current?.path).toBe('/w/run');
    expect(lastMessage()?.text).toBe(opened('').summary);
  });

  test('leads to what was predicted of its run', async () => {
    const { daemon, capturing } = setUp();
    const follow = await daemon.request(0);
    follow.answer({ path: follow.params['path'], stage: 'captured', failure: null, out_of_memory: false, error: null });
    (await daemon.request(1)).answer(opened('/w/run', { predicted_by: '/w/predicted' }));
    await capturing;
    expect(lastMessage()?.buttons).toContain('Beside the Prediction');
    lastMessage()?.press('Beside the Prediction');
    await vi.waitFor(() =>
      expect(fake.executed).toContainEqual({
        command: 'scopelight.comparePredictions',
        args: [['/w/predicted', '/w/run']],
      }),
    );
  });

  test('that is one of several opens nothing and says nothing, but where the script failed', async () => {
    const { daemon, shown, remembered, capturing } = setUp(request, true);
    const follow = await daemon.request(0);
    const { path } = follow.params;
    follow.answer({ path, stage: 'captured', failure: null, out_of_memory: false, error: null });
    expect(await capturing).toEqual({ out: path, isCaptured: true, isCancelled: false });
    expect(shown.current).toBeNull();
    expect(fake.messages).toEqual([]);
    expect(remembered.captures).toEqual([]);
    ended.fire({ execution, exitCode: 1 });
    (await daemon.request(1)).answer({ runs: [aRun({ path: String(path) })] });
    await vi.waitFor(() => expect(lastMessage()?.text).toMatch(/^train\.py ended with exit code 1/u));
  });

  test('shows no further notification where its run is opened at once, for its sentence not to be one too many', async () => {
    const { daemon, capturing } = setUp();
    const follow = await daemon.request(0);
    follow.answer({ path: follow.params['path'], stage: 'captured', failure: null, out_of_memory: false, error: null });
    (await daemon.request(1)).answer(opened('/w/run'));
    await capturing;
    expect(notifications).toHaveLength(1);
    expect(lastMessage()?.text).toBe(opened('').summary);
  });

  test('can be kept from opening its run, also where that takes long', async () => {
    const { daemon, shown, capturing } = setUp();
    const follow = await daemon.request(0);
    follow.answer({ path: follow.params['path'], stage: 'captured', failure: null, out_of_memory: false, error: null });
    const open = await daemon.request(1);
    await vi.waitFor(() => expect(notifications).toHaveLength(2));
    notifications[1]?.cancel();
    await expect(capturing).rejects.toThrow();
    expect(open.token?.isCancellationRequested).toBe(true);
    expect(shown.current).toBeNull();
  });

  test('is remembered until its end is told, and longer where the connection ends with the window', async () => {
    const one = setUp();
    const follow = await one.daemon.request(0);
    const { path } = follow.params;
    started.fire({ execution, processId: 4711 });
    await vi.waitFor(() => expect(one.remembered.captures).toHaveLength(1));
    expect(one.remembered.captures).toEqual([{ path, title: 'train.py', pid: 4711, isPreflight: false }]);
    follow.answer({ path, stage: 'failed', failure: 'No trace could be taken.', out_of_memory: false, error: null });
    ended.fire({ execution, exitCode: 70 });
    await one.capturing;
    expect(one.remembered.captures).toEqual([]);

    const other = setUp();
    await other.daemon.request(0);
    started.fire({ execution, processId: 4712 });
    for (const number of [0, 1, 2]) {
      (await other.daemon.request(number)).refuse(new DaemonStoppedError('stopped'));
    }
    await expect(other.capturing).rejects.toThrow('stopped');
    expect(other.remembered.captures).toHaveLength(1);
  });

  test('says so where the script failed after its lines were measured', async () => {
    const { daemon, capturing } = setUp();
    const follow = await daemon.request(0);
    follow.answer({ path: follow.params['path'], stage: 'captured', failure: null, out_of_memory: false, error: null });
    (await daemon.request(1)).answer(opened('/w/run'));
    expect(await capturing).toMatchObject({ isCaptured: true, isCancelled: false });
    expect(lastMessage()?.text).toBe(opened('').summary);
    ended.fire({ execution, exitCode: 1 });
    const runs = await daemon.request(2);
    expect(runs.method).toBe('scopelight/runs');
    runs.answer({ runs: [aRun({ path: String(follow.params['path']) })] });
    await vi.waitFor(() =>
      expect(lastMessage()?.text).toBe('train.py ended with exit code 1; the lines are of what ran before.'),
    );
    expect(openedPanels()).toEqual([]);
  });

  test.each([
    [3, 'train.py ended with exit code 3; the lines are of what ran before.'],
    [137, /^train\.py was ended by a kill, .* want of memory \(SIGKILL\); the lines are of what ran before\.$/u],
    [134, 'train.py was ended by an abort (SIGABRT); the lines are of what ran before.'],
  ])('names the exit code, or the signal in words, and offers what mends it (%i)', async (exitCode, said) => {
    const { daemon, capturing } = setUp();
    const follow = await daemon.request(0);
    follow.answer({ path: follow.params['path'], stage: 'captured', failure: null, out_of_memory: false, error: null });
    (await daemon.request(1)).answer(opened('/w/run'));
    await capturing;
    ended.fire({ execution, exitCode });
    (await daemon.request(2)).answer({ runs: [aRun({ path: String(follow.params['path']) })] });
    await vi.waitFor(() => expect(lastMessage()?.kind).toBe('warning'));
    expect(lastMessage()?.text).toMatch(said);
    expect(lastMessage()?.buttons).toContain('Change Arguments…');
    lastMessage()?.press('Change Arguments…');
    await vi.waitFor(() =>
      expect(fake.executed).toContainEqual({
        command: 'scopelight.changeArguments',
        args: [follow.params['path']],
      }),
    );
  });

  test('of a configuration that ended with an exit code leads to its arguments', async () => {
    workspace.fs.stat.mockRejectedValue(new Error('no file'));
    const target = { kind: 'configuration', folder: 'file:///w', name: 'Wide' } as const;
    const { daemon, capturing } = setUp({ ...request, making: { ...MAKING, target } });
    await daemon.request(0);
    ended.fire({ execution, exitCode: 2 });
    await capturing;
    expect(lastMessage()?.buttons).toEqual(['Open launch.json', 'Show Terminal']);
  });

  test('opens Memory Profile where nothing was captured because memory ran out', async () => {
    const { daemon, shown, capturing } = setUp();
    const follow = await daemon.request(0);
    const { path } = follow.params;
    follow.answer({ path, stage: 'failed', failure: 'The script failed.', out_of_memory: true, error: null });
    (await daemon.request(1)).answer(
      opened('/w/run', { out_of_memory: OUT_OF_MEMORY, findings: anEmpty('Nothing ran.') }),
    );
    expect(await capturing).toMatchObject({ isCaptured: false });
    expect(shown.current?.path).toBe('/w/run');
    expect(openedPanels()).toEqual(['scopelight.openMemoryProfile']);
    expect(lastMessage()).toMatchObject({ kind: 'error', text: OUT_OF_MEMORY });
  });

  // A thread may run out of it in a script that goes on and ends well.
  test.each([1, 0])(
    'opens Memory Profile where memory ran out after the lines were measured (%i)',
    async (exitCode) => {
      const { daemon, capturing } = setUp();
      const follow = await daemon.request(0);
      const { path } = follow.params;
      follow.answer({ path, stage: 'captured', failure: null, out_of_memory: false, error: null });
      (await daemon.request(1)).answer(opened('/w/run'));
      await capturing;
      ended.fire({ execution, exitCode });
      (await daemon.request(2)).answer({ runs: [aRun({ path: String(path), out_of_memory: true })] });
      const again = await daemon.request(3);
      expect(again).toMatchObject({ method: 'scopelight/openRun', params: { path } });
      again.answer(opened('/w/run', { out_of_memory: OUT_OF_MEMORY }));
      await vi.waitFor(() => expect(lastMessage()).toMatchObject({ kind: 'error', text: OUT_OF_MEMORY }));
      expect(openedPanels()).toEqual(['scopelight.openMemoryProfile']);
    },
  );

  test('says no more of a script that ended well', async () => {
    const { daemon, capturing } = setUp();
    const follow = await daemon.request(0);
    const { path } = follow.params;
    follow.answer({ path, stage: 'captured', failure: null, out_of_memory: false, error: null });
    (await daemon.request(1)).answer(opened('/w/run'));
    await capturing;
    const told = fake.messages.length;
    ended.fire({ execution, exitCode: 0 });
    (await daemon.request(2)).answer({ runs: [aRun({ path: String(path), out_of_memory: false })] });
    await new Promise((resolve) => setImmediate(resolve));
    expect(fake.messages).toHaveLength(told);
    expect(openedPanels()).toEqual([]);
  });

  test('says why where nothing was captured', async () => {
    const { daemon, capturing } = setUp();
    const follow = await daemon.request(0);
    follow.answer({
      path: '/w/run',
      stage: 'failed',
      failure: 'No trace could be taken.',
      out_of_memory: false,
      error: null,
    });
    ended.fire({ execution, exitCode: 70 });
    await capturing;
    expect(lastMessage()).toMatchObject({
      kind: 'error',
      text: 'No trace could be taken.',
      buttons: ['Profile Again', 'Show Terminal'],
    });
    expect(daemon.asked).toHaveLength(1);
  });

  test('names the exception that ended a script, and leads to its line', async () => {
    const { daemon, capturing } = setUp();
    const follow = await daemon.request(0);
    follow.answer({ path: '/w/run', stage: 'failed', failure: 'It failed.', out_of_memory: false, error: ERROR });
    await capturing;
    expect(lastMessage()).toMatchObject({
      kind: 'error',
      text: 'train.py ended before anything was captured: ValueError: negative (model.py:12).',
      buttons: ['Go to Line 12', 'Show Terminal'],
    });
  });

  test('says what a script lacks that cannot import something', async () => {
    const { daemon, capturing } = setUp();
    const follow = await daemon.request(0);
    const error = { ...ERROR, kind: 'ModuleNotFoundError', message: "No module named 'flax'", module: 'flax.linen' };
    follow.answer({ path: '/w/run', stage: 'failed', failure: 'It failed.', out_of_memory: false, error });
    await capturing;
    expect(lastMessage()?.text).toMatch(/Install flax in its environment, or choose another interpreter\.$/);
    expect(lastMessage()?.buttons).toEqual(['Choose Interpreter…', 'Go to Line 12', 'Show Terminal']);
  });

  test('names the exception that ended a script after its lines were measured', async () => {
    const { daemon, capturing } = setUp();
    const follow = await daemon.request(0);
    const { path } = follow.params;
    follow.answer({ path, stage: 'captured', failure: null, out_of_memory: false, error: null });
    (await daemon.request(1)).answer(opened('/w/run'));
    await capturing;
    ended.fire({ execution, exitCode: 1 });
    (await daemon.request(2)).answer({ runs: [aRun({ path: String(path), error: ERROR })] });
    await vi.waitFor(() =>
      expect(lastMessage()?.text).toBe(
        'train.py ended with ValueError: negative (model.py:12); the lines are of what ran before.',
      ),
    );
    expect(lastMessage()?.buttons).toEqual(['Go to Line 12', 'Show Terminal']);
  });

  test('offers other arguments for an exception that has no line here', async () => {
    const { daemon, capturing } = setUp();
    const follow = await daemon.request(0);
    const error = { ...ERROR, path: null, line: null };
    follow.answer({ path: '/w/run', stage: 'failed', failure: 'It failed.', out_of_memory: false, error });
    await capturing;
    expect(lastMessage()?.buttons).toEqual(['Change Arguments…', 'Show Terminal']);
  });

  test('makes no link of what an exception says', async () => {
    const { daemon, capturing } = setUp();
    const follow = await daemon.request(0);
    const error = { ...ERROR, message: '[here](command:workbench.action.quit)' };
    follow.answer({ path: '/w/run', stage: 'failed', failure: 'It failed.', out_of_memory: false, error });
    await capturing;
    expect(lastMessage()?.text).not.toContain('](');
  });

  test.each([
    [65, 'does not exist', ['Profile With…', 'Show Terminal']],
    [66, 'does not start', ['Choose Interpreter…', 'Open Setting', 'Show Terminal']],
    [67, 'no jax', ['Choose Interpreter…', 'Show Terminal']],
    [68, 'without using jax', ['Profile With…', 'Show Terminal']],
    [69, 'cannot be written', ['Profile Again', 'Show Terminal']],
    [70, 'no trace could be taken', ['Profile Again', 'Show Terminal']],
    [2, 'train.py ended with exit code 2 before anything was captured.', ['Change Arguments…', 'Show Terminal']],
    [139, 'train.py was ended by a segmentation fault (SIGSEGV) before', ['Profile Again', 'Change Arguments…']],
    [undefined, 'train.py was ended before anything was captured.', ['Profile Again', 'Show Terminal']],
    [0, 'train.py was ended before anything was captured.', ['Profile Again', 'Show Terminal']],
  ])(
    'says why where its process ended before there was a run, and what mends it (%i)',
    async (exitCode, why, buttons) => {
      workspace.fs.stat.mockRejectedValue(new Error('no file'));
      const { daemon, capturing } = setUp();
      await daemon.request(0);
      ended.fire({ execution, exitCode });
      await capturing;
      expect(lastMessage()?.kind).toBe('error');
      expect(lastMessage()?.text).toContain(why);
      expect(lastMessage()?.buttons.slice(0, buttons.length)).toEqual(buttons);
    },
  );

  test('waits for the daemon where its process ended with a run', async () => {
    const { daemon, shown, capturing } = setUp();
    const follow = await daemon.request(0);
    ended.fire({ execution, exitCode: 1 });
    follow.answer({ path: '/w/run', stage: 'captured', failure: null, out_of_memory: false, error: null });
    (await daemon.request(1)).answer(opened('/w/run'));
    await capturing;
    expect(shown.current?.path).toBe('/w/run');
  });

  test('that is cancelled shows what was captured until then', async () => {
    const { daemon, shown, capturing } = setUp();
    const follow = await daemon.request(0);
    notifications[0]?.cancel();
    await vi.waitFor(() => expect(notifications).toHaveLength(2));
    expect(notifications[1]).toMatchObject({ title: 'Stopping train.py', messages: ['saving what was captured'] });
    follow.answer({ path: '/w/run', stage: 'captured', failure: null, out_of_memory: false, error: null });
    (await daemon.request(1)).answer(opened('/w/run'));
    await capturing;
    expect(shown.current?.path).toBe('/w/run');
  });

  test('that is cancelled before anything was captured is no error', async () => {
    const { daemon, capturing } = setUp();
    const follow = await daemon.request(0);
    notifications[0]?.cancel();
    await vi.waitFor(() => expect(notifications).toHaveLength(2));
    follow.answer({ path: '/w/run', stage: 'failed', failure: 'The script ended.', out_of_memory: false, error: null });
    await capturing;
    expect(lastMessage()?.kind).toBe('information');
  });

  test('that does not end is ended by a second cancel', async () => {
    const { daemon, capturing } = setUp();
    const follow = await daemon.request(0);
    notifications[0]?.cancel();
    await vi.waitFor(() => expect(notifications).toHaveLength(2));
    execution.terminate.mockClear();
    notifications[1]?.cancel();
    await vi.waitFor(() => expect(execution.terminate).toHaveBeenCalledOnce());
    follow.answer({ path: '/w/run', stage: 'failed', failure: 'ended', out_of_memory: false, error: null });
    await capturing;
  });
});

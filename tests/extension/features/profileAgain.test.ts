import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Captures } from '../../../extension/src/capture/captures';
import { registerProfileScript } from '../../../extension/src/capture/profileScript';
import { Remembered } from '../../../extension/src/remembered';
import type { Making } from '../../../extension/src/remembered';
import { fake, resetFake, silentLog, tasks, Uri, window, workspace } from '../vscode';
import { aRun } from './aRun';
import { FakeDaemon, fakeMemento } from './fakeDaemon';

const RUN = aRun({
  script: 'jobs/train.py',
  args: ['--name', 'two words'],
  python: '/env/bin/python',
  path: '/w/.scopelight/20260101-000000-train',
});
const WIDE: Making = {
  target: { kind: 'configuration', folder: 'file:///w', name: 'Wide' },
  answers: { args: '', window: { kind: 'seconds', seconds: 3 } },
};

beforeEach(() => {
  resetFake();
  workspace.fs.stat.mockResolvedValue({});
  workspace.workspaceFolders = [{ uri: Uri.file('/w'), name: 'w', index: 0 }];
  tasks.executeTask.mockReset().mockReturnValue(new Promise(() => undefined));
});

/** The commands, where a run is shown that was made in that way. */
async function register(making: Making, shownPath: string | undefined, run = RUN) {
  const remembered = new Remembered(fakeMemento());
  await remembered.setMaking(RUN.path, making);
  await remembered.setLatest(making.target);
  await remembered.setAnswers(making.target, making.answers);
  const daemon = new FakeDaemon();
  const services = {
    daemon: daemon.connection,
    log: silentLog(),
    scriptInterpreter: () => Promise.resolve('/usr/bin/python3'),
  };
  const shown = { current: shownPath === undefined ? null : { path: shownPath }, onDidChange: () => undefined };
  const list = { get: () => Promise.resolve([run]), refresh: () => Promise.resolve([run]) };
  registerProfileScript(
    services as never,
    { remembered, shown, list, captures: new Captures(), retention: { apply: () => undefined } } as never,
  );
  return daemon;
}

const again = () => fake.commands.get('scopelight.profileAgain')?.();

/** What the capture that was started runs. */
function started(): readonly string[] {
  const task = tasks.executeTask.mock.calls.at(-1)?.[0] as { execution: { args: readonly string[] } } | undefined;
  return task?.execution.args ?? [];
}

test('a run whose configuration is gone can be made again as it is recorded', async () => {
  await register(WIDE, RUN.path);
  void again();
  await vi.waitFor(() => expect(fake.messages).toHaveLength(1));
  expect(fake.messages[0]).toMatchObject({ buttons: ['Run as Recorded', 'Profile With…', 'Open launch.json'] });
  expect(fake.messages[0]?.text).toMatch(/no configuration “Wide” any more/u);
  expect(tasks.executeTask).not.toHaveBeenCalled();
  fake.messages[0]?.press('Run as Recorded');
  await vi.waitFor(() => expect(tasks.executeTask).toHaveBeenCalledOnce());
  expect(started().slice(-3)).toEqual(['jobs/train.py', '--name', 'two words']);
  expect(started().join(' '), 'by the interpreter and with the window of the run').toMatch(
    /--python \/env\/bin\/python --seconds 3 /u,
  );
});

describe('a run that was predicted', () => {
  const PREDICTED = aRun({ ...RUN, predicted_for: 'v5e-8' });
  const MADE: Making = {
    target: { kind: 'script', path: '/w/jobs/train.py' },
    answers: { args: '--batch 8', window: { kind: 'settings' } },
  };

  function choose(label: string): string[] {
    const offered: string[] = [];
    window.showQuickPick.mockImplementationOnce((items: readonly { readonly label: string }[]) => {
      offered.push(...items.map((each) => each.label));
      return Promise.resolve(items.find((each) => each.label === label));
    });
    return offered;
  }

  test('is predicted again for the same TPU, with the same arguments', async () => {
    const daemon = await register(MADE, RUN.path, PREDICTED);
    const offered = choose('Predict again for v5e-8');
    void again();
    const asked = await daemon.request(0);
    expect(asked.method).toBe('scopelight/compilerState');
    asked.answer({ problem: null, is_there: true, offered: [] });
    await vi.waitFor(() => expect(tasks.executeTask).toHaveBeenCalledOnce());
    expect(offered).toEqual(['Predict again for v5e-8', 'Profile on this machine’s devices']);
    expect(started().join(' ')).toMatch(/ preflight .*--tpu v5e-8 .*jobs\/train\.py --batch 8$/u);
  });

  test('is profiled here where that is chosen', async () => {
    await register(MADE, RUN.path, PREDICTED);
    choose('Profile on this machine’s devices');
    void again();
    await vi.waitFor(() => expect(tasks.executeTask).toHaveBeenCalledOnce());
    expect(started()).toContain('run');
    expect(started()).not.toContain('--tpu');
  });

  test('is left alone where nothing is chosen', async () => {
    await register(MADE, RUN.path, PREDICTED);
    choose('');
    await again();
    expect(tasks.executeTask).not.toHaveBeenCalled();
  });

  test('is predicted for the same TPU where its arguments are changed, which are all that is asked for', async () => {
    const daemon = await register(MADE, RUN.path, PREDICTED);
    window.showInputBox.mockResolvedValueOnce('--batch 16');
    window.showQuickPick.mockClear();
    void fake.commands.get('scopelight.changeArguments')?.();
    await vi.waitFor(() => expect(fake.messages).toHaveLength(1));
    expect(window.showQuickPick, 'the window of a profile').not.toHaveBeenCalled();
    expect(window.showInputBox.mock.calls.at(-1)?.[0]).toMatchObject({
      title: 'train.py for v5e-8',
      value: '--batch 8',
    });
    expect(fake.messages[0]).toMatchObject({
      text: 'train.py will be compiled for v5e-8 with --batch 16.',
      buttons: ['Predict Now'],
    });
    expect(tasks.executeTask).not.toHaveBeenCalled();
    fake.messages[0]?.press('Predict Now');
    (await daemon.request(0)).answer({ problem: null, is_there: true, offered: [] });
    await vi.waitFor(() => expect(tasks.executeTask).toHaveBeenCalledOnce());
    expect(started().join(' ')).toMatch(/ preflight .*--tpu v5e-8 .*jobs\/train\.py --batch 16$/u);
  });

  test('keeps changed arguments for when it is predicted again, and leaves those that are profiled', async () => {
    const daemon = await register(MADE, RUN.path, PREDICTED);
    window.showInputBox.mockResolvedValueOnce('');
    void fake.commands.get('scopelight.changeArguments')?.();
    await vi.waitFor(() => expect(fake.messages).toHaveLength(1));
    expect(fake.messages[0]?.text).toBe('train.py will be compiled for v5e-8 without arguments of its own.');
    choose('Predict again for v5e-8');
    void again();
    (await daemon.request(0)).answer({ problem: null, is_there: true, offered: [] });
    await vi.waitFor(() => expect(tasks.executeTask).toHaveBeenCalledOnce());
    expect(started().at(-1)).toBe('jobs/train.py');
    void fake.commands.get('scopelight.profile')?.(Uri.file('/w/jobs/train.py'));
    await vi.waitFor(() => expect(tasks.executeTask).toHaveBeenCalledTimes(2));
    expect(started().slice(-3)).toEqual(['jobs/train.py', '--batch', '8']);
  });

  test('of a configuration has its arguments changed there', async () => {
    fake.settings.set('launch.configurations', [
      { type: 'debugpy', request: 'launch', name: 'Wide', program: '/w/jobs/train.py' },
    ]);
    await register(WIDE, RUN.path, PREDICTED);
    void fake.commands.get('scopelight.changeArguments')?.();
    await vi.waitFor(() => expect(fake.messages).toHaveLength(1));
    expect(fake.messages[0]?.buttons).toEqual(['Predict Now', 'Open launch.json']);
  });

  test('is predicted for the same TPU where it should have been run as a module', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'scopelight-'));
    const script = path.join(folder, 'jobs', 'train.py');
    await mkdir(path.dirname(script));
    await writeFile(script, 'from . import data\n');
    workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'w', index: 0 }];
    const daemon = await register({ ...MADE, target: { kind: 'script', path: script } }, RUN.path, PREDICTED);
    void fake.commands.get('scopelight.profileAsModule')?.(Uri.file(script), RUN.path);
    (await daemon.request(0)).answer({ problem: null, is_there: true, offered: [] });
    await vi.waitFor(() => expect(tasks.executeTask).toHaveBeenCalledOnce());
    expect(started().join(' ')).toMatch(/ preflight .*--tpu v5e-8 .*-m jobs\.train --batch 8$/u);
  });

  test('whose configuration is gone is predicted as it is recorded', async () => {
    const daemon = await register(WIDE, RUN.path, PREDICTED);
    choose('Predict again for v5e-8');
    void again();
    await vi.waitFor(() => expect(fake.messages).toHaveLength(1));
    fake.messages[0]?.press('Run as Recorded');
    (await daemon.request(0)).answer({ problem: null, is_there: true, offered: [] });
    await vi.waitFor(() => expect(tasks.executeTask).toHaveBeenCalledOnce());
    expect(started().join(' ')).toMatch(/ preflight --python \/env\/bin\/python --tpu v5e-8 /u);
  });
});

test('a configuration that is gone and of which nothing is recorded is chosen anew, or mended', async () => {
  await register(WIDE, undefined);
  await again();
  expect(fake.messages[0]).toMatchObject({ kind: 'error', buttons: ['Profile With…', 'Open launch.json'] });
  fake.messages[0]?.press('Open launch.json');
  await vi.waitFor(() =>
    expect(fake.executed.map(({ command, args }) => [command, String(args[0])])).toContainEqual([
      'vscode.open',
      'file:///w/.vscode/launch.json',
    ]),
  );
});

test('a configuration that cannot be resolved is mended where it stands', async () => {
  fake.settings.set('launch.configurations', [
    { type: 'debugpy', request: 'launch', name: 'Wide', program: '${command:pick}' },
  ]);
  await register(WIDE, RUN.path);
  await again();
  expect(fake.messages[0]).toMatchObject({ kind: 'error', buttons: ['Open launch.json'] });
});

test('a script that has the name of another is told apart where its arguments are changed', async () => {
  const answers = { args: '', window: { kind: 'settings' } } as const;
  await register({ target: { kind: 'script', path: '/w/other/train.py' }, answers }, RUN.path);
  window.showInputBox.mockResolvedValueOnce('--batch 8');
  window.showQuickPick.mockImplementationOnce((items: unknown[]) => Promise.resolve(items[0]));
  void fake.commands.get('scopelight.changeArguments')?.();
  await vi.waitFor(() => expect(fake.messages).toHaveLength(1));
  expect(fake.messages[0]?.text).toMatch(/^other\/train\.py will be profiled with --batch 8: /u);
  expect(window.showInputBox.mock.calls.at(-1)?.[0]).toMatchObject({ title: 'Profile other/train.py' });
  fake.messages[0]?.press('Profile Now');
  await vi.waitFor(() => expect(tasks.executeTask).toHaveBeenCalledOnce());
  expect(tasks.executeTask.mock.calls[0]?.[0]).toMatchObject({ name: 'Profile other/train.py' });
});

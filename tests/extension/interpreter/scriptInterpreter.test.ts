import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { ProcessRunner } from '../../../extension/src/daemon/process';
import { Interpreters, InterpreterSettingError } from '../../../extension/src/interpreter/interpreter';
import type { InterpreterOrigin } from '../../../extension/src/interpreter/interpreter';
import { interpreterSources } from '../../../extension/src/interpreter/sources';
import { askInterpreter, scriptInterpreter } from '../../../extension/src/interpreter/scriptInterpreter';
import { CancellationError, env, fake, resetFake, silentLog, Uri, window, workspace } from '../vscode';

let root: string;
let folder: string;
/** What interpreters answer that are asked for jax; each is asked by its path. */
let answers: Map<string, string>;
const run: ProcessRunner = (python) => {
  const stdout = answers.get(python);
  return stdout === undefined ? Promise.reject(new Error('ENOENT')) : Promise.resolve({ code: 0, stdout, stderr: '' });
};

beforeEach(async () => {
  resetFake();
  root = await mkdtemp(path.join(tmpdir(), 'offer-'));
  folder = path.join(root, 'project');
  await mkdir(folder);
  vi.stubEnv('HOME', path.join(root, 'home'));
  vi.stubEnv('CONDA_PREFIX', '');
  workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'project', index: 0 }];
  answers = new Map();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true, force: true });
});

async function venv(name: string, jax?: string, version = '3.12.3'): Promise<string> {
  const python = path.join(folder, name, 'bin', 'python');
  await mkdir(path.dirname(python), { recursive: true });
  await writeFile(python, '#!/bin/sh\n');
  await chmod(python, 0o755);
  await writeFile(path.join(folder, name, 'pyvenv.cfg'), `version = ${version}\n`);
  if (jax !== undefined) {
    const libraries = path.join(folder, name, 'lib', 'python3.12', 'site-packages');
    await mkdir(path.join(libraries, 'jax'), { recursive: true });
    await mkdir(path.join(libraries, `jax-${jax}.dist-info`));
  }
  return python;
}

function ask(found: string | undefined | Error, origin: InterpreterOrigin = 'pythonExtension') {
  const find = () => (found instanceof Error ? Promise.reject(found) : Promise.resolve(found));
  const interpreters = new Interpreters([{ origin, find }], silentLog() as unknown as vscode.LogOutputChannel);
  const script = Uri.file(path.join(folder, 'train.py')) as unknown as vscode.Uri;
  return scriptInterpreter(interpreters, script, run);
}

async function message(number = 0) {
  return vi.waitFor(() => {
    const found = fake.messages[number];
    if (found === undefined) throw new Error('no message yet');
    return found;
  });
}

const settled = () => fake.settings.get('scopelight.interpreter');

test('an interpreter that has jax runs the script, and nothing is asked or started', async () => {
  const python = await venv('.venv', '0.7.1');
  expect(await ask(python)).toBe(python);
  expect(fake.messages).toEqual([]);
});

test('where it has none, environments that have it are buttons, and the answer is kept and used', async () => {
  const python = await venv('.venv', '0.7.1');
  await venv('bare');
  answers.set('/usr/bin/python3', 'lacks');
  const asking = ask('/usr/bin/python3', 'path');
  const asked = await message();
  const { kind, text, buttons } = asked;
  expect(kind).toBe('warning');
  expect(text).toBe('/usr/bin/python3 has no jax. What is to run train.py?');
  expect(buttons).toEqual(['.venv (jax 0.7.1)', 'Choose…']);
  asked.press('.venv (jax 0.7.1)');
  expect(await asking).toBe(python);
  expect(settled()).toBe('${workspaceFolder}/.venv/bin/python');
});

test('where it does not start, or a setting names none, that is what is said', async () => {
  await venv('.venv', '0.7.1');
  void ask('/gone/python').catch(() => undefined);
  expect((await message(0)).text).toMatch(/^\/gone\/python does not start\./);
  void ask(new InterpreterSettingError('/gone/python')).catch(() => undefined);
  expect((await message(1)).text).toMatch(/is \/gone\/python, which does not start\. What is to run train\.py/);
  void ask(undefined).catch(() => undefined);
  expect((await message(2)).text).toMatch(/^No Python was found\./);
});

/** As `ask`, of the interpreter that the user's settings name. */
function askWithSetting(python: string) {
  fake.settings.set('scopelight.interpreter', python);
  const interpreters = new Interpreters(interpreterSources([]), silentLog() as unknown as vscode.LogOutputChannel);
  const script = Uri.file(path.join(folder, 'train.py')) as unknown as vscode.Uri;
  return scriptInterpreter(interpreters, script, run);
}

test('a setting whose interpreter does not start is named, and can be mended where it stands', async () => {
  await venv('.venv', '0.7.1');
  const gone = askWithSetting('/no/such/python').catch((error: unknown) => error);
  const asked = await message();
  expect(asked.text).toBe(
    'The setting scopelight.interpreter is /no/such/python, which does not start. What is to run train.py?',
  );
  expect(asked.buttons).toEqual(['.venv (jax 0.7.1)', 'Choose…', 'Open Setting']);
  asked.press('Open Setting');
  expect(await gone, 'the command ends').toBeInstanceOf(CancellationError);
  expect(fake.executed).toContainEqual({
    command: 'workbench.action.openSettings',
    args: ['scopelight.interpreter'],
  });
});

test('a program that is no Python is one that does not start', async () => {
  const python = await venv('broken');
  void askWithSetting(python).catch(() => undefined);
  const asked = await message();
  expect(asked.text).toMatch(/The setting scopelight\.interpreter is .*broken\/bin\/python, which does not start\. /u);
  expect(asked.buttons).toContain('Open Setting');
});

test('who leaves the question ends the command', async () => {
  answers.set('/usr/bin/python3', 'lacks');
  const asking = ask('/usr/bin/python3');
  (await message()).press(undefined);
  await expect(asking).rejects.toBeInstanceOf(CancellationError);
  expect(settled()).toBeUndefined();
});

test('where no environment has jax, how to install it can be copied', async () => {
  const python = await venv('.venv');
  answers.set('/usr/bin/python3', 'lacks');
  const asking = ask('/usr/bin/python3');
  const asked = await message();
  const { text, buttons } = asked;
  expect(text).toMatch(/Install jax in the environment of your scripts/);
  expect(buttons).toEqual(['Choose…', 'Copy "pip install jax"']);
  asked.press('Copy "pip install jax"');
  await expect(asking).rejects.toBeInstanceOf(CancellationError);
  expect(env.clipboard.writeText).toHaveBeenCalledWith(`${python} -m pip install jax`);
});

test('all are listed to choose from, those with jax first, and a file can be named', async () => {
  await venv('.venv');
  const other = await venv('zenv', '0.6.0');
  answers.set('/usr/bin/python3', 'lacks');
  window.showQuickPick.mockImplementation((items: { label: string; python?: string }[]) => {
    const environments = items.filter(({ python }) => python?.startsWith(folder));
    expect(environments.map(({ label }) => label)).toEqual(['zenv (jax 0.6.0)', '.venv']);
    expect(items.at(-1)?.label).toMatch(/Browse…/);
    return Promise.resolve(environments[0]);
  });
  const asking = ask('/usr/bin/python3');
  (await message()).press('Choose…');
  expect(await asking).toBe(other);
});

/** What the list has that an interpreter is chosen from; nothing is chosen. */
async function listed(inUse: string) {
  const find = () => Promise.resolve(inUse);
  const source = { origin: 'pythonExtension', find } as const;
  const interpreters = new Interpreters([source], silentLog() as unknown as vscode.LogOutputChannel);
  let items: { label: string; description?: string; python?: string }[] = [];
  window.showQuickPick.mockImplementation((offered: typeof items) => {
    items = offered;
    return Promise.resolve(undefined);
  });
  await askInterpreter(interpreters, Uri.file(path.join(folder, 'train.py')) as unknown as vscode.Uri);
  return items.filter(({ description, python }) => python?.startsWith(root) ?? description === undefined);
}

test('the interpreter in use is listed as such, wherever it lies', async () => {
  const own = await venv('.venv', '0.7.1');
  const elsewhere = path.join(root, 'opt', 'bin', 'python3.12');
  await mkdir(path.dirname(elsewhere), { recursive: true });
  await writeFile(elsewhere, '#!/bin/sh\n');
  await chmod(elsewhere, 0o755);
  const inUse = async (python: string) =>
    (await listed(python)).filter(({ description }) => /in use/u.test(description ?? ''));
  expect((await inUse(elsewhere)).map(({ python }) => python)).toEqual([elsewhere]);
  expect((await inUse(own)).map(({ label }) => label)).toEqual(['.venv (jax 0.7.1)']);
});

test('a Python that is too old is listed last, with why, and is no answer', async () => {
  await venv('old', '0.4.13', '3.8.10');
  const own = await venv('venv', '0.7.1', '3.12.1');
  const labels = (await listed(own)).map(({ label }) => label);
  expect(labels.indexOf('venv (jax 0.7.1)')).toBeLessThan(labels.indexOf('old (jax 0.4.13)'));
  expect(labels[labels.indexOf('old (jax 0.4.13)') - 1]).toBe(
    'too old: scripts are profiled with Python 3.10 and later',
  );

  answers.set('/usr/bin/python2', '2.7');
  void ask('/usr/bin/python2').catch(() => undefined);
  const asked = await message();
  expect(asked.text).toMatch(
    /^\/usr\/bin\/python2 is Python 2\.7, and scripts are profiled with Python 3\.10 and later\./u,
  );
  expect(asked.buttons).toEqual(['venv (jax 0.7.1)', 'Choose…']);
  void ask(path.join(folder, 'old', 'bin', 'python')).catch(() => undefined);
  expect((await message(1)).text).toMatch(/old\/bin\/python is Python 3\.8/u);
});

test("the system's own is not taken silently where the folder has an environment with jax", async () => {
  const python = await venv('.venv', '0.7.1');
  answers.set('/usr/bin/python3', 'has');
  const asking = ask('/usr/bin/python3', 'path');
  const asked = await message();
  const { text, buttons } = asked;
  expect(text).toMatch(/^No interpreter is chosen, and this folder has an environment of its own\./);
  expect(buttons).toEqual(['.venv (jax 0.7.1)', '/usr/bin/python3', 'Choose…']);
  asked.press('/usr/bin/python3');
  expect(await asking).toBe('/usr/bin/python3');
  expect(settled()).toBe('/usr/bin/python3');
  expect(await ask(python, 'path'), 'an environment that is active on the path was meant').toBe(python);
});

test('nothing is started or offered in a workspace that is not trusted', async () => {
  workspace.isTrusted = false;
  expect(await ask('/usr/bin/python3')).toBe('/usr/bin/python3');
  expect(fake.messages).toEqual([]);
});

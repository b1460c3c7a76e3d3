import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import type { InterpreterSource } from '../../extension/src/interpreter/interpreter';
import { Interpreters, InterpreterSettingError } from '../../extension/src/interpreter/interpreter';
import { executablesOnPath } from '../../extension/src/interpreter/onPath';
import { expandPath } from '../../extension/src/interpreter/setting';
import { interpreterSources } from '../../extension/src/interpreter/sources';
import type { VariableContext } from '../../extension/src/variables';
import { changeSetting, EventEmitter, fake, resetFake, silentLog, Uri, workspace } from './vscode';

const log = silentLog() as unknown as vscode.LogOutputChannel;
let folder: string;

beforeEach(async () => {
  resetFake();
  folder = await mkdtemp(path.join(tmpdir(), 'interpreter-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function executable(...parts: string[]): Promise<string> {
  const file = path.join(folder, ...parts);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, '#!/bin/sh\n');
  await chmod(file, 0o755);
  return file;
}

function source(origin: InterpreterSource['origin'], answer: string | undefined | Error) {
  const changed = new EventEmitter<void>();
  const made = {
    origin,
    answer,
    asked: 0,
    onDidChange: changed.event as unknown as vscode.Event<void>,
    find(): Promise<string | undefined> {
      made.asked++;
      return made.answer instanceof Error ? Promise.reject(made.answer) : Promise.resolve(made.answer);
    },
    change: () => changed.fire(),
  };
  return made;
}

describe('the order of the places that know an interpreter', () => {
  test('the first that names one decides, and those after it are not asked', async () => {
    const last = source('path', '/usr/bin/python3');
    const interpreters = new Interpreters(
      [source('setting', undefined), source('environmentsExtension', '/envs/a'), last],
      log,
    );
    expect(await interpreters.find()).toEqual({ path: '/envs/a', origin: 'environmentsExtension' });
    expect(last.asked).toBe(0);
  });

  test('a fault of another extension is passed over', async () => {
    const interpreters = new Interpreters(
      [source('environmentsExtension', new Error('not activated')), source('path', '/usr/bin/python3')],
      log,
    );
    expect(await interpreters.find()).toEqual({ path: '/usr/bin/python3', origin: 'path' });
  });

  test('a setting that names nothing is not passed over', async () => {
    const interpreters = new Interpreters(
      [source('setting', new InterpreterSettingError('no such program')), source('path', '/usr/bin/python3')],
      log,
    );
    await expect(interpreters.find()).rejects.toThrow('no such program');
  });

  test('there may be none', async () => {
    expect(await new Interpreters([source('path', undefined)], log).find()).toBeUndefined();
  });
});

describe('changes', () => {
  test('are told once, and only when the interpreter is another', async () => {
    const first = source('environmentsExtension', '/envs/a');
    const interpreters = new Interpreters([first], log);
    let told = 0;
    interpreters.onDidChange(() => told++);
    const settled = () => new Promise((resolve) => setTimeout(resolve));

    first.change();
    await settled();
    expect(told, 'before anyone asked').toBe(0);

    await interpreters.find();
    first.change();
    first.change();
    await settled();
    expect(told, 'events without a change').toBe(0);

    first.answer = '/envs/b';
    first.change();
    first.change();
    await settled();
    expect(told, 'a change announced twice').toBe(1);
  });
});

describe('the sources', () => {
  const find = async (): Promise<{ path: string; origin: string } | undefined> => {
    const subscriptions: { dispose(): unknown }[] = [];
    return new Interpreters(interpreterSources(subscriptions), log).find();
  };

  const environments = (executablePath: string) => ({
    isActive: true,
    exports: {
      getEnvironment: () => Promise.resolve({ execInfo: { run: { executable: executablePath } } }),
      onDidChangeEnvironment: new EventEmitter().event,
    },
    activate: () => Promise.reject(new Error('is active')),
  });

  const python = (executablePath: string) => ({
    isActive: false,
    exports: undefined,
    activate: () =>
      Promise.resolve({
        environments: {
          getActiveEnvironmentPath: () => ({ path: 'some-id' }),
          resolveEnvironment: () => Promise.resolve({ executable: { uri: Uri.file(executablePath) } }),
          onDidChangeActiveEnvironmentPath: new EventEmitter().event,
        },
      }),
  });

  test('the setting comes before the extensions, the Environments extension before the Python extension', async () => {
    const [own, first, second] = [await executable('own'), await executable('first'), await executable('second')];
    fake.extensions.set('ms-python.vscode-python-envs', environments(first));
    fake.extensions.set('ms-python.python', python(second));
    changeSetting('scopelight.interpreter', own);
    expect(await find()).toEqual({ path: own, origin: 'setting' });
    changeSetting('scopelight.interpreter', '');
    expect(await find()).toEqual({ path: first, origin: 'environmentsExtension' });
    fake.extensions.delete('ms-python.vscode-python-envs');
    expect(await find()).toEqual({ path: second, origin: 'pythonExtension' });
  });

  test('an extension that names an environment which is gone does not count', async () => {
    const second = await executable('second');
    fake.extensions.set('ms-python.vscode-python-envs', environments(path.join(folder, 'removed')));
    fake.extensions.set('ms-python.python', python(second));
    expect(await find()).toEqual({ path: second, origin: 'pythonExtension' });
  });

  test('a Python extension from before environments is passed over', async () => {
    fake.extensions.set('ms-python.python', {
      isActive: true,
      exports: { settings: {} },
      activate: () => Promise.resolve(undefined),
    });
    expect((await find())?.origin).not.toBe('pythonExtension');
  });

  test('a setting in the workspace folder is read from there', async () => {
    const own = await executable('venv', 'bin', 'python');
    workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'project', index: 0 }];
    changeSetting('scopelight.interpreter', '${workspaceFolder}/venv/bin/python');
    expect(await find()).toEqual({ path: own, origin: 'setting' });
  });

  test('a setting that names no program says so', async () => {
    changeSetting('scopelight.interpreter', '/nowhere/python');
    await expect(find()).rejects.toThrow(/scopelight\.interpreter is \/nowhere\/python, which does not start/);
  });
});

describe('paths in the setting', () => {
  const variables: VariableContext = {
    folder: '/work space/project',
    folders: new Map([['other', '/elsewhere']]),
    file: undefined,
    home: '/home/me',
    env: (name) => ({ VENVS: '/envs' })[name],
    setting: () => undefined,
  };

  test.each([
    ['/usr/bin/python3', '/usr/bin/python3'],
    ['python3.12', 'python3.12'],
    ['~/envs/a/bin/python', '/home/me/envs/a/bin/python'],
    ['${userHome}/a/python', '/home/me/a/python'],
    ['${workspaceFolder}/.venv/bin/python', '/work space/project/.venv/bin/python'],
    ['${workspaceFolder:other}/bin/python', '/elsewhere/bin/python'],
    ['${env:VENVS}/b/bin/python', '/envs/b/bin/python'],
    ['.venv/bin/python', '/work space/project/.venv/bin/python'],
    ['./python', '/work space/project/python'],
    ['/odd~name/python', '/odd~name/python'],
  ])('%s', (text, expanded) => {
    expect(expandPath(text, variables)).toBe(expanded);
  });

  test.each(['${env:UNSET}/python', '${workspaceFolder:gone}/python', '${file}/python'])(
    '%s stands for nothing',
    (text) => {
      expect(expandPath(text, variables)).toBeUndefined();
    },
  );

  test('without a folder, what is relative to it stands for nothing', () => {
    const none = { ...variables, folder: undefined };
    expect(expandPath('.venv/bin/python', none)).toBeUndefined();
    expect(expandPath('${workspaceFolder}/python', none)).toBeUndefined();
    expect(expandPath('python3', none)).toBe('python3');
  });
});

describe('the search path', () => {
  test('names come in the order asked for, each from the first folder that has it', async () => {
    const [a3, b3, b] = [
      await executable('a', 'python3'),
      await executable('b', 'python3'),
      await executable('b', 'python'),
    ];
    await writeFile(path.join(folder, 'a', 'python'), 'not executable');
    const environment = { PATH: [path.dirname(a3), path.dirname(b3), ''].join(path.delimiter) };
    expect(await executablesOnPath(['python3', 'python', 'python2'], environment)).toEqual([a3, b]);
  });

  test('the folder of the Windows Store has no Python', async () => {
    const store = await executable('C\\WindowsApps', 'python.exe');
    const real = await executable('C\\Python312', 'python.exe');
    const environment = { Path: [path.dirname(store), path.dirname(real)].join(';') };
    expect(await executablesOnPath(['python'], environment, 'win32')).toEqual([real]);
  });
});

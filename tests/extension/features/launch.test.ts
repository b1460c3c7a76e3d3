import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isPythonLaunch, type LaunchContext, resolveLaunch } from '../../../extension/src/launch/launchConfigurations';
import { resolveVariables } from '../../../extension/src/variables';
import { splitArguments } from '../../../extension/src/launch/scriptArguments';
import { describeWindow, parseSeconds, parseSteps, windowOptions } from '../../../extension/src/launch/captureWindow';
import { captureArguments, runDirectory } from '../../../extension/src/capture/captureCommand';
import type { CaptureRequest } from '../../../extension/src/capture/captureCommand';

const STEPS = { steps: 5, skip: 2 };

describe('arguments', () => {
  test('are split as a shell splits them, and nothing is expanded', () => {
    expect(splitArguments(`--lr 1e-3 --name "two words" 'a "b"' c\\ d $HOME *.py`)).toEqual([
      '--lr',
      '1e-3',
      '--name',
      'two words',
      'a "b"',
      'c d',
      '$HOME',
      '*.py',
    ]);
    expect(splitArguments('')).toEqual([]);
    expect(splitArguments(`''`)).toEqual(['']);
  });

  test('with a quote that is not closed are refused with a sentence', () => {
    expect(() => splitArguments('--name "two')).toThrow(/quote that is not closed/);
    expect(() => splitArguments('--name two\\')).toThrow(/backslash/);
  });
});

const context: LaunchContext = {
  folder: '/w/app',
  folders: new Map([
    ['app', '/w/app'],
    ['lib', '/w/lib'],
  ]),
  file: '/w/lib/jobs/train.py',
  home: '/home/me',
  env: (name) => ({ DATA: '/data' })[name] ?? '',
  setting: (name) => (name === 'python.defaultInterpreterPath' ? '/usr/bin/python3' : undefined),
};

describe('variables of launch.json', () => {
  test.each([
    ['${workspaceFolder}/x', '/w/app/x'],
    ['${workspaceFolder:lib}', '/w/lib'],
    ['${workspaceFolderBasename}', 'app'],
    ['${file}', '/w/lib/jobs/train.py'],
    ['${fileBasename} ${fileBasenameNoExtension} ${fileExtname}', 'train.py train .py'],
    ['${fileDirname}', '/w/lib/jobs'],
    ['${relativeFile}', 'jobs/train.py'],
    ['${relativeFileDirname}', 'jobs'],
    ['${fileWorkspaceFolder}', '/w/lib'],
    ['${env:DATA}|${env:MISSING}|', '/data||'],
    ['${config:python.defaultInterpreterPath}', '/usr/bin/python3'],
    ['${userHome}${/}x', '/home/me/x'],
    ['no variable, $HOME, ${}', 'no variable, $HOME, ${}'],
  ])('%s stands for %s', (text, value) => {
    expect(resolveVariables(text, context)).toBe(value);
  });

  test.each(['${command:pickArgs}', '${input:name}', '${workspaceFolder:none}', '${config:none}', '${fileX}'])(
    '%s is refused by name',
    (text) => {
      expect(() => resolveVariables(text, context)).toThrow(text);
    },
  );

  test('that need a file say so where none is open', () => {
    expect(() => resolveVariables('${file}', { ...context, file: undefined })).toThrow(/open the file in the editor/);
  });
});

describe('a configuration of launch.json', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'launch-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const resolve = (properties: Record<string, unknown>) =>
    resolveLaunch({ name: 'Train', properties }, { ...context, folder });

  test('with a program is resolved with everything it says', async () => {
    writeFileSync(path.join(folder, 'secrets.env'), 'TOKEN="a b"\nLEVEL=1\n');
    const launch = await resolve({
      program: 'jobs/train.py',
      args: ['--data', '${env:DATA}', 3],
      cwd: '${workspaceFolder}',
      envFile: '${workspaceFolder}/secrets.env',
      env: { LEVEL: '2', GONE: null },
      python: '${userHome}/bin/python',
    });
    expect(launch).toEqual({
      name: path.join(folder, 'jobs/train.py'),
      isModule: false,
      args: ['--data', '/data', '3'],
      cwd: folder,
      env: { TOKEN: 'a b', LEVEL: '2', GONE: null },
      python: '/home/me/bin/python',
    });
  });

  test('with a module keeps its name, and starts in the folder', async () => {
    const launch = await resolve({ module: 'jobs.train', args: '--lr "1 e"' });
    expect(launch).toMatchObject({ name: 'jobs.train', isModule: true, args: ['--lr', '1 e'], cwd: folder });
  });

  test('takes the .env of the folder, as the debugger does', async () => {
    writeFileSync(path.join(folder, '.env'), 'SEED=7\n');
    expect((await resolve({ program: 'train.py' })).env).toEqual({ SEED: '7' });
  });

  test('is offered only where it launches a Python program or module', () => {
    const launch = { type: 'debugpy', request: 'launch', program: 'a.py' };
    expect(isPythonLaunch(launch)).toBe(true);
    expect(isPythonLaunch({ ...launch, type: 'python', program: undefined, module: 'a' })).toBe(true);
    expect(isPythonLaunch({ ...launch, request: 'attach' })).toBe(false);
    expect(isPythonLaunch({ ...launch, type: 'node' })).toBe(false);
    expect(isPythonLaunch({ ...launch, program: undefined, code: 'x' })).toBe(false);
    expect(isPythonLaunch(null)).toBe(false);
  });
});

describe('the window', () => {
  test('is read from what is typed', () => {
    expect(parseSteps('10', STEPS)).toEqual({ kind: 'steps', steps: 10, skip: 2 });
    expect(parseSteps(' 10 after 3 ', STEPS)).toEqual({ kind: 'steps', steps: 10, skip: 3 });
    expect(parseSteps('10, skipping the first 3', STEPS)).toEqual({ kind: 'steps', steps: 10, skip: 3 });
    expect(parseSteps('0', STEPS)).toBeUndefined();
    expect(parseSteps('ten', STEPS)).toBeUndefined();
    expect(describeWindow({ kind: 'steps', steps: 10, skip: 3 }, STEPS)).toBe('10 steps, skipping the first 3');
    expect(describeWindow({ kind: 'steps', steps: 1, skip: 0 }, STEPS)).toBe('1 step');
    expect(parseSeconds('2.5')).toEqual({ kind: 'seconds', seconds: 2.5 });
    expect(parseSeconds('2,5 s')).toEqual({ kind: 'seconds', seconds: 2.5 });
    expect(parseSeconds('0')).toBeUndefined();
    expect(parseSeconds('-1')).toBeUndefined();
  });

  test('becomes options of the command line', () => {
    expect(windowOptions({ kind: 'settings' }, { steps: 7, skip: 1 })).toEqual(['--steps', '7', '--skip', '1']);
    expect(windowOptions({ kind: 'steps', steps: 10, skip: 3 }, STEPS)).toEqual(['--steps', '10', '--skip', '3']);
    expect(windowOptions({ kind: 'seconds', seconds: 2.5 }, STEPS)).toEqual(['--seconds', '2.5']);
    expect(windowOptions({ kind: 'whole' }, STEPS)).toEqual(['--whole']);
  });
});

describe('the command of a capture', () => {
  const request: CaptureRequest = {
    title: 'train.py',
    name: '/w/app/jobs/train.py',
    isModule: false,
    args: ['--steps', '3'],
    cwd: '/w/app',
    env: {},
    python: '/venv/bin/python',
    window: { kind: 'whole' },
    steps: STEPS,
    calibrates: true,
    recordsHost: true,
    resources_ms: 50,
    folder: '/w/app',
    making: {
      target: { kind: 'script', path: '/w/app/jobs/train.py' },
      answers: { args: '', window: { kind: 'whole' } },
    },
  };

  test('names the script as seen from where it starts, and keeps its arguments behind it', () => {
    expect(captureArguments(request, '/out').slice(-7)).toEqual([
      '/venv/bin/python',
      '--whole',
      '--out',
      '/out',
      'jobs/train.py',
      '--steps',
      '3',
    ]);
    expect(captureArguments({ ...request, cwd: '/elsewhere' }, '/out')).toContain('/w/app/jobs/train.py');
    const dashed = captureArguments({ ...request, name: '/w/app/-m train.py', cwd: '/w/app' }, '/out');
    expect(dashed, 'what begins with a dash is no option').toContain('./-m train.py');
  });

  test('names a module with -m, and no interpreter where none is known', () => {
    const args = captureArguments({ ...request, name: 'jobs.train', isModule: true, python: undefined }, '/out');
    expect(args.slice(-4)).toEqual(['-m', 'jobs.train', '--steps', '3']);
    expect(args).not.toContain('--python');
  });

  test('leaves the machine unmeasured where that is not wanted', () => {
    expect(captureArguments(request, '/out')).not.toContain('--no-calibration');
    const args = captureArguments({ ...request, calibrates: false }, '/out');
    expect(args.indexOf('--no-calibration')).toBeLessThan(args.indexOf('jobs/train.py'));
    expect(args).toContain('--no-calibration');
  });

  test('leaves out where the threads stand where that is not wanted', () => {
    expect(captureArguments(request, '/out')).not.toContain('--no-host');
    const args = captureArguments({ ...request, recordsHost: false }, '/out');
    expect(args.indexOf('--no-host')).toBeLessThan(args.indexOf('jobs/train.py'));
    expect(args).toContain('--no-host');
  });

  test('says how often resources are read, where that is not as usual', () => {
    expect(captureArguments(request, '/out').join(' ')).not.toContain('resources');
    expect(captureArguments({ ...request, resources_ms: null }, '/out')).toContain('--no-resources');
    const args = captureArguments({ ...request, resources_ms: 20 }, '/out');
    expect(args.slice(args.indexOf('--resources-period'))[1]).toBe('20');
  });

  test('names the run by time and script', () => {
    const now = new Date(2026, 0, 2, 3, 4, 5);
    expect(runDirectory(request, now)).toBe('/w/app/.scopelight/20260102-030405-train');
    const module = { ...request, name: 'jobs.big run', isModule: true };
    expect(runDirectory(module, now)).toBe('/w/app/.scopelight/20260102-030405-big_run');
  });
});

import { expect, test } from 'vitest';
import { captureRequest } from '../../../extension/src/capture/captureRequest';
import { makingOf } from '../../../extension/src/capture/runAgain';
import type { Making } from '../../../extension/src/remembered';
import { resetFake, Uri, workspace } from '../vscode';
import { aRun } from './aRun';

const RUN = '/w/.scopelight/20260101-000000-train';
const none = { making: () => undefined };
const services = { scriptInterpreter: () => Promise.resolve('/usr/bin/python3') } as never;

test('a run is made again as it was made here', () => {
  const making: Making = {
    target: { kind: 'script', path: '/w/train.py' },
    answers: { args: '--batch 8', window: { kind: 'whole' } },
  };
  expect(makingOf(RUN, { making: (run) => (run === RUN ? making : undefined) }, [aRun()])).toBe(making);
});

test('a run of the command line is made again as its record says', async () => {
  resetFake();
  const record = aRun({ script: 'jobs/train.py', args: ['--name', 'two words'], cwd: '/w', python: '/env/bin/python' });
  const making = makingOf(RUN, none, [record]);
  if (making === undefined) {
    throw new Error('It is not made again.');
  }
  expect(making.answers).toEqual({ args: "--name 'two words'", window: { kind: 'settings' } });
  expect(await captureRequest(services, making)).toMatchObject({
    name: '/w/jobs/train.py',
    isModule: false,
    args: ['--name', 'two words'],
    cwd: '/w',
    folder: '/w',
    python: '/env/bin/python',
  });
});

test('what the kernel of a notebook ran is made again by no script', () => {
  expect(makingOf(RUN, none, [aRun({ script: '/w/train.ipynb', cwd: '/w' })])).toBeUndefined();
});

test('a module that was run from elsewhere keeps its folder', () => {
  const record = aRun({ path: '/elsewhere/run', script: 'gpt.train', is_module: true, cwd: '/w/src' });
  expect(makingOf('/elsewhere/run', none, [record])?.target).toMatchObject({
    kind: 'recorded',
    script: 'gpt.train',
    isModule: true,
    cwd: '/w/src',
    folder: '/w/src',
  });
});

test('a profile of others is not made again', () => {
  expect(makingOf('/profiles/a.xplane.pb', none, [aRun()])).toBeUndefined();
  expect(makingOf(RUN, none, [aRun({ script: null })])).toBeUndefined();
});

test('a module of a src folder starts in the workspace, and is found by the path of modules', async () => {
  resetFake();
  workspace.workspaceFolders = [{ uri: Uri.file('/w'), name: 'w', index: 0 }];
  const making: Making = {
    target: { kind: 'module', module: 'gpt.train', root: '/w/src', path: '/w/src/gpt/train.py' },
    answers: { args: '', window: { kind: 'settings' } },
  };
  const request = await captureRequest(services, making);
  expect(request).toMatchObject({ name: 'gpt.train', isModule: true, cwd: '/w', folder: '/w' });
  expect(request.env['PYTHONPATH']).toMatch(/^\/w\/src(:|$)/u);
  const ofRoot = { ...making, target: { ...making.target, root: '/w' } as Making['target'] };
  expect((await captureRequest(services, ofRoot)).env).toEqual({});
});

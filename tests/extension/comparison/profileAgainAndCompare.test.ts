import { beforeEach, expect, test, vi } from 'vitest';
import { Captures } from '../../../extension/src/capture/captures';
import type * as captureSession from '../../../extension/src/capture/captureSession';
import { registerProfileScript } from '../../../extension/src/capture/profileScript';
import { Remembered } from '../../../extension/src/remembered';
import { aRun } from '../features/aRun';
import { FakeDaemon, fakeMemento } from '../features/fakeDaemon';
import { fake, resetFake, silentLog, Uri, workspace } from '../vscode';

const ended = vi.hoisted(() => ({ isCaptured: true, isCancelled: false, out: '/w/.scopelight/after' }));
const captured = vi.hoisted((): unknown[] => []);

vi.mock('../../../extension/src/capture/captureSession', async (original) => ({
  ...(await original<typeof captureSession>()),
  runCapture: (_services: unknown, _parts: unknown, request: unknown) => {
    captured.push(request);
    return Promise.resolve({ ...ended });
  },
}));

const RUN = aRun({ path: '/w/.scopelight/before', args: ['--batch', '8'] });

beforeEach(() => {
  resetFake();
  captured.length = 0;
  Object.assign(ended, { isCaptured: true, isCancelled: false });
  workspace.fs.stat.mockResolvedValue({});
  workspace.workspaceFolders = [{ uri: Uri.file('/w'), name: 'w', index: 0 }];
});

function register(sides: object) {
  const compare = vi.fn(() => Promise.resolve(sides));
  const services = {
    daemon: new FakeDaemon().connection,
    log: silentLog(),
    scriptInterpreter: () => Promise.resolve('/usr/bin/python3'),
  };
  const shown = { current: { path: RUN.path }, onDidChange: () => undefined };
  const list = { get: () => Promise.resolve([RUN]), refresh: () => Promise.resolve([RUN]) };
  const remembered = new Remembered(fakeMemento());
  const retention = { apply: () => Promise.resolve() };
  const parts = { remembered, shown, list, captures: new Captures(), retention, compared: { compare } };
  registerProfileScript(services as never, parts as never);
  return compare;
}

const again = () => fake.commands.get('scopelight.profileAgainAndCompare')?.();

test('the script is profiled with the same arguments, compared, and a commit that differs is said', async () => {
  const compare = register({ before_revision: '3f2a1b0c', after_revision: '77aa1b0c*' });
  await again();
  expect(captured).toMatchObject([{ making: { answers: { args: '--batch 8' } } }]);
  expect(compare.mock.calls[0]?.slice(0, 2)).toEqual(['/w/.scopelight/after', RUN.path]);
  expect(fake.executed.map(({ command }) => command)).toContain('scopelight.openComparison');
  expect(fake.messages.at(-1)?.text).toBe('The runs that are compared are of different commits: 3f2a1b0c → 77aa1b0c*.');
});

test('of one commit nothing is said', async () => {
  const compare = register({ before_revision: '3f2a1b0c', after_revision: '3f2a1b0c' });
  await again();
  expect(compare).toHaveBeenCalledOnce();
  expect(fake.messages).toEqual([]);
});

test.each([{ isCaptured: false }, { isCancelled: true }])('nothing is compared where %o', async (how) => {
  Object.assign(ended, how);
  const compare = register({});
  await again();
  expect(captured).toHaveLength(1);
  expect(compare).not.toHaveBeenCalled();
});

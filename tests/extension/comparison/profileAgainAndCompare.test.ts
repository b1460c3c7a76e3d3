import { EventEmitter } from 'vscode';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { offerForOpenScript } from '../../../extension/src/capture/againAndCompare';
import { Captures } from '../../../extension/src/capture/captures';
import type * as captureSession from '../../../extension/src/capture/captureSession';
import { registerProfileScript } from '../../../extension/src/capture/profileScript';
import type { RunRecord } from '../../../extension/src/protocol';
import { Remembered } from '../../../extension/src/remembered';
import { aRun } from '../features/aRun';
import { FakeDaemon, fakeMemento } from '../features/fakeDaemon';
import { fake, resetFake, silentLog, Uri, window, workspace } from '../vscode';

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
  window.activeTextEditor = undefined;
  workspace.fs.stat.mockResolvedValue({});
  workspace.workspaceFolders = [{ uri: Uri.file('/w'), name: 'w', index: 0 }];
});

function openScript(file: string): void {
  window.activeTextEditor = { document: { languageId: 'python', uri: Uri.file(file) } };
}

function register(sides: object, runs: readonly RunRecord[] = [RUN], shownPath: string | null = RUN.path) {
  const compare = vi.fn(() => Promise.resolve(sides));
  const services = {
    daemon: new FakeDaemon().connection,
    log: silentLog(),
    scriptInterpreter: () => Promise.resolve('/usr/bin/python3'),
  };
  const shown = { current: shownPath === null ? null : { path: shownPath }, onDidChange: () => undefined };
  const list = { get: () => Promise.resolve(runs), refresh: () => Promise.resolve(runs) };
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

test.each([
  ['fdea4df8', 'fdea4df8*', 'The runs that are compared are of the same commit, fdea4df8, with edits since the first.'],
  [
    'fdea4df8*',
    'fdea4df8',
    'The runs that are compared are of the same commit, fdea4df8; the first was of edits to it.',
  ],
])('edits are no other commit: %s → %s', async (before, after, said) => {
  register({ before_revision: before, after_revision: after });
  await again();
  expect(fake.messages.at(-1)?.text).toBe(said);
});

describe('where no run is shown', () => {
  const OTHER = aRun({ path: '/w/.scopelight/other', script: 'other.py', cwd: '/w' });
  const FAILED = aRun({ path: '/w/.scopelight/failed', state: 'failed', cwd: '/w' });

  test('the newest run of the open script is made again and compared', async () => {
    openScript('/w/train.py');
    const compare = register({ before_revision: null, after_revision: null }, [OTHER, FAILED, RUN], null);
    await again();
    expect(compare.mock.calls[0]?.slice(0, 2)).toEqual(['/w/.scopelight/after', RUN.path]);
  });

  test('and the open script has none, it is said what to do', async () => {
    openScript('/w/new.py');
    register({}, [OTHER], null);
    await again();
    expect(fake.messages.at(-1)?.text).toMatch(/none is of the open script: choose one/);
  });

  test('the command is offered as soon as the open script has a run', () => {
    const listed = new EventEmitter<void>();
    const list = { known: [OTHER, FAILED], onDidChange: listed.event };
    openScript('/w/train.py');
    offerForOpenScript(list, new Remembered(fakeMemento()));
    expect(fake.contexts.get('scopelight.hasRunOfOpenScript')).toBe(false);
    list.known = [RUN, OTHER];
    listed.fire();
    expect(fake.contexts.get('scopelight.hasRunOfOpenScript')).toBe(true);
  });
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

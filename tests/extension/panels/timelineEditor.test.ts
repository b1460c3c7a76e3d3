import { aFinding } from './shared/madeFindings';
import { mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as vscode from 'vscode';
import { exportSentence, registerExportTimeline } from '../../../extension/src/panels/exportTimeline';
import type { PanelHost } from '../../../extension/src/panels/host';
import { profileInFront, registerFileEditors } from '../../../extension/src/panels/fileEditors';
import { SETTLED_MS, WatchedFile } from '../../../extension/src/panels/watchedFile';
import { UserError } from '../../../extension/src/failure';
import type { OpenedRun } from '../../../extension/src/protocol';
import { FakeDaemon, opened } from '../features/fakeDaemon';
import { fake, resetFake, silentLog } from '../vscode';
import { aFilledPage } from './fakeWebviews';

beforeEach(resetFake);

const PROFILE_EDITOR = 'scopelight.profile';

interface Provider {
  openCustomDocument(uri: vscode.Uri): { readonly uri: vscode.Uri };
  resolveCustomEditor(document: { readonly uri: vscode.Uri }, tab: unknown): void;
}

/** The provider of the editor as it was registered, and what it does with files that are shown. */
function anEditor(
  current: OpenedRun | null,
  open: (path: string) => Promise<OpenedRun> = () => Promise.reject(new Error('This file is not a profile.')),
) {
  let provider: Provider | undefined;
  let options: unknown;
  Object.assign(vscode.window, {
    registerCustomEditorProvider: (viewType: string, given: Provider, chosen: unknown) => {
      if (viewType === PROFILE_EDITOR) {
        provider = given;
        options = chosen;
      }
      return { dispose: () => undefined };
    },
  });
  const fill = vi.fn<PanelHost['fill']>(() => aFilledPage());
  const log = { ...silentLog(), warn: vi.fn() };
  const shown = { current, open: vi.fn(open) };
  registerFileEditors({ log } as never, { fill }, shown);
  const show = (file: string) => {
    const uri = vscode.Uri.file(file);
    const closed = new vscode.EventEmitter<void>();
    const seen = new vscode.EventEmitter<void>();
    const webview = {};
    const tab = { webview, visible: true, onDidDispose: closed.event, onDidChangeViewState: seen.event };
    provider?.resolveCustomEditor(provider.openCustomDocument(uri), tab);
    const see = (visible: boolean): void => {
      tab.visible = visible;
      seen.fire();
    };
    return { webview, see, close: () => closed.fire() };
  };
  return { fill, open: shown.open, show, log, shown, options: () => options };
}

describe('a profile file', () => {
  test('opens as the timeline of its path, and its run beside that', () => {
    const { fill, open, show } = anEditor(null);
    const tab = show('/w/a.xplane.pb');
    expect(fill).toHaveBeenCalledExactlyOnceWith('timeline', tab.webview, 'editor', expect.anything());
    expect(fill.mock.calls[0]?.[3]).toMatchObject({ path: '/w/a.xplane.pb', generation: 0 });
    expect(open).toHaveBeenCalledWith('/w/a.xplane.pb', { isQuiet: true });
  });

  test('lets go of its page when its tab is closed', () => {
    const { fill, show } = anEditor(null);
    const close = vi.fn();
    fill.mockReturnValueOnce(aFilledPage(close));
    const tab = show('/w/a.xplane.pb');
    expect([close.mock.calls.length, fake.watchers.at(-1)?.isDisposed]).toEqual([0, false]);
    tab.close();
    expect([close.mock.calls.length, fake.watchers.at(-1)?.isDisposed]).toEqual([1, true]);
  });

  test('keeps its page while it is hidden, and may be open twice', () => {
    expect(anEditor(null).options()).toEqual({
      supportsMultipleEditorsPerDocument: true,
      webviewOptions: { retainContextWhenHidden: true },
    });
  });

  test('that is no profile is said in the log only: its page says so itself', async () => {
    const { log, show } = anEditor(null);
    show('/w/broken.xplane.pb');
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalledTimes(1));
    expect(vi.mocked(log.warn).mock.calls[0]?.[0]).toMatch(/broken\.xplane\.pb could not be shown.*not a profile/s);
    expect(fake.messages).toHaveLength(0);
  });

  test('is known while its editor is in front', () => {
    const inFront = (input: unknown) => {
      Object.assign(vscode.window, { tabGroups: { activeTabGroup: { activeTab: { input } } } });
      return profileInFront();
    };
    const uri = vscode.Uri.file('/w/a.xplane.pb');
    expect(inFront(new vscode.TabInputCustom(uri, PROFILE_EDITOR))).toBe('/w/a.xplane.pb');
    expect(inFront(new vscode.TabInputCustom(uri, 'hexEditor'))).toBeUndefined();
    expect(inFront(undefined)).toBeUndefined();
  });

  test('of the run that is shown opens no other run', () => {
    const { open, show } = anEditor(opened('/runs/a'));
    show('/runs/a/plugins/profile/now/host.xplane.pb');
    expect(open).not.toHaveBeenCalled();
    show('/runs/ab/host.xplane.pb');
    expect(open).toHaveBeenCalledTimes(1);
  });
});

describe('a profile file that is written anew', () => {
  let folder = '';
  let profile = '';

  beforeEach(() => {
    vi.useFakeTimers();
    folder = mkdtempSync(path.join(tmpdir(), 'profile-'));
    // With a name that patterns would give a meaning to.
    profile = path.join(folder, 'host[1].xplane.pb');
    writeFileSync(profile, 'one');
  });

  afterEach(() => {
    vi.useRealTimers();
    rmSync(folder, { recursive: true });
  });

  function watched() {
    const file = new WatchedFile(profile);
    const told = vi.fn();
    file.onDidChange(told);
    const watcher = fake.watchers.at(-1);
    if (watcher === undefined) {
      throw new Error('Nothing is watched.');
    }
    return { file, told, watcher };
  }

  test('is told once it has settled, and nothing of files beside it', () => {
    const { file, told, watcher } = watched();
    expect(watcher.pattern).toMatchObject({ base: { fsPath: folder }, pattern: '*' });
    writeFileSync(profile, 'some more');
    watcher.changed.fire(vscode.Uri.file(path.join(folder, 'other')) as never);
    vi.advanceTimersByTime(SETTLED_MS);
    expect(told).not.toHaveBeenCalled();
    watcher.changed.fire(vscode.Uri.file(profile) as never);
    vi.advanceTimersByTime(SETTLED_MS - 1);
    watcher.changed.fire(vscode.Uri.file(profile) as never);
    vi.advanceTimersByTime(SETTLED_MS - 1);
    expect(told).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect([told.mock.calls.length, file.generation]).toEqual([1, 1]);
    // Told of again, with nothing else in it.
    watcher.changed.fire(vscode.Uri.file(profile) as never);
    vi.advanceTimersByTime(SETTLED_MS);
    expect([told.mock.calls.length, file.generation]).toEqual([1, 1]);
  });

  test('is told where it was deleted and made again, and there is nothing else in it before', () => {
    const { file, told, watcher } = watched();
    rmSync(profile);
    watcher.deleted.fire(vscode.Uri.file(profile) as never);
    expect(file.isGone).toBe(false);
    vi.advanceTimersByTime(SETTLED_MS);
    expect([told.mock.calls.length, file.isGone, file.generation]).toEqual([1, true, 0]);
    file.look();
    expect(told).toHaveBeenCalledTimes(1);
    writeFileSync(profile, 'another');
    watcher.created.fire(vscode.Uri.file(profile) as never);
    vi.advanceTimersByTime(SETTLED_MS);
    expect([told.mock.calls.length, file.isGone, file.generation]).toEqual([2, false, 1]);
  });

  test('is not told of where it was deleted for a moment, as it was put in the place of another', () => {
    const { file, told, watcher } = watched();
    const aside = path.join(folder, 'aside');
    renameSync(profile, aside);
    watcher.deleted.fire(vscode.Uri.file(profile) as never);
    renameSync(aside, profile);
    watcher.created.fire(vscode.Uri.file(profile) as never);
    vi.advanceTimersByTime(SETTLED_MS);
    expect([told.mock.calls.length, file.isGone]).toEqual([0, false]);
  });

  test('has its run left as it is where it was deleted', () => {
    const { open, show } = anEditor(opened(folder), () => Promise.resolve(opened(folder)));
    const tab = show(profile);
    rmSync(profile);
    tab.see(true);
    expect(open).not.toHaveBeenCalled();
  });

  test('is noticed without being told when its editor is seen again, and its run is opened anew', () => {
    const { fill, open, show, shown } = anEditor(opened(folder), () => Promise.resolve(opened(folder)));
    const tab = show(profile);
    const file = fill.mock.calls[0]?.[3];
    tab.see(false);
    writeFileSync(profile, 'something else');
    tab.see(false);
    expect(file?.generation).toBe(0);
    tab.see(true);
    expect(file?.generation).toBe(1);
    expect(open).toHaveBeenCalledExactlyOnceWith(folder, { isQuiet: true });
    // Another run is shown: that stays.
    shown.current = opened('/runs/b');
    writeFileSync(profile, 'and something else again');
    tab.see(true);
    expect(file?.generation).toBe(2);
    expect(open).toHaveBeenCalledTimes(1);
  });
});

describe('the export', () => {
  const part = { start_ps: 1, end_ps: 9, tracks: ['TPU:0/Ops'], path: null };

  function setUp(chosen: string | undefined, current: OpenedRun | null = opened('/runs/a')) {
    const daemon = new FakeDaemon();
    const asked: vscode.SaveDialogOptions[] = [];
    Object.assign(vscode.window, {
      tabGroups: { activeTabGroup: { activeTab: undefined } },
      showSaveDialog: (options: vscode.SaveDialogOptions) => {
        asked.push(options);
        return Promise.resolve(chosen === undefined ? undefined : vscode.Uri.file(chosen));
      },
    });
    registerExportTimeline({ daemon: daemon.connection, log: silentLog() } as never, { current });
    const run = (command: string, argument?: unknown) => fake.commands.get(command)?.(argument);
    return { daemon, asked, run };
  }

  test('writes the part that it was asked for where the person says', async () => {
    const { daemon, asked, run } = setUp('/tmp/a.json');
    const exporting = run('scopelight.exportTimeline', part);
    const request = await daemon.request(0);
    expect(asked[0]?.defaultUri?.fsPath).toMatch(/a\.trace\.json$/);
    expect(request.method).toBe('scopelight/exportTimeline');
    expect(request.params).toEqual({ ...part, output: '/tmp/a.json', workDoneToken: null });
    request.answer({
      path: '/tmp/a.json',
      events: 12,
      findings: [aFinding('note', '3 values of counters that are no number')],
    });
    await exporting;
    expect(fake.messages.at(-1)?.text).toBe(
      '12 events were written to /tmp/a.json. Left out: 3 values of counters that are no number.',
    );
  });

  test('writes nothing when the person leaves', async () => {
    const { daemon, run } = setUp(undefined);
    await run('scopelight.exportTimeline', part);
    expect(daemon.asked).toHaveLength(0);
  });

  test('says where the file for Perfetto is', async () => {
    const { daemon, run } = setUp(undefined);
    const exporting = run('scopelight.openInPerfetto');
    const request = await daemon.request(0);
    expect(request.params).toMatchObject({ start_ps: null, tracks: null, path: null });
    expect(String(request.params['output'])).toMatch(/scopelight-\w+.a\.trace\.json$/);
    request.answer({ path: request.params['output'], events: 1, findings: [] });
    await exporting;
    expect(fake.messages.at(-1)?.text).toContain(String(request.params['output']));
  });

  test('for Perfetto is in a folder of this user, one for each profile', async () => {
    const { daemon, run } = setUp(undefined);
    const outputs = [];
    for (const [at, file] of ['/w/a.xplane.pb', '/v/a.xplane.pb', '/w/a.xplane.pb'].entries()) {
      const exporting = run('scopelight.openInPerfetto', { ...part, path: file });
      const request = await daemon.request(at);
      const output = String(request.params['output']);
      outputs.push(output);
      expect(statSync(path.dirname(output)).mode & 0o777).toBe(0o700);
      request.answer({ path: output, events: 1, findings: [] });
      await exporting;
    }
    expect(outputs[0]).not.toBe(outputs[1]);
    expect(outputs[0]).toBe(outputs[2]);
    outputs.forEach((output) => rmSync(path.dirname(output), { recursive: true, force: true }));
  });

  test('is of the file whose editor is in front, whatever run is shown', async () => {
    const { daemon, asked, run } = setUp('/tmp/b.json');
    const input = new vscode.TabInputCustom(vscode.Uri.file('/w/b.xplane.pb'), PROFILE_EDITOR);
    Object.assign(vscode.window, { tabGroups: { activeTabGroup: { activeTab: { input } } } });
    void run('scopelight.exportTimeline');
    const request = await daemon.request(0);
    expect(request.params).toMatchObject({ path: '/w/b.xplane.pb', start_ps: null, end_ps: null, tracks: null });
    expect(asked[0]?.defaultUri?.fsPath).toMatch(/b\.trace\.json$/);
  });

  test('offers to reveal the file, to copy its path, and to open Perfetto', async () => {
    const { daemon, run } = setUp('/tmp/a.json');
    const openExternal = vi.fn(() => Promise.resolve(true));
    const parse = vi.spyOn(vscode.Uri, 'parse');
    const writeText = vi.spyOn(vscode.env.clipboard, 'writeText');
    Object.assign(vscode.env, { openExternal });
    const offered = async (command: string, at: number) => {
      const exporting = run(command, part);
      const request = await daemon.request(at);
      request.answer({ path: request.params['output'], events: 1, findings: [] });
      await exporting;
      return fake.messages.at(-1);
    };
    const exported = await offered('scopelight.exportTimeline', 0);
    expect(exported?.buttons).toEqual(['Reveal File', 'Copy Path']);
    exported?.press('Reveal File');
    await vi.waitFor(() => expect(fake.executed.at(-1)?.command).toBe('revealFileInOS'));
    expect(fake.executed.at(-1)?.args).toMatchObject([{ fsPath: '/tmp/a.json' }]);
    const opened = await offered('scopelight.openInPerfetto', 1);
    expect(opened?.buttons).toEqual(['Open Perfetto', 'Reveal File', 'Copy Path']);
    expect(opened?.text).toContain('In Perfetto choose');
    opened?.press('Open Perfetto');
    await vi.waitFor(() => expect(openExternal).toHaveBeenCalledTimes(1));
    expect(parse).toHaveBeenLastCalledWith('https://ui.perfetto.dev');
    const copied = await offered('scopelight.openInPerfetto', 2);
    copied?.press('Copy Path');
    await vi.waitFor(() => expect(writeText).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/a\.trace\.json$/)));
  });

  test('says why nothing was written, and nothing of a file', async () => {
    const { daemon, run } = setUp('/tmp/a.json');
    const exporting = run('scopelight.exportTimeline', part);
    (await daemon.request(0)).refuse(new UserError('/tmp/a.json cannot be written (No space left on device).'));
    await exporting;
    expect(fake.messages.map(({ kind, text }) => [kind, text])).toEqual([
      ['error', '/tmp/a.json cannot be written (No space left on device).'],
    ]);
  });

  test('says that there is nothing to write', async () => {
    const { daemon, run } = setUp('/tmp/a.json', null);
    await run('scopelight.exportTimeline');
    expect(daemon.asked).toHaveLength(0);
    expect(fake.messages.at(-1)?.text).toMatch(/open a profile first/);
  });

  test('counts what it left out by kind', () => {
    expect(exportSentence({ path: '/a', events: 1, findings: [] }, false)).toBe('1 event was written to /a.');
    const some = {
      path: '/a',
      events: 1200,
      findings: [aFinding('note', '1 flow to nowhere'), aFinding('note', '3 arguments that are bytes')],
    };
    expect(exportSentence(some, false)).toBe(
      '1,200 events were written to /a. Left out: 1 flow to nowhere, 3 arguments that are bytes.',
    );
  });
});

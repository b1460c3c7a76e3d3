import { beforeEach, describe, expect, test, vi } from 'vitest';
import { env, EventEmitter, TabInputWebview, Uri, window as vscodeWindow } from 'vscode';
import type { RecordedLine } from '../../../extension/src/lines/annotatedLine';
import { DaemonError } from '../../../extension/src/daemon/connection';
import { PanelHost } from '../../../extension/src/panels/host';
import { type ComparedWith, detailsIds, type OpenedRun } from '../../../extension/src/protocol';
import { FakeDaemon, fakeMemento, opened } from '../features/fakeDaemon';
import { changeSetting, fake, resetFake, silentLog } from '../vscode';
import { FakePanel, withWebviews } from './fakeWebviews';

beforeEach(resetFake);

function setUp(atCursor?: RecordedLine) {
  const window = withWebviews();
  const daemon = new FakeDaemon();
  const shown = new EventEmitter<OpenedRun | null>();
  const compared = new EventEmitter<ComparedWith | null>();
  const host = new PanelHost(
    {
      daemon: daemon.connection,
      log: silentLog(),
      context: { extensionUri: Uri.file('/extension'), workspaceState: fakeMemento() },
    } as never,
    { onDidChange: shown.event, captured: '/runs/captured' },
    { onDidChange: compared.event, current: null },
    () => atCursor,
  );
  const openTab = () => {
    fake.commands.get('scopelight.openHotLines')?.();
    return window.panels.at(-1) as FakePanel;
  };
  const openView = () => {
    const view = new FakePanel();
    window.views.get('scopelight.hotLines')?.resolveWebviewView(view);
    return view;
  };
  return { ...window, host, daemon, shown, openTab, openView };
}

const line = { kind: 'line', file: '/w/a.py', line: 3 } as const;

describe('a panel', () => {
  test('opens once as a tab, and also in the side bar', () => {
    const { panels, openTab, openView } = setUp();
    const tab = openTab();
    openTab();
    expect(panels).toHaveLength(1);
    expect(tab.revealed).toBe(1);
    expect(tab.webview.html).toContain('data-place="editor"');
    expect(openView().webview.html).toContain('data-place="sideBar"');
  });

  test('may load from its own folder only', () => {
    const { openTab } = setUp();
    expect(JSON.stringify(openTab().webview.options)).toContain('/extension/extension/dist/webview');
    expect(openTab().webview.options).toMatchObject({ enableScripts: true });
  });

  test('is in sight while its tab or its view is in front', () => {
    const { host, openTab, openView } = setUp();
    expect(host.isPageInSight).toBe(false);
    const tab = openTab();
    expect(host.isPageInSight).toBe(true);
    tab.visible = false;
    expect(host.isPageInSight).toBe(false);
    const view = openView();
    expect(host.isPageInSight).toBe(true);
    view.visible = false;
    expect(host.isPageInSight).toBe(false);
    view.visible = true;
    view.dispose();
    tab.visible = true;
    tab.dispose();
    expect(host.isPageInSight).toBe(false);
  });

  test('opens anew after it was closed', () => {
    const { panels, openTab } = setUp();
    openTab().dispose();
    openTab();
    expect(panels).toHaveLength(2);
  });

  test('is restored by the id that its page saved, and closed where there is none', () => {
    const window = setUp();
    const known = new FakePanel();
    window.restore(known, { panel: 'hotLines', values: {} });
    expect(known.webview.html).toContain('hotLines.js');
    const unknown = new FakePanel();
    let isClosed = false;
    unknown.onDidDispose(() => (isClosed = true));
    window.restore(unknown, { panel: 'constructor', values: {} });
    expect(isClosed).toBe(true);
    expect(unknown.webview.html).toBe('');
  });

  test('never has a second tab: one that the editor has not made again after a reload gives way', () => {
    const made = setUp();
    const { panels, openTab } = made;
    const group = { viewColumn: 2 };
    const tabOf = (label: string, type: string) => ({ label, input: new TabInputWebview(type), group });
    const own = tabOf('Hot Lines', 'mainThreadWebview-scopelight.panel');
    const others = [tabOf('Roofline', 'mainThreadWebview-scopelight.panel'), tabOf('Hot Lines', 'markdown.preview')];
    const close = vi.fn(() => Promise.resolve(true));
    Object.assign(vscodeWindow, { tabGroups: { all: [{ viewColumn: 2, tabs: [own, ...others] }], close } });
    expect(openTab().place).toEqual({ viewColumn: 2, preserveFocus: false });
    expect(close).toHaveBeenCalledWith([own], true);
    openTab();
    expect(panels).toHaveLength(1);
    expect(close).toHaveBeenCalledTimes(1);
    // And should the editor make it all the same, it is closed.
    const late = new FakePanel();
    let isClosed = false;
    late.onDidDispose(() => (isClosed = true));
    made.restore(late, { panel: 'hotLines', values: {} });
    expect(isClosed).toBe(true);
  });

  test('hears all facts when it is ready, and again when they change', () => {
    const { daemon, shown, openTab } = setUp();
    const { webview } = openTab();
    webview.say({ type: 'ready' });
    expect(webview.facts).toMatchObject({
      shownRun: null,
      capturedRun: '/runs/captured',
      daemonState: 'running',
      trusted: true,
    });
    daemon.notify('scopelight/shownRun', { run: opened('/runs/a') });
    const generation = webview.facts?.shownRunGeneration ?? 0;
    expect(webview.facts?.shownRun?.path).toBe('/runs/a');
    daemon.notify('scopelight/shownRun', { run: opened('/runs/a') });
    expect(webview.facts?.shownRunGeneration).toBe(generation + 1);
    daemon.notify('scopelight/placesChanged', {});
    expect(webview.facts?.placesGeneration).toBe(1);
    daemon.notify('scopelight/recordsChanged', {});
    expect(webview.facts?.recordsGeneration).toBe(1);
    changeSetting('scopelight.scope', 'window');
    expect(webview.facts?.scope).toBe('window');
    daemon.become('restarting');
    expect(webview.facts?.daemonState).toBe('restarting');
    shown.fire(null);
    expect(webview.facts?.shownRun).toBeNull();
  });
});

describe('the selection', () => {
  test('is the same in all panels, and said once', () => {
    const { openTab, openView } = setUp();
    const [tab, view] = [openTab().webview, openView().webview];
    tab.say({ type: 'select', selection: line });
    expect(view.facts?.selection).toEqual(line);
    const said = view.heard.length;
    view.say({ type: 'select', selection: { ...line } });
    expect(view.heard).toHaveLength(said);
  });

  test('is said with the number of those that were heard from the page', () => {
    const { openTab, openView } = setUp();
    const [tab, view] = [openTab().webview, openView().webview];
    const heard = (webview: typeof tab) =>
      webview.heard.filter((message) => message.type === 'facts').at(-1)?.heardSelections;
    tab.say({ type: 'select', selection: line });
    tab.say({ type: 'select', selection: { ...line, line: 9 } });
    expect([heard(tab), heard(view)]).toEqual([2, 0]);
    tab.say({ type: 'ready' });
    expect(heard(tab)).toBe(0);
  });

  test('ends with the run', () => {
    const { daemon, openTab } = setUp();
    const { webview } = openTab();
    daemon.notify('scopelight/shownRun', { run: opened('/runs/a') });
    webview.say({ type: 'select', selection: line });
    daemon.notify('scopelight/shownRun', { run: opened('/runs/b') });
    expect(webview.facts?.selection).toBeNull();
  });

  test('can be given by who opens the panel', () => {
    const { openView } = setUp();
    const { webview } = openView();
    fake.commands.get('scopelight.openHotLines')?.({ file: '/w/a.py', line: 3 });
    expect(webview.facts?.selection).toEqual(line);
  });

  test('is the line at the cursor where a panel is opened from a text', () => {
    const { openTab } = setUp({ file: '/w/a.py', line: 3 });
    const { webview } = openTab();
    webview.say({ type: 'ready' });
    expect(webview.facts?.selection).toEqual(line);
  });
});

describe('a request of a page', () => {
  test('is forwarded, with progress, and answered', async () => {
    const { daemon, openTab } = setUp();
    const { webview } = openTab();
    webview.say({ type: 'request', id: 7, view: 'lines', params: {} });
    const asked = await daemon.request(0);
    expect(asked.method).toBe('scopelight/view/lines');
    asked.progress({ message: 'analysing' });
    asked.answer({ record: 1 });
    await expect.poll(() => webview.heard).toContainEqual({ type: 'result', id: 7, result: { record: 1 } });
    expect(webview.heard).toContainEqual({ type: 'progress', id: 7, progress: { message: 'analysing' } });
  });

  test('is cancelled by the page, by another request, and by closing', async () => {
    const { daemon, openTab } = setUp();
    const tab = openTab();
    const ask = (id: number) => tab.webview.say({ type: 'request', id, view: 'lines', params: {} });
    ask(1);
    tab.webview.say({ type: 'cancel', id: 1 });
    expect((await daemon.request(0)).token?.isCancellationRequested).toBe(true);
    ask(2);
    ask(3);
    expect((await daemon.request(1)).token?.isCancellationRequested).toBe(true);
    expect((await daemon.request(2)).token?.isCancellationRequested).toBe(false);
    await expect.poll(() => tab.webview.heard).toContainEqual({ type: 'cancelled', id: 2 });
    tab.dispose();
    expect((await daemon.request(2)).token?.isCancellationRequested).toBe(true);
  });

  test("fails with the daemon's sentence, and with ours where it is a fault", async () => {
    const { daemon, openTab } = setUp();
    const { webview } = openTab();
    webview.say({ type: 'request', id: 1, view: 'lines', params: {} });
    (await daemon.request(0)).refuse(new DaemonError('The profile is damaged.'));
    await expect
      .poll(() => webview.heard)
      .toContainEqual({ type: 'failure', id: 1, message: 'The profile is damaged.' });
    webview.say({ type: 'request', id: 2, view: 'lines', params: {} });
    (await daemon.request(1)).refuse(new TypeError('x is undefined'));
    await expect.poll(() => webview.heard.at(-1)).toMatchObject({ type: 'failure', id: 2 });
    expect(JSON.stringify(webview.heard.at(-1))).not.toContain('undefined');
  });

  test('for a view that there is not fails at once, and reaches no daemon', async () => {
    const { daemon, openTab } = setUp();
    const { webview } = openTab();
    webview.say({ type: 'request', id: 1, view: 'toString' as never, params: {} });
    await expect.poll(() => webview.heard).toContainEqual(expect.objectContaining({ type: 'failure', id: 1 }));
    expect(daemon.asked).toHaveLength(0);
  });
});

describe('details', () => {
  test('are forwarded by their name, and leave the request for the record alone', async () => {
    const { daemon, openTab } = setUp();
    const { webview } = openTab();
    webview.say({ type: 'request', id: 1, view: 'op-profile', params: {} });
    webview.say({ type: 'details', id: 2, details: 'opCard', params: { key: '7/dot.1', device: null } });
    const asked = await daemon.request(1);
    expect(asked.method).toBe('scopelight/details/opCard');
    expect(asked.params).toEqual({ key: '7/dot.1', device: null });
    expect((await daemon.request(0)).token?.isCancellationRequested).toBe(false);
    webview.say({ type: 'details', id: 3, details: 'opCard', params: { key: '7/dot.2', device: null } });
    await daemon.request(2);
    expect(asked.token?.isCancellationRequested).toBe(false);
    webview.say({ type: 'cancel', id: 2 });
    expect(asked.token?.isCancellationRequested).toBe(true);
    expect((await daemon.request(2)).token?.isCancellationRequested).toBe(false);
    (await daemon.request(2)).answer({ op: 2 });
    await expect.poll(() => webview.heard).toContainEqual({ type: 'result', id: 3, result: { op: 2 } });
  });

  test('that there are not fail at once, and reach no daemon', async () => {
    const { daemon, openTab } = setUp();
    const { webview } = openTab();
    webview.say({ type: 'details', id: 1, details: 'toString' as never, params: {} });
    await expect.poll(() => webview.heard).toContainEqual(expect.objectContaining({ type: 'failure', id: 1 }));
    expect(daemon.asked).toHaveLength(0);
  });

  test.each(detailsIds)('of every kind that the daemon has are asked for: %s', async (details) => {
    const { daemon, openTab } = setUp();
    openTab().webview.say({ type: 'details', id: 1, details, params: {} });
    expect((await daemon.request(0)).method).toBe(`scopelight/details/${details}`);
  });
});

test('what is shown in another panel is selected, and the panel opened', () => {
  const { panels, openTab } = setUp();
  const { webview } = openTab();
  const op = { kind: 'op', key: '7/dot.1', file: '/w/a.py', line: 3 } as const;
  webview.say({ type: 'showIn', panel: 'opProfile', selection: op });
  expect(panels).toHaveLength(2);
  expect(panels[1]?.title).toBe('Op Profile');
  expect(webview.facts?.selection).toEqual(op);
  const said = webview.heard.length;
  webview.say({ type: 'showIn', panel: 'opProfile', selection: { ...op } });
  expect(panels[1]?.revealed).toBe(1);
  expect(webview.heard).toHaveLength(said + 1);
  expect(webview.facts).toMatchObject({ selection: op, selectionGeneration: 2 });
  webview.say({ type: 'select', selection: { ...op, key: '7/dot.2' } });
  expect(webview.facts?.selection).toMatchObject({ key: '7/dot.2' });
  webview.say({ type: 'showIn', panel: 'absent' as never, selection: op });
  expect(panels).toHaveLength(2);
});

describe('what else a page may do', () => {
  test('is to go to a line, copy, and run the commands of its states', () => {
    const { openTab } = setUp();
    const { webview } = openTab();
    const writeText = vi.spyOn(env.clipboard, 'writeText');
    webview.say({ type: 'goToLine', file: '/w/a.py', line: 3 });
    webview.say({ type: 'copy', text: 'copied' });
    webview.say({ type: 'run', command: 'scopelight.openProfile' });
    webview.say({ type: 'run', command: 'workbench.action.terminal.new' as never });
    webview.say({ type: 'chooseScope', scope: 'window' });
    expect(fake.executed).toEqual([
      { command: 'scopelight.goToLine', args: ['/w/a.py', 3] },
      { command: 'scopelight.openProfile', args: [] },
      { command: 'scopelight.selectScope', args: ['window'] },
    ]);
    expect(writeText).toHaveBeenCalledWith('copied');
  });
});

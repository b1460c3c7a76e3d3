import { beforeEach, describe, expect, test, vi } from 'vitest';
import { env, EventEmitter, Uri } from 'vscode';
import { DaemonError } from '../../../extension/src/daemon/connection';
import { registerPanels } from '../../../extension/src/panels/host';
import type { OpenedRun } from '../../../extension/src/protocol';
import { FakeDaemon, opened } from '../features/fakeDaemon';
import { fake, resetFake, silentLog } from '../vscode';
import { FakePanel, withWebviews } from './fakeWebviews';

beforeEach(resetFake);

function setUp() {
  const window = withWebviews();
  const daemon = new FakeDaemon();
  const shown = new EventEmitter<OpenedRun | null>();
  registerPanels(
    {
      daemon: daemon.connection,
      log: silentLog(),
      context: { extensionUri: Uri.file('/extension') },
    } as never,
    { onDidChange: shown.event },
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
  return { ...window, daemon, shown, openTab, openView };
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

  test('hears all facts when it is ready, and again when they change', () => {
    const { daemon, shown, openTab } = setUp();
    const { webview } = openTab();
    webview.say({ type: 'ready' });
    expect(webview.facts).toMatchObject({ shownRun: null, daemonState: 'running', trusted: true });
    daemon.notify('scopelight/shownRun', { run: opened('/runs/a') });
    const generation = webview.facts?.shownRunGeneration ?? 0;
    expect(webview.facts?.shownRun?.path).toBe('/runs/a');
    daemon.notify('scopelight/shownRun', { run: opened('/runs/a') });
    expect(webview.facts?.shownRunGeneration).toBe(generation + 1);
    daemon.notify('scopelight/placesChanged', {});
    expect(webview.facts?.placesGeneration).toBe(1);
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
    fake.commands.get('scopelight.openHotLines')?.('/w/a.py', 3);
    expect(webview.facts?.selection).toEqual(line);
  });
});

describe('a request of a page', () => {
  test('is forwarded, with progress, and answered', async () => {
    const { daemon, openTab } = setUp();
    const { webview } = openTab();
    webview.say({ type: 'request', id: 7, panel: 'hotLines', params: {} });
    const asked = await daemon.request(0);
    expect(asked.method).toBe('scopelight/panel/hotLines');
    asked.progress({ message: 'analysing' });
    asked.answer({ record: 1 });
    await expect.poll(() => webview.heard).toContainEqual({ type: 'result', id: 7, result: { record: 1 } });
    expect(webview.heard).toContainEqual({ type: 'progress', id: 7, message: 'analysing', percentage: null });
  });

  test('is cancelled by the page, by another request, and by closing', async () => {
    const { daemon, openTab } = setUp();
    const tab = openTab();
    const ask = (id: number) => tab.webview.say({ type: 'request', id, panel: 'hotLines', params: {} });
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
    webview.say({ type: 'request', id: 1, panel: 'hotLines', params: {} });
    (await daemon.request(0)).refuse(new DaemonError('The profile is damaged.'));
    await expect
      .poll(() => webview.heard)
      .toContainEqual({ type: 'failure', id: 1, message: 'The profile is damaged.' });
    webview.say({ type: 'request', id: 2, panel: 'hotLines', params: {} });
    (await daemon.request(1)).refuse(new TypeError('x is undefined'));
    await expect.poll(() => webview.heard.at(-1)).toMatchObject({ type: 'failure', id: 2 });
    expect(JSON.stringify(webview.heard.at(-1))).not.toContain('undefined');
  });

  test('for a panel that there is not reaches no daemon', () => {
    const { daemon, openTab } = setUp();
    openTab().webview.say({ type: 'request', id: 1, panel: 'toString' as never, params: {} });
    expect(daemon.asked).toHaveLength(0);
  });
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
    expect(fake.executed).toEqual([
      { command: 'scopelight.goToLine', args: ['/w/a.py', 3] },
      { command: 'scopelight.openProfile', args: [] },
    ]);
    expect(writeText).toHaveBeenCalledWith('copied');
  });
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { env, EventEmitter, UIKind, Uri } from 'vscode';
import { PanelHost } from '../../../extension/src/panels/host';
import type { OpenedRun } from '../../../extension/src/protocol';
import { FakeDaemon, fakeMemento } from '../features/fakeDaemon';
import { fake, resetFake, silentLog } from '../vscode';
import { FakePanel, withWebviews } from './fakeWebviews';

const LONG_MS = 60_000;
/** For a page to be taken for blank. */
const LONG_ENOUGH_MS = 16_000;

beforeEach(() => {
  resetFake();
  vi.useFakeTimers();
  Object.assign(env, { uiKind: UIKind.Web });
});

afterEach(() => {
  vi.useRealTimers();
  Object.assign(env, { uiKind: UIKind.Desktop });
});

/** A host of panels, whose pages come from one address. */
function setUp() {
  const window = withWebviews();
  const services = {
    daemon: new FakeDaemon().connection,
    log: silentLog(),
    context: { extensionUri: Uri.file('/extension'), workspaceState: fakeMemento() },
  };
  const shown = { onDidChange: new EventEmitter<OpenedRun | null>().event, captured: null };
  const compared = { onDidChange: new EventEmitter<null>().event, current: null };
  new PanelHost(services as never, shown, compared, () => undefined);
  const openView = () => {
    const view = new FakePanel();
    window.views.get('scopelight.hotLines')?.resolveWebviewView(view);
    return view;
  };
  return { ...window, openView, open: () => fake.commands.get('scopelight.openHotLines')?.() };
}

/** Opens a panel; the tabs that were made of it so far, and those that were closed. */
function openTab() {
  const window = setUp();
  const { panels } = window;
  window.open();
  const closed: FakePanel[] = [];
  panels[0]?.onDidDispose(() => closed.push(panels[0] as FakePanel));
  return {
    panels,
    closed,
    tab: panels[0] as FakePanel,
    restore: (...given: Parameters<typeof window.restore>) => window.restore(...given),
  };
}

describe('a tab in a browser whose page does not start', () => {
  test('gives way to another in its place', () => {
    const { panels, closed, tab } = openTab();
    tab.viewColumn = 2;
    vi.advanceTimersByTime(LONG_MS);
    expect(closed).toEqual([tab]);
    expect(panels[1]?.place).toEqual({ viewColumn: 2, preserveFocus: false });
    expect(panels[1]?.webview.html).toContain('hotLines.js');
  });

  test('takes no keyboard from where a person has gone on', () => {
    const { panels, tab } = openTab();
    tab.active = false;
    vi.advanceTimersByTime(LONG_MS);
    expect(panels[1]?.place).toMatchObject({ preserveFocus: true });
  });

  test('gives way when it is seen again, if it was left', () => {
    const { panels, tab } = openTab();
    tab.show(false);
    vi.advanceTimersByTime(LONG_MS);
    expect(panels).toHaveLength(1);
    tab.show(true);
    expect(panels).toHaveLength(2);
  });

  test('gives way also where the editor has restored it after a reload', () => {
    const { panels, restore } = openTab();
    const restored = new FakePanel();
    let isClosed = false;
    restored.onDidDispose(() => (isClosed = true));
    restore(restored, { panel: 'roofline', values: {} });
    panels[0]?.webview.say({ type: 'ready' });
    vi.advanceTimersByTime(LONG_MS);
    expect(isClosed).toBe(true);
    expect(panels[1]?.webview.html).toContain('roofline.js');
  });

  test('is made anew a few times only', () => {
    const { panels } = openTab();
    for (let times = 0; times < 10; times++) vi.advanceTimersByTime(LONG_MS);
    expect(panels).toHaveLength(3);
  });
});

test.each([
  ['has started', (tab: FakePanel) => tab.webview.say({ type: 'ready' })],
  ['was closed', (tab: FakePanel) => tab.dispose()],
])('a tab that %s stays as it is', (_, happens) => {
  const { panels, tab } = openTab();
  happens(tab);
  vi.advanceTimersByTime(LONG_MS);
  expect(panels).toHaveLength(1);
});

describe('a view in a browser', () => {
  test('is filled again, a few times only, while its page does not start', () => {
    const { webview } = setUp().openView();
    const fills = [webview.html];
    for (let times = 0; times < 10; times++) {
      vi.advanceTimersByTime(LONG_ENOUGH_MS);
      if (webview.html !== fills.at(-1)) fills.push(webview.html);
    }
    expect(fills).toHaveLength(3);
    expect(fills.at(-1)).toContain('hotLines.js');
  });

  test('is left as it is once its page has started, until it is hidden and seen again', () => {
    const view = setUp().openView();
    view.webview.say({ type: 'ready' });
    const { html } = view.webview;
    vi.advanceTimersByTime(LONG_MS);
    view.show(false);
    vi.advanceTimersByTime(LONG_MS);
    expect(view.webview.html).toBe(html);
    view.show(true);
    vi.advanceTimersByTime(LONG_MS);
    expect(view.webview.html).not.toBe(html);
  });

  test('is left as it is where it is hidden and seen again while it starts, for it starts anew then', () => {
    const view = setUp().openView();
    const { html } = view.webview;
    view.show(false);
    view.show(true);
    view.webview.say({ type: 'ready' });
    view.show(false);
    vi.advanceTimersByTime(LONG_MS);
    view.show(true);
    expect(view.webview.html).toBe(html);
    view.webview.say({ type: 'ready' });
    vi.advanceTimersByTime(LONG_MS);
    expect(view.webview.html).toBe(html);
  });

  test('starts before the tab of a panel does', async () => {
    const { panels, openView, open } = setUp();
    const view = openView();
    const opened = [open(), open()];
    await vi.advanceTimersByTimeAsync(1000);
    expect(panels).toHaveLength(0);
    view.webview.say({ type: 'ready' });
    await Promise.all(opened);
    expect(panels).toHaveLength(1);
    expect(panels[0]?.revealed).toBe(1);
    view.show(false);
    panels[0]?.dispose();
    open();
    expect(panels, 'nobody waits for one that is out of sight').toHaveLength(2);
  });

  test('is not waited for without end', async () => {
    const { panels, openView, open } = setUp();
    openView();
    open();
    await vi.advanceTimersByTimeAsync(LONG_ENOUGH_MS / 2);
    expect(panels).toHaveLength(1);
  });
});

test('a page on the desktop has an address of its own, and needs no second tab', () => {
  Object.assign(env, { uiKind: UIKind.Desktop });
  const { panels, openView, open } = setUp();
  const view = openView();
  const { html } = view.webview;
  open();
  expect(panels).toHaveLength(1);
  vi.advanceTimersByTime(LONG_MS);
  expect(panels).toHaveLength(1);
  expect(view.webview.html).toBe(html);
});

// @vitest-environment happy-dom
// A panel is one folder of extension/webview and one line of the registry: this adds one to a copy of the extension.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runInThisContext } from 'node:vm';
import { act } from 'preact/test-utils';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { EventEmitter, Uri } from 'vscode';
import type { registerPanels } from '../../../extension/src/panels/host';
import { FakeDaemon, opened } from '../features/fakeDaemon';
import { fake, resetFake, silentLog } from '../vscode';
import { aView } from './aView';
import './browser';
import { type FakePanel, withWebviews } from './fakeWebviews';

const root = path.resolve(import.meta.dirname, '../../..');
// Under the root, since the test runner reads no modules from elsewhere.
const results = path.join(root, 'test-results');
mkdirSync(results, { recursive: true });
const copy = mkdtempSync(path.join(results, 'another-panel-'));

const page = `
import { Frame } from '../../shared/frame/frame';
import { mount } from '../../shared/page/mount';
import { RecordView } from '../../shared/page/recordView';

mount(
  <RecordView
    panel="hotLines"
    params={{}}
    empty={() => null}
    show={({ run, record }) => (
      <Frame facts={[run.title]} details={{ label: 'Details', content: null }} status="Everything is shown.">
        <p>{record.lines.length} lines</p>
      </Frame>
    )}
  />,
);
`;

beforeAll(() => {
  const isOurs = (file: string) => !file.endsWith(`${path.sep}dist`);
  cpSync(path.join(root, 'extension'), path.join(copy, 'extension'), { recursive: true, filter: isOurs });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));

  mkdirSync(path.join(copy, 'extension/webview/panels/another'));
  writeFileSync(path.join(copy, 'extension/webview/panels/another/index.tsx'), page);
  const registry = path.join(copy, 'extension/src/panels/registry.ts');
  const line = "  another: { title: () => vscode.l10n.t('Another'), icon: 'pulse', sideBar: false },\n};";
  writeFileSync(registry, readFileSync(registry, 'utf8').replace('\n};', `\n${line}`));

  execFileSync(process.execPath, ['extension/scripts/build.mjs'], { cwd: copy, stdio: 'inherit' });
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));
beforeEach(resetFake);

test('the new panel opens, asks the daemon, shows its record, and saves what restores it', async () => {
  const window_ = withWebviews();
  const daemon = new FakeDaemon();
  const host = (await import(path.join(copy, 'extension/src/panels/host.ts'))) as {
    registerPanels: typeof registerPanels;
  };
  host.registerPanels(
    { daemon: daemon.connection, log: silentLog(), context: { extensionUri: Uri.file(copy) } } as never,
    { onDidChange: new EventEmitter<null>().event },
    () => undefined,
  );
  fake.commands.get('scopelight.openAnother')?.();
  const { webview, title, iconPath } = window_.panels[0] as FakePanel;
  expect(title).toBe('Another');
  for (const icon of Object.values(iconPath as Record<string, { path: string }>)) {
    expect(existsSync(icon.path), icon.path).toBe(true);
  }

  // The page in its document, speaking with the host.
  document.body.innerHTML = /<body[^>]*>([\s\S]*)<script/.exec(webview.html)?.[1] ?? '';
  let saved: unknown;
  vi.stubGlobal('acquireVsCodeApi', () => ({
    getState: () => undefined,
    setState: (state: unknown) => (saved = state),
    postMessage: (message: never) => webview.say(message),
  }));
  const toPage = vi.spyOn(webview, 'postMessage').mockImplementation((message) => {
    window.dispatchEvent(new MessageEvent('message', { data: structuredClone(message) }));
    return Promise.resolve(true);
  });
  const script = /src="([^"]+another\.js)"/.exec(webview.html)?.[1] ?? '';
  await act(() => void runInThisContext(readFileSync(Uri.parse(script).path, 'utf8')));
  await act(() => daemon.notify('scopelight/shownRun', { run: opened('/runs/a') }));
  const asked = await vi.waitFor(() => daemon.request(0));
  asked.answer(aView());

  await expect.poll(() => document.body.textContent).toContain('3 lines');
  expect(document.body.textContent).toContain('Everything is shown.');
  expect(saved).toMatchObject({ panel: 'another' });
  expect(toPage).toHaveBeenCalled();
});

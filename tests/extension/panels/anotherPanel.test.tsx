// @vitest-environment happy-dom
// A panel is a folder of extension/webview/panels and nothing else: this adds one to a copy of the extension.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runInThisContext } from 'node:vm';
import { act } from 'preact/test-utils';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { EventEmitter, Uri } from 'vscode';
import type * as hostModule from '../../../extension/src/panels/host';
import type * as panelListModule from '../../../extension/src/panels/panelList';
import { FakeDaemon, fakeMemento, opened } from '../features/fakeDaemon';
import { fake, resetFake, silentLog } from '../vscode';
import { aView } from './hotLines/madeLines';
import './shared/browser';
import { type FakePanel, withWebviews } from './fakeWebviews';

const root = path.resolve(import.meta.dirname, '../../..');
// Under the root, since the test runner reads no modules from elsewhere.
const results = path.join(root, 'test-results');
mkdirSync(results, { recursive: true });
const copy = mkdtempSync(path.join(results, 'another-panel-'));

const files = {
  'panel.ts': `
import * as l10n from '@vscode/l10n';
import type { PanelManifest } from '../../../src/panels/manifest';

export const panel: PanelManifest<'lines'> = {
  view: 'lines',
  title: () => l10n.t('Another'),
  icon: 'pulse',
  order: 25,
  isInSideBar: true,
  selections: ['line'],
  dependsOn: [],
};
`,
  'index.tsx': `
import { Frame } from '../../shared/frame/frame';
import { mount } from '../../shared/page/mount';
import { RecordView } from '../../shared/page/recordView';
import { panel } from './panel';

mount(
  <RecordView
    panel={panel}
    params={{}}
    
    show={({ run, record }) => (
      <Frame facts={[run.title]} details={null} status="Everything is shown.">
        <p>{record.lines.length} lines</p>
      </Frame>
    )}
  />,
);
`,
};

const run = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, [`extension/scripts/${script}`, ...args], { cwd: copy, stdio: 'pipe' });
const readManifest = (file: string) => JSON.parse(readFileSync(path.join(copy, file), 'utf8')) as unknown;

beforeAll(() => {
  const isOurs = (file: string) => !file.endsWith(`${path.sep}dist`);
  cpSync(path.join(root, 'extension'), path.join(copy, 'extension'), { recursive: true, filter: isOurs });
  for (const file of ['package.json', 'package.nls.json']) {
    cpSync(path.join(root, file), path.join(copy, file));
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));

  mkdirSync(path.join(copy, 'extension/webview/panels/another'));
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(path.join(copy, 'extension/webview/panels/another', file), text);
  }
  expect(() => run('generate_panels.mjs', '--check')).toThrow(/registry\.ts is stale: run 'npm run panels'/);
  run('generate_panels.mjs');
  run('build.mjs');
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));
beforeEach(resetFake);

test('the new panel opens, asks the daemon, shows its record, and saves what restores it', async () => {
  const window_ = withWebviews();
  const daemon = new FakeDaemon();
  const { PanelHost } = (await import(path.join(copy, 'extension/src/panels/host.ts'))) as typeof hostModule;
  new PanelHost(
    {
      daemon: daemon.connection,
      log: silentLog(),
      context: { extensionUri: Uri.file(copy), workspaceState: fakeMemento() },
    } as never,
    { onDidChange: new EventEmitter<null>().event, captured: null },
    { onDidChange: new EventEmitter<null>().event, current: null },
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

test('the new panel is in the menus of the editor, in the side bar and in *Show in …*, and removed with its folder', async () => {
  const { panelsFor } = (await import(path.join(copy, 'extension/src/panels/panelList.ts'))) as typeof panelListModule;
  const line = { kind: 'line', file: '/w/a.py', line: 3 } as const;
  expect(panelsFor(line, opened('/runs/a'))).toContain('another');
  expect(panelsFor(line, opened('/runs/a', { has: ['programs'] }))).not.toContain('another');
  expect(panelsFor({ kind: 'scope', name: 'model', file: null, line: null }, null)).not.toContain('another');

  const command = 'scopelight.openAnother';
  const when = 'scopelight.hasShownRun';
  expect(readManifest('package.json')).toMatchObject({
    contributes: {
      commands: expect.arrayContaining([expect.objectContaining({ command, icon: '$(pulse)' })]) as unknown,
      menus: {
        commandPalette: expect.arrayContaining([{ command, when }]) as unknown,
        'view/title': expect.arrayContaining([
          expect.objectContaining({ command, when: `view == scopelight.hotLines && ${when}` }),
        ]) as unknown,
      },
      views: {
        scopelight: expect.arrayContaining([expect.objectContaining({ id: 'scopelight.another' })]) as unknown,
      },
    },
  });
  expect(readManifest('package.nls.json')).toMatchObject({ 'panel.another.open': 'Open Another' });

  rmSync(path.join(copy, 'extension/webview/panels/another'), { recursive: true });
  run('generate_panels.mjs');
  for (const file of ['package.json', 'package.nls.json']) {
    expect(readManifest(file)).toEqual(JSON.parse(readFileSync(path.join(root, file), 'utf8')));
  }
});

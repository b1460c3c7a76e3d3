import { expect, test, vi } from 'vitest';
import * as vscode from 'vscode';
import { registerFileEditors } from '../../../extension/src/panels/fileEditors';
import { silentLog } from '../vscode';
import { aFilledPage } from './fakeWebviews';

interface Provider {
  openCustomDocument(uri: vscode.Uri): { readonly uri: vscode.Uri };
  resolveCustomEditor(document: { readonly uri: vscode.Uri }, tab: unknown): void;
}

test('a snapshot of memory opens as the memory profile of its path, until its tab is closed', () => {
  const register = vi.fn<(type: string, provider: Provider, options: unknown) => vscode.Disposable>();
  Object.assign(vscode.window, { registerCustomEditorProvider: register });
  const close = vi.fn();
  const fill = vi.fn(() => aFilledPage(close));
  const open = vi.fn();
  registerFileEditors({ log: silentLog() } as never, { fill }, { current: null, open });
  const [, provider, options] = register.mock.calls.find(([type]) => type === 'scopelight.memorySnapshot') ?? [];
  expect(options).toMatchObject({ supportsMultipleEditorsPerDocument: true });
  const closed = new vscode.EventEmitter<void>();
  const tab = { webview: {}, visible: true, onDidChangeViewState: vi.fn(), onDidDispose: closed.event };
  const document = provider?.openCustomDocument(vscode.Uri.file('/w/memory.prof'));
  provider?.resolveCustomEditor(document as { readonly uri: vscode.Uri }, tab);
  const file: unknown = expect.objectContaining({ path: '/w/memory.prof' });
  expect(fill).toHaveBeenCalledExactlyOnceWith('memoryProfile', tab.webview, 'editor', file);
  expect(close).not.toHaveBeenCalled();
  closed.fire();
  expect(close).toHaveBeenCalledOnce();
  expect(open, 'the run that is shown stays').not.toHaveBeenCalled();
});

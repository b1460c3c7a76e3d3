import { expect, test, vi } from 'vitest';
import * as vscode from 'vscode';
import { MEMORY_EDITOR, registerMemoryEditor } from '../../../extension/src/panels/memoryEditor';

interface Provider {
  openCustomDocument(uri: vscode.Uri): { readonly uri: vscode.Uri };
  resolveCustomEditor(document: { readonly uri: vscode.Uri }, tab: unknown): void;
}

test('a snapshot of memory opens as the memory profile of its path, until its tab is closed', () => {
  const register = vi.fn<(type: string, provider: Provider, options: unknown) => vscode.Disposable>();
  Object.assign(vscode.window, { registerCustomEditorProvider: register });
  const close = vi.fn();
  const fill = vi.fn(() => close);
  registerMemoryEditor({ fill });
  const [type, provider, options] = register.mock.calls[0] ?? [];
  expect(type).toBe(MEMORY_EDITOR);
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
});

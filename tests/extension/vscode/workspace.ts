// Stands for the editor's folders, documents and settings.
import { vi } from 'vitest';
import type { WorkspaceEdit } from './edits';
import { Disposable, EventEmitter } from './events';
import { changeSetting, configurationChanged, fake, FakeWatcher } from './fake';
import { type RelativePattern, Uri } from './files';

export const workspace = {
  isTrusted: true,
  workspaceFolders: undefined as { uri: Uri; name: string; index: number }[] | undefined,
  textDocuments: [] as unknown[],
  getConfiguration(section?: string) {
    const full = (key: string) => (section === undefined ? key : `${section}.${key}`);
    return {
      get: (key: string, fallback?: unknown) => fake.settings.get(full(key)) ?? fallback,
      has: (key: string) => fake.settings.has(full(key)),
      inspect: (key: string) => ({ key: full(key), globalValue: fake.settings.get(full(key)) }),
      update: (key: string, value: unknown) => {
        changeSetting(full(key), value);
        return Promise.resolve();
      },
    };
  },
  getWorkspaceFolder: (uri: Uri) =>
    workspace.workspaceFolders?.find((folder) => uri.path.startsWith(`${folder.uri.path}/`)),
  asRelativePath(path: string | Uri, withFolder?: boolean): string {
    const isNamed = withFolder ?? (workspace.workspaceFolders?.length ?? 0) > 1;
    const uri = typeof path === 'string' ? Uri.file(path) : path;
    const folder = workspace.getWorkspaceFolder(uri);
    const within = folder === undefined ? uri.path : uri.path.slice(folder.uri.path.length + 1);
    return folder !== undefined && isNamed ? `${folder.name}/${within}` : within;
  },
  applyEdit: vi.fn<(edit: WorkspaceEdit) => Promise<boolean>>(),
  registerFileSystemProvider: vi.fn(() => new Disposable(() => undefined)),
  registerTextDocumentContentProvider: vi.fn(() => new Disposable(() => undefined)),
  openTextDocument: vi.fn((options: unknown) => Promise.resolve(options)),
  saveAll: vi.fn(() => Promise.resolve(true)),
  onDidChangeConfiguration: configurationChanged.event,
  onDidOpenTextDocument: new EventEmitter<unknown>().event,
  onDidCloseTextDocument: new EventEmitter<unknown>().event,
  onDidChangeTextDocument: new EventEmitter<unknown>().event,
  onDidChangeNotebookDocument: new EventEmitter<unknown>().event,
  onDidGrantWorkspaceTrust: new EventEmitter<void>().event,
  onDidChangeWorkspaceFolders: new EventEmitter<unknown>().event,
  createFileSystemWatcher: (pattern: RelativePattern, ...ignored: readonly boolean[]) => {
    const watcher = new FakeWatcher(pattern, ignored);
    fake.watchers.push(watcher);
    return watcher;
  },
  fs: { stat: vi.fn(), delete: vi.fn(), readFile: vi.fn(), readDirectory: vi.fn() },
};

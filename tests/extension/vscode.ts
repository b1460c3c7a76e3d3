// Stands for the module `vscode` in unit tests: the parts of the editor that the extension touches, kept in memory.
// A test looks at what the extension did through `fake`, and calls `resetFake` before each test.
import { vi } from 'vitest';

type Listener<T> = (event: T) => unknown;

export class Disposable {
  static from(...parts: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const part of parts) part.dispose();
    });
  }

  constructor(private readonly onDispose: () => unknown) {}

  dispose(): void {
    this.onDispose();
  }
}

export class EventEmitter<T> {
  private readonly listeners = new Set<Listener<T>>();

  readonly event = (listener: Listener<T>, thisArg?: unknown, disposables?: Disposable[]): Disposable => {
    const bound: Listener<T> = (event) => listener.call(thisArg, event);
    this.listeners.add(bound);
    const disposable = new Disposable(() => this.listeners.delete(bound));
    disposables?.push(disposable);
    return disposable;
  };

  fire(event: T): void {
    for (const listener of [...this.listeners]) listener(event);
  }

  dispose(): void {
    this.listeners.clear();
  }
}

export class CancellationError extends Error {
  constructor() {
    super('Canceled');
    this.name = 'Canceled';
  }
}

export class CancellationTokenSource {
  private readonly emitter = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };

  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }

  dispose(): void {
    this.emitter.dispose();
  }
}

export class Uri {
  static file(path: string): Uri {
    return new Uri('file', path);
  }

  static parse(text: string): Uri {
    const parsed = new URL(text);
    const query = decodeURIComponent(parsed.search.slice(1));
    return new Uri(parsed.protocol.slice(0, -1), decodeURIComponent(parsed.pathname), query);
  }

  static from({ scheme, path, query = '' }: { scheme: string; path: string; query?: string }): Uri {
    return new Uri(scheme, path, query);
  }

  static joinPath(base: Uri, ...parts: string[]): Uri {
    return new Uri(base.scheme, [base.path.replace(/\/$/, ''), ...parts].join('/'));
  }

  private constructor(
    readonly scheme: string,
    readonly path: string,
    readonly query = '',
  ) {}

  readonly authority = '';
  readonly fragment = '';

  get fsPath(): string {
    return this.path;
  }

  with(change: { scheme?: string; path?: string }): Uri {
    return new Uri(change.scheme ?? this.scheme, change.path ?? this.path, this.query);
  }

  toString(): string {
    const query = this.query === '' ? '' : `?${encodeURIComponent(this.query)}`;
    return `${this.scheme}://${encodeURI(this.path)}${query}`;
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number);
  constructor(start: Position, end: Position);
  constructor(a: number | Position, b: number | Position, c?: number, d?: number) {
    this.start = typeof a === 'number' ? new Position(a, b as number) : a;
    this.end = typeof a === 'number' ? new Position(c ?? 0, d ?? 0) : (b as Position);
  }
}

export class Selection extends Range {}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export class ThemeIcon {
  constructor(
    readonly id: string,
    readonly color?: ThemeColor,
  ) {}
}

export class MarkdownString {
  isTrusted: boolean | { readonly enabledCommands: readonly string[] } | undefined;
  supportThemeIcons = false;

  constructor(public value = '') {}

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }

  appendCodeblock(code: string): this {
    this.value += `\n\`\`\`\n${code}\n\`\`\`\n`;
    return this;
  }

  appendText(text: string): this {
    this.value += text.replace(/[\\`*_{}[\]()#+\-.!]/g, '\\$&');
    return this;
  }
}

export class TreeItem {
  constructor(
    readonly label: string,
    public collapsibleState = 0,
  ) {}
}

export class Task {
  presentationOptions: unknown;

  constructor(
    readonly definition: unknown,
    readonly scope: unknown,
    readonly name: string,
    readonly source: string,
    readonly execution: unknown,
  ) {}
}

export class ProcessExecution {
  constructor(
    readonly process: string,
    readonly args: readonly string[],
    readonly options: unknown,
  ) {}
}

export const TaskScope = { Global: 1, Workspace: 2 } as const;
export const TaskRevealKind = { Always: 1, Silent: 2, Never: 3 } as const;
export const TaskPanelKind = { Shared: 1, Dedicated: 2, New: 3 } as const;

export const NotebookCellKind = { Markup: 1, Code: 2 } as const;

export class NotebookRange {
  constructor(
    readonly start: number,
    readonly end: number,
  ) {}
}

export class NotebookCellData {
  constructor(
    readonly kind: number,
    readonly value: string,
    readonly languageId: string,
  ) {}
}

export class NotebookEdit {
  static insertCells(index: number, cells: NotebookCellData[]): NotebookEdit {
    return new NotebookEdit(new NotebookRange(index, index), cells);
  }

  static deleteCells(range: NotebookRange): NotebookEdit {
    return new NotebookEdit(range, []);
  }

  private constructor(
    readonly range: NotebookRange,
    readonly newCells: readonly NotebookCellData[],
  ) {}
}

export class WorkspaceEdit {
  readonly changes: [Uri, readonly NotebookEdit[]][] = [];
  readonly created: string[] = [];
  readonly replaced: { readonly path: string; readonly range: Range; readonly text: string }[] = [];

  createFile(uri: Uri): void {
    this.created.push(uri.path);
  }

  replace(uri: Uri, range: Range, text: string): void {
    this.replaced.push({ path: uri.path, range, text });
  }

  set(uri: Uri, edits: readonly NotebookEdit[]): void {
    this.changes.push([uri, edits]);
  }
}

export class TabInputCustom {
  constructor(
    readonly uri: unknown,
    readonly viewType: string,
  ) {}
}

export class RelativePattern {
  constructor(
    readonly base: unknown,
    readonly pattern: string,
  ) {}
}

/** What a test tells a file by that was written: `ignored` are creations, changes and deletions. */
export class FakeWatcher {
  readonly created = new EventEmitter<Uri>();
  readonly changed = new EventEmitter<Uri>();
  readonly deleted = new EventEmitter<Uri>();
  readonly onDidCreate = this.created.event;
  readonly onDidChange = this.changed.event;
  readonly onDidDelete = this.deleted.event;
  isDisposed = false;

  constructor(
    readonly pattern: RelativePattern,
    readonly ignored: readonly boolean[],
  ) {}

  dispose(): void {
    this.isDisposed = true;
  }
}

export class TabInputWebview {
  constructor(readonly viewType: string) {}
}

export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const ViewColumn = { Active: -1, One: 1 } as const;
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;
export const OverviewRulerLane = { Left: 1, Center: 2, Right: 4, Full: 7 } as const;
export const DecorationRangeBehavior = { OpenOpen: 0, ClosedClosed: 1, OpenClosed: 2, ClosedOpen: 3 } as const;
export const StatusBarAlignment = { Left: 1, Right: 2 } as const;
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } as const;
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const TextEditorRevealType = { Default: 0, InCenter: 1, InCenterIfOutsideViewport: 2, AtTop: 3 } as const;
export const UIKind = { Desktop: 1, Web: 2 } as const;
export const ExtensionMode = { Production: 1, Development: 2, Test: 3 } as const;

/** A message that was shown, and the means to press one of its buttons. */
export interface ShownMessage {
  readonly kind: 'information' | 'warning' | 'error';
  readonly text: string;
  readonly buttons: readonly string[];
  readonly options: { readonly modal?: boolean; readonly detail?: string };
  press(button: string | undefined): void;
}

/** What a test arranges and looks at. */
export interface Fake {
  readonly settings: Map<string, unknown>;
  readonly messages: ShownMessage[];
  readonly contexts: Map<string, unknown>;
  readonly commands: Map<string, (...args: unknown[]) => unknown>;
  readonly executed: { command: string; args: unknown[] }[];
  readonly extensions: Map<string, { isActive: boolean; exports: unknown; activate(): Promise<unknown> }>;
  readonly progress: { title: string; reports: { message?: string; increment?: number }[] }[];
  readonly watchers: FakeWatcher[];
}

export const fake: Fake = {
  settings: new Map(),
  messages: [],
  contexts: new Map(),
  commands: new Map(),
  executed: [],
  extensions: new Map(),
  progress: [],
  watchers: [],
};

const configurationChanged = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();

/** Changes a setting as a user would, and tells who listens. */
export function changeSetting(key: string, value: unknown): void {
  fake.settings.set(key, value);
  configurationChanged.fire({
    affectsConfiguration: (section) => key === section || key.startsWith(`${section}.`),
  });
}

export function resetFake(): void {
  fake.settings.clear();
  fake.messages.length = 0;
  fake.contexts.clear();
  fake.commands.clear();
  fake.executed.length = 0;
  fake.extensions.clear();
  fake.progress.length = 0;
  fake.watchers.length = 0;
  workspace.isTrusted = true;
  workspace.workspaceFolders = undefined;
  window.activeTextEditor = undefined;
  window.visibleTextEditors = [];
  window.tabGroups = noTabs();
}

function show(kind: ShownMessage['kind']) {
  return (text: string, ...rest: unknown[]): Promise<string | undefined> => {
    const buttons = rest.filter((each): each is string => typeof each === 'string');
    const options = rest.find((each) => typeof each === 'object' && each !== null) ?? {};
    return new Promise((resolve) => {
      fake.messages.push({ kind, text, buttons, options, press: resolve });
    });
  };
}

function noTabs() {
  return { all: [] as unknown[], close: () => Promise.resolve(true) };
}

export const FileType = { Unknown: 0, File: 1, Directory: 2 } as const;
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 } as const;

export class FileSystemError extends Error {
  static FileNotFound(uri: Uri): FileSystemError {
    return new FileSystemError(`There is no ${uri.toString()}.`);
  }

  static NoPermissions(uri: Uri): FileSystemError {
    return new FileSystemError(`${uri.toString()} may not be written.`);
  }
}

export const window = {
  activeTextEditor: undefined as unknown,
  visibleTextEditors: [] as unknown[],
  showInformationMessage: show('information'),
  showWarningMessage: show('warning'),
  showErrorMessage: show('error'),
  showInputBox: vi.fn(),
  showQuickPick: vi.fn(),
  showOpenDialog: vi.fn(),
  showTextDocument: vi.fn(() => Promise.resolve()),
  setStatusBarMessage: vi.fn(),
  createTextEditorDecorationType: vi.fn((options: unknown) => ({ options, dispose: vi.fn() })),
  createStatusBarItem: vi.fn(() => ({ show: vi.fn(), hide: vi.fn(), dispose: vi.fn(), text: '' })),
  createOutputChannel: vi.fn(() => silentLog()),
  createTreeView: vi.fn(() => ({ dispose: vi.fn() })),
  tabGroups: noTabs(),
  onDidChangeActiveTextEditor: new EventEmitter<unknown>().event,
  onDidChangeVisibleTextEditors: new EventEmitter<unknown>().event,
  onDidChangeTextEditorOptions: new EventEmitter<unknown>().event,
  async withProgress<T>(
    options: { title?: string },
    task: (
      progress: { report(value: { message?: string; increment?: number }): void },
      token: CancellationTokenSource['token'],
    ) => Promise<T>,
  ): Promise<T> {
    const reports: { message?: string; increment?: number }[] = [];
    fake.progress.push({ title: options.title ?? '', reports });
    return task({ report: (value) => reports.push(value) }, new CancellationTokenSource().token);
  },
};

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

export const commands = {
  registerCommand(command: string, handler: (...args: unknown[]) => unknown): Disposable {
    fake.commands.set(command, handler);
    return new Disposable(() => fake.commands.delete(command));
  },
  executeCommand(command: string, ...args: unknown[]): Promise<unknown> {
    if (command === 'setContext') fake.contexts.set(String(args[0]), args[1]);
    fake.executed.push({ command, args });
    return Promise.resolve(fake.commands.get(command)?.(...args));
  },
};

export const extensions = {
  getExtension: (id: string) => fake.extensions.get(id),
  onDidChange: new EventEmitter<void>().event,
};

export const env = {
  remoteName: undefined as string | undefined,
  appName: 'Visual Studio Code',
  language: 'en',
  uiKind: 1,
  clipboard: { writeText: vi.fn(() => Promise.resolve()) },
};

export const version = '1.100.3';

export const l10n = {
  t(message: string, ...args: unknown[]): string {
    const named = typeof args[0] === 'object' && args[0] !== null ? (args[0] as Record<string, unknown>) : undefined;
    return message.replace(/\{(\w+)\}/g, (_, key: string) => String(named ? named[key] : args[Number(key)]));
  },
};

export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}

export class LanguageModelToolResult {
  constructor(readonly content: readonly unknown[]) {}
}

/** Tools by their names, as the extension registered them. */
export const lm = {
  tools: new Map<string, unknown>(),
  registerTool: (name: string, tool: unknown): Disposable => {
    lm.tools.set(name, tool);
    return new Disposable(() => lm.tools.delete(name));
  },
};

export const languages = { createDiagnosticCollection: vi.fn(), match: vi.fn() };

export const tasks = {
  executeTask: vi.fn(),
  onDidEndTask: new EventEmitter<unknown>().event,
  onDidEndTaskProcess: new EventEmitter<unknown>().event,
  onDidStartTaskProcess: new EventEmitter<unknown>().event,
};

/** A log channel that keeps nothing. */
export function silentLog() {
  return {
    name: 'Scopelight',
    trace: vi.fn(),
    debug: vi.fn(),
    info: vi.fn(),
    warn: vi.fn(),
    error: vi.fn(),
    append: vi.fn(),
    appendLine: vi.fn(),
    show: vi.fn(),
    dispose: vi.fn(),
  };
}

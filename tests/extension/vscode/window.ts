// Stands for the editor's window: messages wait in `fake` until a test presses a button.
import { vi } from 'vitest';
import { CancellationTokenSource, EventEmitter } from './events';
import { fake, type ShownMessage } from './fake';

function show(kind: ShownMessage['kind']) {
  return (text: string, ...rest: unknown[]): Promise<string | undefined> => {
    const buttons = rest.filter((each): each is string => typeof each === 'string');
    const options = rest.find((each) => typeof each === 'object' && each !== null) ?? {};
    return new Promise((resolve) => {
      fake.messages.push({ kind, text, buttons, options, press: resolve });
    });
  };
}

export function noTabs() {
  return { all: [] as unknown[], close: () => Promise.resolve(true) };
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

// Stands for the rest of what the editor does for the extension: commands, tasks, tools, languages.
import { vi } from 'vitest';
import { Disposable, EventEmitter } from './events';
import { fake } from './fake';

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

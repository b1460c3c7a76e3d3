// A capture that runs in an editor whose tasks, notifications and daemon a test moves on.
import { vi } from 'vitest';
import type { CaptureRequest } from '../../../extension/src/capture/captureCommand';
import { runCapture } from '../../../extension/src/capture/captureSession';
import { type Making, Remembered } from '../../../extension/src/remembered';
import { ShownRun } from '../../../extension/src/runs/shownRun';
import { FakeDaemon, fakeMemento } from '../features/fakeDaemon';
import { CancellationTokenSource, EventEmitter, fake, resetFake, silentLog, tasks, window, workspace } from '../vscode';

export const MAKING: Making = {
  target: { kind: 'script', path: '/w/train.py' },
  answers: { args: '', window: { kind: 'settings' } },
};
export const request: CaptureRequest = {
  title: 'train.py',
  name: '/w/train.py',
  isModule: false,
  args: [],
  cwd: '/w',
  env: {},
  python: undefined,
  window: { kind: 'settings' },
  steps: { steps: 5, skip: 2 },
  calibrates: true,
  recordsHost: true,
  resources_ms: 50,
  folder: '/w',
  making: MAKING,
};

/** A progress notification: its title, what it has said, and its Cancel. */
interface Shown {
  readonly title: string;
  readonly messages: string[];
  cancel(): void;
}

export const started = new EventEmitter<unknown>();
export const ended = new EventEmitter<unknown>();
export const execution = { terminate: vi.fn() };
export const notifications: Shown[] = [];

/** The editor before each test: its tasks start and end when a test says so, its notifications are kept. */
export function prepareEditor(): void {
  resetFake();
  notifications.length = 0;
  execution.terminate.mockReset();
  tasks.executeTask.mockReturnValue(Promise.resolve(execution));
  vi.spyOn(tasks, 'onDidStartTaskProcess').mockImplementation(started.event);
  vi.spyOn(tasks, 'onDidEndTaskProcess').mockImplementation(ended.event);
  vi.spyOn(window, 'withProgress').mockImplementation((options, task) => {
    const source = new CancellationTokenSource();
    const messages: string[] = [];
    notifications.push({ title: options.title ?? '', messages, cancel: () => source.cancel() });
    return task({ report: ({ message }) => messages.push(message ?? '') }, source.token);
  });
  workspace.fs.stat.mockResolvedValue({});
}

/** A capture that was started, with what it asks of and tells. */
export function setUp(asked = request, isOneOfSeveral = false) {
  const daemon = new FakeDaemon();
  const log = silentLog() as never;
  const remembered = new Remembered(fakeMemento());
  const shown = new ShownRun({ daemon: daemon.connection, log }, remembered);
  const services = { daemon: daemon.connection, log } as never;
  return { daemon, shown, remembered, capturing: runCapture(services, { shown, remembered }, asked, isOneOfSeveral) };
}

export const ERROR = {
  kind: 'ValueError',
  message: 'negative',
  path: '/w/model.py',
  line: 12,
  function: 'root',
  module: null,
};

export function lastMessage() {
  return fake.messages.at(-1);
}

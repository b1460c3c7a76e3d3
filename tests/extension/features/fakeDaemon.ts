import { CancellationError, EventEmitter } from 'vscode';
import type { CancellationToken } from 'vscode';
import type {
  DaemonConnection,
  DaemonState,
  ProgressReport,
  RequestOptions,
} from '../../../extension/src/daemon/connection';

export { opened } from './openedRun';

/** A request that a test answers. */
export interface Asked {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly token: CancellationToken | undefined;
  readonly isQuiet: boolean;
  answer(result: unknown): void;
  refuse(error: Error): void;
  progress(report: ProgressReport): void;
}

/** A daemon whose answers a test gives. */
export class FakeDaemon {
  state: DaemonState = 'running';
  readonly asked: Asked[] = [];
  private readonly stateChanged = new EventEmitter<DaemonState>();
  private readonly handlers = new Map<string, ((params: unknown) => void)[]>();
  private readonly waiting: (() => void)[] = [];

  readonly connection = {
    onDidChangeState: this.stateChanged.event,
    request: (method: string, params: Readonly<Record<string, unknown>>, options: RequestOptions = {}) =>
      new Promise((resolve, reject) => {
        const { token, onProgress, isQuiet = false } = options;
        token?.onCancellationRequested(() => reject(new CancellationError()));
        const progress = (report: ProgressReport) => onProgress?.(report);
        this.asked.push({ method, params, token, isQuiet, answer: resolve, refuse: reject, progress });
        this.waiting.splice(0).forEach((tell) => tell());
      }),
    onNotification: (name: string, handler: (params: unknown) => void) => {
      this.handlers.set(name, [...(this.handlers.get(name) ?? []), handler]);
      return { dispose: () => undefined };
    },
    python: () => Promise.resolve('/daemon/bin/python'),
    beInstalled: () => Promise.resolve(),
  } as unknown as DaemonConnection;

  constructor() {
    Object.defineProperty(this.connection, 'state', { get: () => this.state });
  }

  /** The request with this number, counted from 0, once it was asked. */
  async request(number: number): Promise<Asked> {
    for (;;) {
      const found = this.asked[number];
      if (found !== undefined) {
        return found;
      }
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    }
  }

  become(state: DaemonState): void {
    this.state = state;
    this.stateChanged.fire(state);
  }

  notify(name: string, params: unknown): void {
    this.handlers.get(name)?.forEach((handler) => handler(params));
  }
}

/** A memento that keeps what it is given. */
export function fakeMemento() {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string, fallback?: unknown) => values.get(key) ?? fallback,
    update: (key: string, value: unknown) => {
      values.set(key, value);
      return Promise.resolve();
    },
  } as never;
}

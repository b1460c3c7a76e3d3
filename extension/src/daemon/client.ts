import type * as vscode from 'vscode';
import type { Settings } from '../protocol';
import type { ProgressReport } from './connection';
import { DaemonError } from './connection';

/** The two sides speak different protocols. The sentence says which is the older one, as `older` does. */
export class RefusedError extends DaemonError {
  constructor(
    message: string,
    readonly older: 'daemon' | 'extension',
  ) {
    super(message);
  }
}

/** One process of the daemon, from its start to its end. */
export interface DaemonClient {
  /** Rejects with `RefusedError`, or with `DaemonError` where the process does not answer. */
  start(): Promise<void>;
  request(method: string, params: object, token: vscode.CancellationToken | undefined): Promise<unknown>;
  onNotification(name: string, handler: (params: unknown) => void): void;
  onProgress(token: string, handler: (report: ProgressReport) => void): { dispose(): unknown };
  sendSettings(settings: Settings): void;
  /** Ends the process, by force where it does not end by itself. */
  stop(): Promise<void>;
}

/** Makes the client for a daemon in `python`; `onEnded` is called where the process ends unasked after it had started. */
export type MakeClient = (python: string, settings: Settings, onEnded: () => void) => Promise<DaemonClient>;

import type * as vscode from 'vscode';
import type { Button } from '../userMessages';
import type { Notifications, Requests } from '../protocol';

/** `missing`: no environment holds a daemon of this version. `refused`: the pair speaks different protocols. */
export type DaemonState = 'stopped' | 'missing' | 'starting' | 'running' | 'restarting' | 'refused';

/** A sentence for the user from the daemon, or about it. */
export class DaemonError extends Error {
  /** `remedies` are buttons that do what is to be done, where the daemon alone is not the matter. */
  constructor(
    message?: string,
    readonly remedies: readonly Button[] = [],
  ) {
    super(message);
  }
}

/** The daemon's process ended before it had answered. It is started again: to ask anew is right. */
export class DaemonStoppedError extends DaemonError {}

/** What the daemon says of long work. */
export interface ProgressReport {
  readonly message?: string;
  /** 0 to 100. */
  readonly percentage?: number;
}

export interface RequestOptions {
  readonly token?: vscode.CancellationToken;
  readonly onProgress?: (report: ProgressReport) => void;
  /** Nobody has just asked for it: rejects where the daemon is not installed, rather than to offer to install it. */
  readonly isQuiet?: boolean;
}

/** The daemon as features see it: it is started when the first request needs it. */
export interface DaemonConnection {
  readonly state: DaemonState;
  readonly onDidChangeState: vscode.Event<DaemonState>;
  /**
   * Asks the daemon, starting it where needed. Rejects with `DaemonError` for what the user can be told, and with
   * `vscode.CancellationError` where the token was cancelled or the user declined to install the daemon.
   */
  request<Method extends keyof Requests>(
    method: Method,
    params: Requests[Method]['params'],
    options?: RequestOptions,
  ): Promise<Requests[Method]['result']>;
  /** Called for every notification of that name, from every process that the daemon has had. */
  onNotification<Name extends keyof Notifications>(
    name: Name,
    handler: (params: Notifications[Name]) => void,
  ): vscode.Disposable;
  /**
   * For the start of what a person has asked for and will need the daemon: offers to install it where missing, before
   * anything else is asked. Rejects with `CancellationError` where that is declined.
   */
  beInstalled(): Promise<void>;
  /** The interpreter that runs the daemon, for `python -m scopelight.cli.main run`; offers to install where missing. */
  python(): Promise<string>;
}

import type * as vscode from 'vscode';
import type { DaemonConnection } from './daemon/connection';

/** What the features are built on; `main` makes it once. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly daemon: DaemonConnection;
  readonly log: vscode.LogOutputChannel;
  /**
   * The interpreter that is to run a script of a resource now; where it has no jax, another is offered, and it rejects
   * with `CancellationError` where the user leaves. Undefined where none is known and the daemon chooses.
   */
  readonly scriptInterpreter: (resource: vscode.Uri | undefined) => Promise<string | undefined>;
}

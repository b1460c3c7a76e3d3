import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';

/** How a program ended. */
export interface Ended {
  /** The exit code; null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly token?: vscode.CancellationToken;
  /** Called for each line of output, standard error among it, as it comes. */
  readonly onLine?: (line: string) => void;
  readonly environment?: Readonly<Record<string, string>>;
  /** As long as it may run; then it is ended, and what asked for it rejects. */
  readonly limit_ms?: number;
}

/** Runs a program to its end. Rejects where it cannot be started, and with `CancellationError` when cancelled. */
export type ProcessRunner = (command: string, args: readonly string[], options?: RunOptions) => Promise<Ended>;

const WINDOWS = process.platform === 'win32';

export const runProcess: ProcessRunner = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    if (options.token?.isCancellationRequested) {
      reject(new vscode.CancellationError());
      return;
    }
    // In a group of its own, so that cancelling ends what it started too.
    const child = spawn(command, args, {
      env: { ...process.env, ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: !WINDOWS,
      windowsHide: true,
    });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      createInterface({ input: child[name] }).on('line', (line) => {
        texts[name] += `${line}\n`;
        options.onLine?.(line);
      });
    }
    let isLate = false;
    const limit =
      options.limit_ms === undefined
        ? undefined
        : setTimeout(() => {
            isLate = true;
            endGroup(child.pid, 'SIGKILL');
          }, options.limit_ms);
    const cancelling = options.token?.onCancellationRequested(() => endGroup(child.pid, 'SIGTERM'));
    child.on('error', (error) => {
      clearTimeout(limit);
      cancelling?.dispose();
      reject(error);
    });
    child.on('close', (code) => {
      clearTimeout(limit);
      cancelling?.dispose();
      if (options.token?.isCancellationRequested) reject(new vscode.CancellationError());
      else if (isLate) reject(new Error(`${command} has not ended in its time.`));
      else resolve({ code, ...texts });
    });
  });

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(WINDOWS ? pid : -pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

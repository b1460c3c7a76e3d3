import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import type { LanguageClientOptions, StreamInfo } from 'vscode-languageclient/node';
import {
  CloseAction,
  DidChangeConfigurationNotification,
  ErrorAction,
  ErrorCodes,
  LanguageClient,
  LSPErrorCodes,
  ResponseError,
  RevealOutputChannelOn,
  WorkDoneProgress,
} from 'vscode-languageclient/node';
import { LINE_COMMANDS } from '../lines/annotatedLine';
import { RECORDED_SCHEME } from '../lines/recordedSource';
import { CELL_SCHEME } from '../notebooks/cells';
import type { InitializationOptions, Settings } from '../protocol';
import { PROTOCOL_VERSION } from '../protocol';
import { traceOf } from '../log';
import type { ProgressReport } from './connection';
import type { DaemonClient } from './client';
import { RefusedError } from './client';
import { DaemonError, DaemonStoppedError } from './connection';
import { daemonLogWriter } from './daemonLog';

/** For the daemon to end by itself when it is asked to. */
const STOP_TIMEOUT_MS = 2000;

function withCause(message: string, cause: unknown): string {
  return cause === undefined ? message : `${message} ${traceOf(cause)}`;
}

/** A process of the daemon that speaks the language server's protocol. */
export class LanguageServerProcess implements DaemonClient {
  private readonly client: LanguageClient;
  private child: ChildProcessWithoutNullStreams | undefined;
  private hasStarted = false;
  private isClosed = false;
  private isStopping = false;
  private initializeError: unknown;

  constructor(
    private readonly python: string,
    settings: Settings,
    private readonly onEnded: () => void,
    private readonly log: vscode.LogOutputChannel,
  ) {
    const initializationOptions: InitializationOptions = {
      protocol_version: PROTOCOL_VERSION,
      annotations: true,
      command_links: true,
      settings,
      texts: vscode.l10n.bundle ?? {},
    };
    const options: LanguageClientOptions = {
      documentSelector: [
        { scheme: 'file', language: 'python' },
        // Budgets stand there, and problems with them.
        { scheme: 'file', pattern: '**/pyproject.toml' },
        { scheme: RECORDED_SCHEME },
        { scheme: CELL_SCHEME, language: 'python' },
      ],
      initializationOptions,
      outputChannel: log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      markdown: { isTrusted: { enabledCommands: LINE_COMMANDS } },
      initializationFailedHandler: (error) => {
        this.initializeError = error;
        return false;
      },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          this.isClosed = true;
          if (this.hasStarted && !this.isStopping) {
            // Not before the library is done with the connection that was closed.
            setImmediate(() => {
              if (!this.isStopping) this.onEnded();
            });
          }
          // A new process gets a new client: another interpreter may run it by then.
          const message = 'The connection to the daemon was closed.';
          return { action: CloseAction.DoNotRestart, handled: true, message };
        },
      },
    };
    this.client = new LanguageClient('scopelight', 'Scopelight', () => this.spawn(), options);
    // No messages of the library's own, as what goes wrong is told by who asked: its words go to the log.
    for (const level of ['error', 'warn', 'info', 'debug'] as const) {
      this.client[level] = (message: string, data?: unknown) => log[level](withCause(message, data));
    }
  }

  async start(): Promise<void> {
    try {
      await this.client.start();
    } catch (error) {
      this.child?.kill();
      const cause = this.initializeError ?? error;
      if (cause instanceof ResponseError && !isLost(cause))
        throw new RefusedError(cause.message, older(versionIn(cause.data)));
      throw couldNotStart();
    }
    const experimental: unknown = this.client.initializeResult?.capabilities.experimental;
    const theirs = versionIn((experimental as { scopelight?: unknown } | undefined)?.scopelight);
    if (theirs !== PROTOCOL_VERSION) {
      await this.stop();
      throw new RefusedError(
        older(theirs) === 'extension'
          ? vscode.l10n.t(
              'The extension speaks protocol {0} and this daemon {1}: the extension is older, update it in the Extensions view.',
              PROTOCOL_VERSION,
              theirs ?? '',
            )
          : vscode.l10n.t(
              'The extension speaks protocol {0} and this daemon {1}: the daemon is older, run "Scopelight: Install Daemon".',
              PROTOCOL_VERSION,
              theirs ?? vscode.l10n.t('an unknown one'),
            ),
        older(theirs),
      );
    }
    if (this.isClosed) throw couldNotStart();
    this.hasStarted = true;
  }

  async request(method: string, params: object, token: vscode.CancellationToken | undefined): Promise<unknown> {
    try {
      // A token that is there and undefined would be taken for a second parameter.
      return await (token === undefined
        ? this.client.sendRequest(method, params)
        : this.client.sendRequest(method, params, token));
    } catch (error) {
      if (error instanceof vscode.CancellationError) throw error;
      if (error instanceof ResponseError && isCancelled(error)) throw new vscode.CancellationError();
      if (token?.isCancellationRequested === true) throw new vscode.CancellationError();
      if (!(error instanceof ResponseError) || isLost(error)) {
        this.log.debug(traceOf(error));
        throw new DaemonStoppedError(vscode.l10n.t("Scopelight's daemon stopped before it had answered."));
      }
      this.log.warn(`${method}: ${error.message}`);
      throw new DaemonError(error.message);
    }
  }

  onNotification(name: string, handler: (params: unknown) => void): void {
    this.client.onNotification(name, handler);
  }

  onProgress(token: string, handler: (report: ProgressReport) => void): vscode.Disposable {
    return this.client.onProgress(WorkDoneProgress.type, token, (value) => handler(value as ProgressReport));
  }

  sendSettings(settings: Settings): void {
    void this.client
      .sendNotification(DidChangeConfigurationNotification.type, { settings: { scopelight: settings } })
      .catch((error: unknown) => this.log.debug(traceOf(error)));
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    try {
      await this.client.dispose(STOP_TIMEOUT_MS);
    } catch (error) {
      // It is gone already, or does not answer: what follows ends it in any case.
      this.log.debug(traceOf(error));
    }
    this.child?.kill('SIGKILL');
  }

  private spawn(): Promise<StreamInfo> {
    // -P: a file in the current folder must not stand for a library.
    const child = spawn(this.python, ['-P', '-m', 'scopelight.cli.main', 'server'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.child = child;
    createInterface({ input: child.stderr }).on('line', daemonLogWriter(this.log));
    child.on('exit', (code, signal) => {
      const how = code === null ? `signal ${signal ?? 'unknown'}` : `exit code ${code}`;
      this.log.info(`The daemon (process ${child.pid ?? 'unknown'}) ended: ${how}.`);
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('spawn', () => {
        this.log.info(`The daemon is process ${child.pid ?? 'unknown'}, in ${this.python}.`);
        resolve({ reader: child.stdout, writer: child.stdin });
      });
    });
  }
}

function couldNotStart(): DaemonError {
  return new DaemonError(vscode.l10n.t("Scopelight's daemon could not be started: the log says why."));
}

function versionIn(said: unknown): number | undefined {
  const version = (said as { protocol_version?: unknown } | null | undefined)?.protocol_version;
  return typeof version === 'number' ? version : undefined;
}

/** Which side is to be brought up to date; a daemon that does not say what it speaks is not of today. */
function older(theirs: number | undefined): 'daemon' | 'extension' {
  return theirs !== undefined && theirs > PROTOCOL_VERSION ? 'extension' : 'daemon';
}

function isCancelled(error: ResponseError<unknown>): boolean {
  return error.code === LSPErrorCodes.RequestCancelled || error.code === LSPErrorCodes.ServerCancelled;
}

/** Whether an error says that there is no one to answer, rather than what they answered. */
function isLost(error: ResponseError<unknown>): boolean {
  return error.code === ErrorCodes.PendingResponseRejected || error.code === ErrorCodes.ConnectionInactive;
}

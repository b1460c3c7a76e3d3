import * as vscode from 'vscode';
import { Observable } from '../observable';
import { captureArguments } from './captureCommand';
import type { CaptureRequest } from './captureCommand';

/** The process of a capture, wherever it was started. */
export interface CaptureProcess {
  /** The exit code; undefined where a signal ended the process, it could not be started, or the code is not known. */
  readonly exited: Promise<number | undefined>;
  /** As Ctrl-C in its terminal: the script ends as it does then, and what was captured is saved. */
  interrupt(): void;
  /** Ends the process at once. */
  terminate(): void;
  /** Stops listening; the process goes on. */
  dispose(): void;
}

/** The terminals in which a capture runs, by number: the next one takes the first that is free. */
const taken = new Set<number>();

function takeTerminal(): number {
  let number = 0;
  while (taken.has(number)) {
    number++;
  }
  taken.add(number);
  return number;
}

/** A capture's process in a terminal. It does not depend on the daemon. */
export class CaptureTask implements CaptureProcess {
  readonly exited: Promise<number | undefined>;
  /** The process' id once it has started; undefined where it did not. */
  readonly started: Promise<number | undefined>;

  private constructor(
    private readonly execution: vscode.TaskExecution,
    private readonly processes: TaskProcesses,
  ) {
    this.exited = processes.exitOf(execution);
    this.started = processes.startOf(execution);
  }

  /** Starts the capture with the daemon's interpreter. */
  static async start(python: string, request: CaptureRequest, out: string): Promise<CaptureTask> {
    // A process may start, and even end, before its task's execution is known here.
    const processes = new TaskProcesses();
    const terminal = takeTerminal();
    try {
      const execution = await vscode.tasks.executeTask(describeTask(python, request, out, terminal));
      const task = new CaptureTask(execution, processes);
      void task.exited.finally(() => taken.delete(terminal));
      return task;
    } catch (error) {
      processes.dispose();
      taken.delete(terminal);
      throw error;
    }
  }

  interrupt(): void {
    const pid = this.processes.pidOf(this.execution);
    if (pid === undefined || !interruptTerminalOf(pid)) {
      this.terminate();
    }
  }

  terminate(): void {
    this.execution.terminate();
  }

  dispose(): void {
    this.processes.dispose();
  }
}

/** Interrupts all that runs in the terminal of a capture's process; false where that cannot be done. */
export function interruptTerminalOf(pid: number): boolean {
  try {
    // The terminal's processes are one group: the capture leaves an interrupt from the terminal to the script.
    return process.kill(-pid, 'SIGINT');
  } catch {
    // No such group: the process ended, or this system has none.
    return false;
  }
}

/** What the editor tells of the processes of all tasks, from when this was made. Changes when more is known of one. */
class TaskProcesses extends Observable {
  private readonly pids = new Map<vscode.TaskExecution, number>();
  private readonly exits = new Map<vscode.TaskExecution, number | undefined>();
  protected override readonly parts = [
    this.changed,
    vscode.tasks.onDidStartTaskProcess(({ execution, processId }) => {
      this.pids.set(execution, processId);
      this.changed.fire();
    }),
    vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => this.end(execution, exitCode)),
    // Comes after the end of the process, and alone where none was started.
    vscode.tasks.onDidEndTask(({ execution }) => this.end(execution, undefined)),
  ];

  pidOf(execution: vscode.TaskExecution): number | undefined {
    return this.pids.get(execution);
  }

  async startOf(execution: vscode.TaskExecution): Promise<number | undefined> {
    await this.until(() => this.pids.has(execution) || this.exits.has(execution));
    return this.pids.get(execution);
  }

  async exitOf(execution: vscode.TaskExecution): Promise<number | undefined> {
    await this.until(() => this.exits.has(execution));
    return this.exits.get(execution);
  }

  private async until(isKnown: () => boolean): Promise<void> {
    while (!isKnown()) {
      await new Promise<void>((resolve) => this.onDidChange(resolve));
    }
  }

  private end(execution: vscode.TaskExecution, exitCode: number | undefined): void {
    if (!this.exits.has(execution)) {
      this.exits.set(execution, exitCode);
      this.changed.fire();
    }
  }
}

function describeTask(python: string, request: CaptureRequest, out: string, terminal: number): vscode.Task {
  // Null takes a variable away, which the editor's type does not say.
  const env = request.env as Record<string, string>;
  const execution = new vscode.ProcessExecution(python, captureArguments(request, out), { cwd: request.cwd, env });
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(request.folder));
  const scope = folder ?? vscode.TaskScope.Workspace;
  const title = request.preflight
    ? vscode.l10n.t('Compile {0}', request.title)
    : vscode.l10n.t('Profile {0}', request.title);
  // A dedicated terminal is that of the definition. The editor makes one of each command line where that is a process.
  const task = new vscode.Task({ type: 'scopelight', terminal }, scope, title, 'Scopelight', execution, []);
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    focus: false,
    panel: vscode.TaskPanelKind.Dedicated,
    clear: true,
    echo: false,
    showReuseMessage: false,
  };
  return task;
}

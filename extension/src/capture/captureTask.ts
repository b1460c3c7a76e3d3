import * as vscode from 'vscode';
import { captureArguments } from './captureCommand';
import type { CaptureRequest } from './captureCommand';

/** A capture's process in a terminal of its own. It does not depend on the daemon. */
export class CaptureTask implements vscode.Disposable {
  /** The exit code; undefined where a signal ended the process or it could not be started. */
  readonly exited: Promise<number | undefined>;

  private constructor(
    private readonly execution: vscode.TaskExecution,
    private readonly processes: TaskProcesses,
  ) {
    this.exited = processes.exitOf(execution);
  }

  /** Starts the capture with the daemon's interpreter. */
  static async start(python: string, request: CaptureRequest, out: string): Promise<CaptureTask> {
    // A process may start, and even end, before its task's execution is known here.
    const processes = new TaskProcesses();
    try {
      return new CaptureTask(await vscode.tasks.executeTask(describeTask(python, request, out)), processes);
    } catch (error) {
      processes.dispose();
      throw error;
    }
  }

  /** As Ctrl-C in its terminal: the script ends as it does then, and what was captured is saved. */
  interrupt(): void {
    const pid = this.processes.pidOf(this.execution);
    try {
      if (pid !== undefined) {
        // The terminal's processes are one group: the capture leaves an interrupt from the terminal to the script.
        process.kill(-pid, 'SIGINT');
        return;
      }
    } catch {
      // No such group: the process ended, or this system has none.
    }
    this.terminate();
  }

  /** Ends the process at once. */
  terminate(): void {
    this.execution.terminate();
  }

  dispose(): void {
    this.processes.dispose();
  }
}

/** What the editor tells of the processes of all tasks, from when this was made. */
class TaskProcesses implements vscode.Disposable {
  private readonly pids = new Map<vscode.TaskExecution, number>();
  private readonly exits = new Map<vscode.TaskExecution, number | undefined>();
  private readonly ended = new vscode.EventEmitter<vscode.TaskExecution>();
  private readonly subscriptions = [
    this.ended,
    vscode.tasks.onDidStartTaskProcess((event) => this.pids.set(event.execution, event.processId)),
    vscode.tasks.onDidEndTaskProcess((event) => this.end(event.execution, event.exitCode)),
    // Comes after the end of the process, and alone where none was started.
    vscode.tasks.onDidEndTask((event) => this.end(event.execution, undefined)),
  ];

  pidOf(execution: vscode.TaskExecution): number | undefined {
    return this.pids.get(execution);
  }

  exitOf(execution: vscode.TaskExecution): Promise<number | undefined> {
    return new Promise((resolve) => {
      const tell = (): void => resolve(this.exits.get(execution));
      if (this.exits.has(execution)) {
        tell();
        return;
      }
      this.ended.event((each) => {
        if (each === execution) {
          tell();
        }
      });
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private end(execution: vscode.TaskExecution, exitCode: number | undefined): void {
    if (!this.exits.has(execution)) {
      this.exits.set(execution, exitCode);
      this.ended.fire(execution);
    }
  }
}

function describeTask(python: string, request: CaptureRequest, out: string): vscode.Task {
  // Null takes a variable away, which the editor's type does not say.
  const env = request.env as Record<string, string>;
  const execution = new vscode.ProcessExecution(python, captureArguments(request, out), { cwd: request.cwd, env });
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(request.folder));
  const scope = folder ?? vscode.TaskScope.Workspace;
  const title = vscode.l10n.t('Profile {0}', request.title);
  const task = new vscode.Task({ type: 'process' }, scope, title, 'Scopelight', execution, []);
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

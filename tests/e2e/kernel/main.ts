// A notebook controller with a kernel of ipykernel behind it, one for each notebook: an extension of the tests' own.

import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';

/** What the kernel's process writes, a line each. */
type Said =
  | { readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly name: string; readonly message: string }
  | { readonly ended: boolean };

/** A kernel of a notebook: cells are run one after the other. */
class Kernel {
  readonly process: ChildProcess;
  private queue = Promise.resolve(true);
  private hear: (said: Said) => void = () => undefined;

  constructor(notebook: vscode.NotebookDocument) {
    const python = process.env['SCOPELIGHT_TEST_KERNEL_PYTHON'] ?? 'python3';
    const running = spawn(python, [path.join(__dirname, 'kernel.py'), notebook.uri.fsPath], {
      cwd: path.dirname(notebook.uri.fsPath),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface({ input: running.stdout }).on('line', (line) => this.hear(JSON.parse(line) as Said));
    this.process = running;
  }

  run(code: string, onOutput: (item: vscode.NotebookCellOutputItem) => void): Promise<boolean> {
    this.queue = this.queue.then(
      () =>
        new Promise<boolean>((resolve) => {
          this.hear = (said) => {
            if ('ended' in said) {
              resolve(said.ended);
            } else if ('stream' in said) {
              onOutput(vscode.NotebookCellOutputItem[said.stream](said.text));
            } else {
              onOutput(vscode.NotebookCellOutputItem.error(said));
            }
          };
          this.process.stdin?.write(`${JSON.stringify(code)}\n`);
        }),
    );
    return this.queue;
  }
}

export function activate(context: vscode.ExtensionContext): void {
  const kernels = new Map<string, Kernel>();
  let order = 0;
  const controller = vscode.notebooks.createNotebookController('scopelight-tests', 'jupyter-notebook', 'Test Kernel');
  controller.supportedLanguages = ['python'];
  controller.supportsExecutionOrder = true;
  controller.executeHandler = async (cells, notebook) => {
    const key = notebook.uri.toString();
    const kernel = kernels.get(key) ?? new Kernel(notebook);
    kernels.set(key, kernel);
    for (const cell of cells) {
      const execution = controller.createNotebookCellExecution(cell);
      execution.executionOrder = ++order;
      execution.start(Date.now());
      await execution.clearOutput();
      const success = await kernel.run(cell.document.getText(), (item) => {
        void execution.appendOutput(new vscode.NotebookCellOutput([item]));
      });
      execution.end(success, Date.now());
    }
  };
  const stop = (): void => kernels.forEach((each) => each.process.kill());
  context.subscriptions.push(controller, new vscode.Disposable(stop));
}

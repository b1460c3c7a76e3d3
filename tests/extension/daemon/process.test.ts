import { expect, test } from 'vitest';
import type * as vscode from 'vscode';
import { pipProgress } from '../../../extension/src/daemon/pipProgress';
import { runProcess } from '../../../extension/src/daemon/process';
import { CancellationError, CancellationTokenSource } from '../vscode';

const node = (script: string, options: Parameters<typeof runProcess>[2] = {}) =>
  runProcess(process.execPath, ['-e', script], options);

function cancellable(): { source: CancellationTokenSource; token: vscode.CancellationToken } {
  const source = new CancellationTokenSource();
  return { source, token: source.token as unknown as vscode.CancellationToken };
}

test('a program that ends tells its code, its output and each line as it comes', async () => {
  const lines: string[] = [];
  const ended = await node('console.log("one"); console.error("two"); process.exitCode = 3', {
    onLine: (line) => lines.push(line),
  });
  expect(ended).toEqual({ code: 3, stdout: 'one\n', stderr: 'two\n' });
  expect(lines.sort()).toEqual(['one', 'two']);
});

test('a program gets what is added to the environment', async () => {
  const ended = await node('console.log(process.env.ADDED, typeof process.env.PATH)', {
    environment: { ADDED: 'yes' },
  });
  expect(ended.stdout).toBe('yes string\n');
});

test('a program that is not there rejects', async () => {
  await expect(runProcess('/nowhere/python', [])).rejects.toThrow(/ENOENT/);
});

test('cancelling ends the program and what it had started', async () => {
  const { source, token } = cancellable();
  // The child of the program holds its output open: the run is over only when that child is gone too.
  const script =
    'const forever = "setInterval(() => {}, 1000)";' +
    'const child = require("node:child_process").spawn(process.execPath, ["-e", forever], { stdio: "inherit" });' +
    'child.on("spawn", () => console.log("started")); eval(forever)';
  const running = node(script, { token, onLine: () => source.cancel() });
  await expect(running).rejects.toBeInstanceOf(CancellationError);
});

test('a program that does not end in its time is ended', async () => {
  // It would not heed a request to end either.
  const script = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';
  await expect(node(script, { limit_ms: 50 })).rejects.toThrow(/has not ended in its time/u);
});

test('what was cancelled before is not started', async () => {
  const { source, token } = cancellable();
  source.cancel();
  await expect(runProcess('/nowhere/python', [], { token })).rejects.toBeInstanceOf(CancellationError);
});

test.each([
  ['Collecting numba>=0.61 (from scopelight==0.1.0)', 'looking for numba'],
  ['Processing /opt/files/numpy-2.4.6-cp311-cp311-manylinux_2_28_x86_64.whl (from x)', 'looking for numpy'],
  ['  Downloading llvmlite-0.50.0-cp311-cp311-manylinux_2_28_x86_64.whl (56.9 MB)', 'downloading llvmlite (56.9 MB)'],
  ['  Using cached pygls-2.1.1-py3-none-any.whl (68 kB)', 'downloading pygls (68 kB)'],
  ['  Downloading pygls-2.1.1-py3-none-any.whl.metadata (5.0 kB)', undefined],
  ['Installing collected packages: numpy, numba', 'unpacking'],
  ['WARNING: Retrying (Retry(total=4)) after connection broken', undefined],
])('pip says %j', (line, progress) => {
  expect(pipProgress(line)).toBe(progress);
});

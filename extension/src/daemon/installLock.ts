import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';

const POLL_MS = 300;

/** Runs `task` while no other window does the same: the others wait. The lock of a window that is gone is broken. */
export async function withInstallLock<T>(
  file: string,
  token: vscode.CancellationToken,
  task: () => Promise<T>,
): Promise<T> {
  await mkdir(path.dirname(file), { recursive: true });
  while (!(await take(file))) {
    if (token.isCancellationRequested) throw new vscode.CancellationError();
    if (await isAbandoned(file)) await rm(file, { force: true });
    else await pause(POLL_MS);
  }
  try {
    return await task();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  let pid: number;
  try {
    pid = Number.parseInt(await readFile(file, 'utf8'), 10);
  } catch {
    return false;
  }
  // Empty: it is being written.
  if (!Number.isFinite(pid)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { tellFailure } from '../failure';
import { keyOf } from '../launch/targets';
import type { BegunCapture } from '../remembered';
import type { Retention } from '../runs/retentionOfFolders';
import type { Services } from '../services';
import type { Captures } from './captures';
import { hasRun } from './captureProgress';
import type { CaptureParts } from './captureSession';
import { finishCapture } from './captureSession';
import type { CaptureProcess } from './captureTask';
import { interruptTerminalOf } from './captureTask';

/** How often a process of an earlier window is looked at: only its parent would be told of its end. */
const POLL_MS = 500;

/** What profiling works with, whether a capture begins or goes on. */
export interface ProfilingParts extends CaptureParts {
  readonly captures: Captures;
  readonly retention: Retention;
}

/** Goes on with the captures that were at work when the window was reloaded: they go on in their terminals. */
export async function resumeCaptures(services: Services, parts: ProfilingParts): Promise<void> {
  await Promise.all(
    parts.remembered.captures.map(async (begun) => {
      try {
        await resume(services, parts, begun);
      } catch (error) {
        // Nobody has asked for it in this window: where there is no daemon, the views say so.
        if (services.daemon.state === 'running') {
          tellFailure(error, services);
        }
      }
    }),
  );
}

async function resume(services: Services, parts: ProfilingParts, begun: BegunCapture): Promise<void> {
  const { path: out, title, isPreflight = false } = begun;
  const pid = (await isCapturing(begun)) ? begun.pid : null;
  if (pid === null && !(await isCaptured(services, out))) {
    services.log.info(`The capture of ${title} ended with the window before it was done: ${out}`);
    await parts.remembered.forgetCapture(out);
    return;
  }
  const process = new EarlierProcess(pid);
  const target = parts.remembered.making(out)?.target;
  const captured = { key: target === undefined ? out : keyOf(target), title, isPreflight };
  const ended = await parts.captures.during(captured, () =>
    finishCapture(services, parts, { title, isPreflight, out, process }),
  );
  if (ended.isCaptured) {
    await parts.retention.apply(path.dirname(path.dirname(out)));
  }
}

/** Whether the process of a capture lives; its id may have become that of another one. */
async function isCapturing({ path: out, pid }: BegunCapture): Promise<boolean> {
  if (pid === null || !isAlive(pid)) {
    return false;
  }
  try {
    const command = await commandOf(pid);
    return command === undefined || command.includes(out);
  } catch {
    // It ended just now.
    return false;
  }
}

/** A process' program and arguments; undefined where the system has no ready way to ask for them. */
async function commandOf(pid: number): Promise<string | undefined> {
  switch (process.platform) {
    case 'linux':
      return readFile(`/proc/${pid}/cmdline`, 'utf8');
    case 'win32':
      return undefined;
    default:
      return (await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)])).stdout;
  }
}

/** Whether a capture whose process is gone has left a profile. */
async function isCaptured({ daemon }: Services, out: string): Promise<boolean> {
  if (!(await hasRun(out))) {
    return false;
  }
  const { stage } = await daemon.request('scopelight/followCapture', { path: out, workDoneToken: null });
  return stage === 'captured';
}

/** A process that an earlier window has started. */
class EarlierProcess implements CaptureProcess {
  readonly exited: Promise<undefined>;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly pid: number | null) {
    this.exited = new Promise((resolve) => {
      const look = (): void => {
        if (pid === null || !isAlive(pid)) {
          this.dispose();
          resolve(undefined);
        }
      };
      this.timer = setInterval(look, POLL_MS);
      look();
    });
  }

  interrupt(): void {
    if (this.pid !== null && !interruptTerminalOf(this.pid)) {
      this.terminate();
    }
  }

  terminate(): void {
    if (this.pid !== null && isAlive(this.pid)) {
      process.kill(this.pid);
    }
  }

  dispose(): void {
    clearInterval(this.timer);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

import path from 'node:path';
import { join } from 'shlex';
import type { RunRecord } from '../protocol';
import type { Making, Remembered } from '../remembered';

/**
 * How a run is made again: as it was made here, else as its record says. Undefined where the record names no script,
 * or there is none, as for a profile of others.
 */
export function makingOf(
  run: string,
  remembered: Pick<Remembered, 'making'>,
  records: readonly RunRecord[],
): Making | undefined {
  return remembered.making(run) ?? recordedMaking(run, records);
}

/** How a run is made again as its record says, whatever has become of what it was made by. */
export function recordedMaking(run: string, records: readonly RunRecord[]): Making | undefined {
  const record = records.find((each) => each.path === run);
  // What the kernel of a notebook ran, no script does.
  if (record === undefined || record.script === null || record.cwd === null || record.script.endsWith('.ipynb')) {
    return undefined;
  }
  const { script, is_module, cwd, python, args } = record;
  const parent = path.dirname(run);
  const folder = path.basename(parent) === '.scopelight' ? path.dirname(parent) : cwd;
  return {
    target: { kind: 'recorded', script, isModule: is_module, cwd, python, folder },
    answers: { args: join(args), window: { kind: 'settings' } },
  };
}

/** The TPU that a run was predicted for; null where it was measured, or is not known. */
export function tpuOf(run: string, records: readonly RunRecord[]): string | null {
  return records.find(({ path: each }) => each === run)?.predicted_for ?? null;
}

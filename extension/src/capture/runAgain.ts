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
  const record = records.find((each) => each.path === run);
  return remembered.making(run) ?? (record === undefined ? undefined : recordedMaking(record));
}

function recordedMaking({ path: run, script, is_module, cwd, python, args }: RunRecord): Making | undefined {
  if (script === null || cwd === null) {
    return undefined;
  }
  const parent = path.dirname(run);
  const folder = path.basename(parent) === '.scopelight' ? path.dirname(parent) : cwd;
  return {
    target: { kind: 'recorded', script, isModule: is_module, cwd, python, folder },
    answers: { args: join(args), window: { kind: 'settings' } },
  };
}

import type { RunRecord } from '../protocol';
import { isOfRun } from './logDirectories';

/** How much is kept. */
export interface RetentionLimits {
  readonly runs: number;
  readonly bytes: number;
}

/**
 * The runs that are too many, oldest last as given: those after the newest `limits.runs`, and those with which all newer
 * ones together exceed `limits.bytes`. A run that is pinned, shown or at work is kept, and counts.
 */
export function runsToDelete(
  newestFirst: readonly RunRecord[],
  limits: RetentionLimits,
  shownPath: string | undefined,
): RunRecord[] {
  const isShown = (run: RunRecord): boolean => shownPath !== undefined && isOfRun(shownPath, run.path);
  const mustStay = (run: RunRecord): boolean => run.pinned || isShown(run) || run.state === 'running' || run.is_live;
  let count = 0;
  let bytes = 0;
  // What must stay takes its room first, so that the others are judged by what is left.
  for (const run of newestFirst.filter(mustStay)) {
    count += 1;
    bytes += run.size_bytes;
  }
  return newestFirst.filter((run, index) => {
    if (mustStay(run)) {
      return false;
    }
    count += 1;
    bytes += run.size_bytes;
    // The newest run was just made: it is never too much by itself.
    return index > 0 && (count > limits.runs || bytes > limits.bytes);
  });
}

// What of a profile the sums of a record are over.

import * as l10n from '@vscode/l10n';
import type { ExtentRecord, OpProfileRecord, OpsRecord } from '../../../src/protocol';
import { count, duration } from '../text/format';

/** Whether it is of compiled programs of which nothing ran: there are no times. */
export function didNotRun({ kind }: ExtentRecord): boolean {
  return kind === 'program';
}

/** `over 5 complete steps (162 ms)`, `over the whole profile (1.23 s × 4 devices)`. */
export function extentText(extent: ExtentRecord): string {
  const { kind, steps, devices } = extent;
  const time = duration(extent.duration_ps);
  const wall = devices > 1 ? l10n.t('{0} × {1} devices', time, count(devices)) : time;
  switch (kind) {
    case 'steps':
      return steps === 1
        ? l10n.t('over 1 complete step ({0})', wall)
        : l10n.t('over {0} complete steps ({1})', count(steps), wall);
    case 'profile':
      return l10n.t('over the whole profile ({0})', wall);
    case 'program':
      return l10n.t('of one run of the program, which did not run');
  }
}

export function opsText(ops: number): string {
  return ops === 1 ? l10n.t('1 op') : l10n.t('{0} ops', count(ops));
}

/** `3 ops took 100 ms of op time over the whole profile (120 ms)`. */
export function opTimeText(ops: number, { op_time_ps, extent }: OpsRecord | OpProfileRecord): string {
  return l10n.t('{0} took {1} of op time {2}', opsText(ops), duration(op_time_ps), extentText(extent));
}

/** The time of all devices together. */
export function extentTime(extent: ExtentRecord): number {
  return extent.duration_ps * extent.devices;
}

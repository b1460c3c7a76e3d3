// What of a profile the sums of a record are over.

import * as l10n from '@vscode/l10n';
import type { ExtentRecord, OpProfileRecord, OpsRecord } from '../../../src/protocol';
import { count, duration } from '../text/format';

/** Whether it is of compiled programs of which nothing ran: there are no times. */
export function didNotRun({ kind }: ExtentRecord): boolean {
  return kind === 'program';
}

/** `over 5 complete steps`, `over the whole window, 1.23 s × 4 devices`, `outside of complete steps, 300 ms`. */
export function extentText(extent: ExtentRecord): string {
  const { kind, steps, devices } = extent;
  const time = duration(extent.duration_ps);
  const wall = devices > 1 ? l10n.t('{0} × {1} devices', time, count(devices)) : time;
  switch (kind) {
    case 'steps':
      return steps === 1 ? l10n.t('over 1 complete step') : l10n.t('over {0} complete steps', count(steps));
    case 'window':
      return l10n.t('over the whole window, {0}', wall);
    case 'outside':
      return l10n.t('outside of complete steps, {0}', wall);
    case 'program':
      return l10n.t('of one run of the program, which did not run');
  }
}

/** `each of 8 devices`, of a prediction that tells of one what all do; null of what was measured. */
export function alikeText({ predicted_devices: alike }: { readonly predicted_devices: number | null }): string | null {
  return alike === null || alike === 1 ? null : l10n.t('each of {0} devices', count(alike));
}

export function opsText(ops: number): string {
  return ops === 1 ? l10n.t('1 op') : l10n.t('{0} ops', count(ops));
}

/** `3 ops took 100 ms of op time over the whole window, 120 ms`. */
export function opTimeText(ops: number, { op_time_ps, extent }: OpsRecord | OpProfileRecord): string {
  return l10n.t('{0} took {1} of op time {2}', opsText(ops), duration(op_time_ps), extentText(extent));
}

/** What a share of the wall clock is of, in the words of the terminal: `of the step`. */
export function wholeText({ kind }: ExtentRecord): string {
  return {
    steps: l10n.t('of the step'),
    window: l10n.t('of the whole window'),
    outside: l10n.t('of the time outside of the steps'),
    program: l10n.t('of the program'),
  }[kind];
}

/** A sum over all that a record is of as one per step and device; null without steps. */
export function perStep(extent: ExtentRecord, sum: number): number | null {
  return extent.steps === 0 ? null : sum / stepsAndDevices(extent);
}

/** Of how many steps and devices a sum is: by it an amount of all becomes one per step; 1 where there are no steps. */
export function stepsAndDevices({ steps, devices }: ExtentRecord): number {
  return Math.max(1, steps * devices);
}

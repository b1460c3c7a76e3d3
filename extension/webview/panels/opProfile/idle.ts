// Idle time in words, with what it is a share of: the wall clock of all devices.

import * as l10n from '@vscode/l10n';
import type { OpProfileRecord } from '../../../src/protocol';
import { extentText } from '../../shared/op/extent';
import { duration, timeShare } from '../../shared/text/format';

/** When nothing ran, in as many words as fit a cell: `in complete steps`. */
export function idleWhole({ extent }: OpProfileRecord): string {
  return {
    steps: l10n.t('in complete steps'),
    window: l10n.t('in the whole window'),
    outside: l10n.t('outside of steps'),
    program: '',
  }[extent.kind];
}

/** `19.7 % of the wall clock over 5 complete steps`. */
export function idleText(record: OpProfileRecord): string {
  return l10n.t('{0} of the wall clock {1}', idleShare(record), extentText(record.extent));
}

/** `20.0 ms idle, 16.7 % of the wall clock`; null where there was none. */
export function idleStatus(record: OpProfileRecord, withIdle: boolean): string | null {
  const idle_ps = record.wall?.idle_ps ?? 0;
  const of = [duration(idle_ps), idleShare(record)] as const;
  return idle_ps === 0
    ? null
    : withIdle
      ? l10n.t('{0} idle, {1} of the wall clock', ...of)
      : l10n.t('{0} idle excluded, {1} of the wall clock', ...of);
}

function idleShare({ wall }: OpProfileRecord): string {
  return timeShare((wall?.idle_ps ?? 0) / Math.max(1, wall?.wall_ps ?? 0));
}

// The status line of Hot Lines: what is shown, and what is not on any line.

import * as l10n from '@vscode/l10n';
import type { LinesRecord } from '../../../src/protocol';
import { count, coverage, duration } from '../../shared/text/format';

export function statusParts(record: LinesRecord): readonly (string | null)[] {
  const { lines, devices, unattributed_ps, outside_steps_ps } = record;
  const covered = [
    coverage(record.attributed_ps / Math.max(1, record.op_time_ps)),
    duration(record.op_time_ps),
  ] as const;
  const holds =
    lines.length === 1
      ? l10n.t('1 line holds {0} of {1} of op time', ...covered)
      : l10n.t('{0} lines hold {1} of {2} of op time', count(lines.length), ...covered);
  const on = devices.length === 1 ? l10n.t('on 1 device') : l10n.t('on {0} devices', count(devices.length));
  return [
    `${holds} ${on}`,
    unattributed_ps === 0 ? null : l10n.t('{0} unattributed', duration(unattributed_ps)),
    (outside_steps_ps ?? 0) === 0 ? null : l10n.t('{0} outside steps', duration(outside_steps_ps ?? 0)),
  ];
}

// The status line of Hot Lines: what is shown, what is filtered out, how long it took.

import * as l10n from '@vscode/l10n';
import type { LinesRecord } from '../../../src/protocol';
import { count, coverage, duration } from '../../shared/text/format';

export function statusText(
  record: LinesRecord,
  found: { readonly shown: number; readonly all: number; readonly search: string },
  took_ms: number | null,
): string {
  const lines = record.lines.length;
  const devices = record.devices.length;
  const covered = [
    coverage(record.attributed_ps / Math.max(1, record.op_time_ps)),
    duration(record.op_time_ps),
  ] as const;
  const holds =
    lines === 1
      ? l10n.t('1 line holds {0} of {1} of op time', ...covered)
      : l10n.t('{0} lines hold {1} of {2} of op time', count(lines), ...covered);
  const on = devices === 1 ? l10n.t('on 1 device') : l10n.t('on {0} devices', count(devices));
  const parts = [`${holds} ${on}`];
  if (record.unattributed_ps > 0) {
    parts.push(l10n.t('{0} unattributed', duration(record.unattributed_ps)));
  }
  if (record.outside_steps_ps !== null && record.outside_steps_ps > 0) {
    parts.push(l10n.t('{0} outside steps', duration(record.outside_steps_ps)));
  }
  if (found.search.trim() !== '') {
    parts.unshift(l10n.t('{0} of {1} rows have “{2}”', count(found.shown), count(found.all), found.search.trim()));
  }
  if (took_ms !== null) {
    parts.push(l10n.t('read in {0}', duration(took_ms * 1e9)));
  }
  return parts.join(' · ');
}

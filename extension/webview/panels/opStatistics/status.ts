// The status line of Op Statistics: what is shown, what is filtered out, how long it took.

import * as l10n from '@vscode/l10n';
import type { OpsRecord } from '../../../src/protocol';
import { didNotRun, extentText } from '../../shared/op/extent';
import { count, duration } from '../../shared/text/format';

export function statusText(
  record: OpsRecord,
  shown: { readonly rows: number; readonly filters: readonly string[]; readonly took_ms: number | null },
): string {
  const all = record.rows.length;
  const ops = all === 1 ? l10n.t('1 op') : l10n.t('{0} ops', count(all));
  const parts = [
    shown.filters.length === 0
      ? null
      : l10n.t('{0} of {1} ops: {2}', count(shown.rows), count(all), shown.filters.join(', ')),
    didNotRun(record.extent)
      ? `${ops} ${extentText(record.extent)}`
      : l10n.t('{0} took {1} of op time {2}', ops, duration(record.op_time_ps), extentText(record.extent)),
    shown.took_ms === null ? null : l10n.t('read in {0}', duration(shown.took_ms * 1e9)),
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

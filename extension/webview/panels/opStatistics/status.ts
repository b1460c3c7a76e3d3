// The status line of Op Statistics: what is shown, and what is filtered out.

import * as l10n from '@vscode/l10n';
import type { OpsRecord } from '../../../src/protocol';
import { didNotRun, extentText } from '../../shared/op/extent';
import { count, duration } from '../../shared/text/format';

export function statusParts(record: OpsRecord, shown: number, filters: readonly string[]): readonly (string | null)[] {
  const all = record.rows.length;
  const ops = all === 1 ? l10n.t('1 op') : l10n.t('{0} ops', count(all));
  return [
    filters.length === 0 ? null : l10n.t('{0} of {1} ops: {2}', count(shown), count(all), filters.join(', ')),
    didNotRun(record.extent)
      ? `${ops} ${extentText(record.extent)}`
      : l10n.t('{0} took {1} of op time {2}', ops, duration(record.op_time_ps), extentText(record.extent)),
  ];
}

// The status line of Op Statistics: what is shown, and what is filtered out.

import * as l10n from '@vscode/l10n';
import type { OpsRecord } from '../../../src/protocol';
import { didNotRun, extentText, opsText, opTimeText } from '../../shared/op/extent';
import { count } from '../../shared/text/format';

export function statusParts(record: OpsRecord, shown: number, filters: readonly string[]): readonly (string | null)[] {
  const all = record.rows.length;
  return [
    filters.length === 0 ? null : l10n.t('{0} of {1} ops: {2}', count(shown), count(all), filters.join(', ')),
    didNotRun(record.extent) ? `${opsText(all)} ${extentText(record.extent)}` : opTimeText(all, record),
  ];
}

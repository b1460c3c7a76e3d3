// The status line of a comparison: what rows sum to, and how much of it has a counterpart.

import * as l10n from '@vscode/l10n';
import type { ComparisonRecord } from '../../../src/protocol';
import { changeShare, signed } from '../../shared/comparison/words';
import { count } from '../../shared/text/format';
import { amountsWritten } from './basis';
import { meaningOf, totalsOf } from './rows';

export function statusParts(record: ComparisonRecord): readonly (string | null)[] {
  const { rows, rounds, totals } = record;
  const written = amountsWritten(record);
  const { before, change, after } = totalsOf(record);
  return [
    rows.length === 1 ? l10n.t('1 row') : l10n.t('{0} rows', count(rows.length)),
    before === null || after === null || change === null
      ? null
      : `${written.before.text(before)} ${signed(change, written.change.text)} = ${written.after.text(after)}, ${meaningOf(record)}`,
    totals.paired_ratio === null ? null : l10n.t('{0} has a counterpart', changeShare(totals.paired_ratio)),
    rounds === 1 ? l10n.t('one run each') : l10n.t('{0} rounds', count(rounds)),
  ];
}

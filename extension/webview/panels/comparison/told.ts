// What is told of a row, in words: for a cell, for a line of its source, and in full.

import * as l10n from '@vscode/l10n';
import type { ComparedRow } from '../../../src/protocol';
import { rowVerdict, signedShare, toldRatio, verdictText } from '../../shared/comparison/words';

/** The change of CPU time, where that is what was judged: the wall clock beside it may have gone the other way. */
export function cpuRatio({ judged_by: by, judged_change_ratio: ratio }: ComparedRow): number | null {
  return by === 'cpu-time' ? ratio : null;
}

/** A verdict for a cell: `more`, `± cannot tell`; `more CPU time` where the wall clock beside it went the other way. */
export function shortVerdict(row: ComparedRow): string {
  if (row.verdict === 'cannot-tell') {
    return `± ${verdictText(row.verdict, null)}`;
  }
  return ofCpuTime(row) ?? verdictText(row.verdict, null);
}

/** The same with what would have been seen. */
export function fullVerdict(row: ComparedRow): string {
  return ofCpuTime(row) ?? rowVerdict(row);
}

/** What changed in a glance: `+12 %`, `new`, `gone`; `±` where it cannot be told, nothing where it is the same. */
export function changeMark(row: ComparedRow): string {
  switch (row.verdict) {
    case 'only-after':
      return l10n.t('new');
    case 'only-before':
      return l10n.t('gone');
    case 'cannot-tell':
      return '±';
    case 'same':
      return '';
    default:
      return signedShare(toldRatio(row)) || (row.verdict === 'worse' ? l10n.t('more') : l10n.t('less'));
  }
}

/** What CPU time tells where the wall clock beside it did not go that way. */
function ofCpuTime({ judged_by: by, verdict, change_ps: change }: ComparedRow): string | null {
  if (by !== 'cpu-time' || change === null) {
    return null;
  }
  if (verdict === 'worse' && change <= 0) {
    return l10n.t('more CPU time');
  }
  return verdict === 'better' && change >= 0 ? l10n.t('less CPU time') : null;
}

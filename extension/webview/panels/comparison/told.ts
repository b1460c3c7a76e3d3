// What is told of a row, in words: for a cell, for a line of its source, and in full.

import * as l10n from '@vscode/l10n';
import type { ComparedRow, Verdict } from '../../../src/protocol';
import { rowVerdict, signedShare, toldRatio, verdictText } from '../../shared/comparison/words';
import { led } from '../../shared/text/basis';

/** The change of CPU time, where that is what was judged: the wall clock beside it may have gone the other way. */
export function cpuRatio({ judged_by: by, judged_change_ratio: ratio }: ComparedRow): number | null {
  return by === 'cpu-time' ? ratio : null;
}

/** By how much the FLOPs changed; null where they did not, or are not known of both. Shares of ops are estimates. */
export function flopsRatio({ before_flops: before, after_flops: after }: ComparedRow): number | null {
  if (before === null || after === null || before === 0) {
    return null;
  }
  const ratio = after / before - 1;
  return Math.abs(ratio) > LEAST_FLOPS_RATIO ? ratio : null;
}

const LEAST_FLOPS_RATIO = 1e-3;

/** `+100 %` of FLOPs, `≈+100 %` where they are the row's part of ops that it shares; empty where they are the same. */
export function flopsText(row: ComparedRow): string {
  const said = signedShare(flopsRatio(row));
  return said !== '' && row.flops_are_estimated ? led('≈', said) : said;
}

/** The change of the FLOPs where nothing is told of the time: what is exact is told all the same. */
export function untoldWork(row: ComparedRow): number | null {
  return row.verdict === 'cannot-tell' || row.verdict === 'same' ? flopsRatio(row) : null;
}

/** `more work`, where FLOPs alone tell that. */
function workText(row: ComparedRow): string | null {
  const ratio = untoldWork(row);
  return ratio === null ? null : ratio > 0 ? l10n.t('more work') : l10n.t('less work');
}

/**
 * A verdict for a cell: `more`, `± cannot tell`, `more work` where FLOPs alone tell; `more CPU time` where the wall
 * clock beside it went the other way.
 */
export function shortVerdict(row: ComparedRow): string {
  const said = workText(row) ?? ofCpuTime(row);
  if (said !== null) {
    return said;
  }
  return row.verdict === 'cannot-tell' ? `± ${verdictText(row.verdict, null)}` : verdictText(row.verdict, null);
}

/** `more work: FLOPs +100 %; of its time: cannot tell; 30 % would have been seen`. */
export function fullVerdict(row: ComparedRow): string {
  const work = workText(row);
  return work === null
    ? (ofCpuTime(row) ?? rowVerdict(row))
    : l10n.t('{0}: FLOPs {1}; of its time: {2}', work, flopsText(row), rowVerdict(row));
}

/** How a verdict looks: what FLOPs tell is told. */
export function verdictLook(row: ComparedRow): Verdict {
  const work = untoldWork(row);
  return work === null ? row.verdict : work > 0 ? 'worse' : 'better';
}

/**
 * What changed in a glance: `+12 %`, `new`, `gone`, `FLOPs +100 %` where they alone tell; `±` where it cannot be told,
 * nothing where it is the same.
 */
export function changeMark(row: ComparedRow): string {
  if (untoldWork(row) !== null) {
    return l10n.t('FLOPs {0}', flopsText(row));
  }
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

// The rows of a comparison, as its table shows them.

import * as l10n from '@vscode/l10n';
import type { Selection } from '../../../src/panels/messages';
import type { ComparedRow, ComparisonRecord } from '../../../src/protocol';
import { changeOfRow, toldChange } from '../../shared/comparison/change';
import { greatest } from '../../shared/table/greatest';

/** What a row has before, after, and what it changed by: times, or bytes where that is what rows have. */
export interface Amounts {
  readonly before: number | null;
  readonly change: number | null;
  readonly after: number | null;
}

export function amountsOf(row: ComparedRow): Amounts {
  return row.before_bytes === null && row.after_bytes === null
    ? { before: row.before_ps, change: row.change_ps, after: row.after_ps }
    : { before: row.before_bytes, change: row.change_bytes, after: row.after_bytes };
}

/** Whether the rows have bytes, and not times. */
export function isOfBytes({ totals }: ComparisonRecord): boolean {
  return totals.before_ps === null && totals.before_bytes !== null;
}

/** What all rows sum to. */
export function totalsOf(record: ComparisonRecord): Amounts {
  const { totals } = record;
  return isOfBytes(record)
    ? { before: totals.before_bytes, change: totals.change_bytes, after: totals.after_bytes }
    : { before: totals.before_ps, change: totals.change_ps, after: totals.after_ps };
}

/** What amounts of rows are, and what they sum to: the terminal says it so too. */
export function meaningOf({ by, has_steps: hasSteps }: ComparisonRecord): string {
  switch (by) {
    case 'memory':
      return l10n.t('in memory at the peak');
    case 'line':
    case 'step':
      return hasSteps ? l10n.t('wall clock of a step on average') : l10n.t('wall clock of the window');
    default:
      return hasSteps ? l10n.t('op time of a step on average') : l10n.t('op time of the window');
  }
}

/** What is to be known of the amounts of rows before they are read. */
export function amountsText(record: ComparisonRecord): string {
  return record.by === 'line' || record.by === 'step' || record.by === 'memory'
    ? l10n.t('Before and after: {0}.', meaningOf(record))
    : l10n.t('Before and after: {0}; what runs at once counts each.', meaningOf(record));
}

/** What the bar of a row shows: its change, by what tells it. */
export function barOf(row: ComparedRow): number {
  return toldChange(changeOfRow(row));
}

/** The longest change, at which a bar is full. */
export function longestChange({ rows }: ComparisonRecord): number {
  return greatest(rows, (row) => Math.abs(barOf(row)));
}

/** Whether a row is there now: what is only before is nowhere else in the editor. */
export function isThere({ after_key }: ComparedRow): boolean {
  return after_key !== null;
}

/** What a row selects in the other panels, which know the run that is shown. */
export function selectionOf(row: ComparedRow): Selection | null {
  if (!isThere(row)) {
    return null;
  }
  if (row.kind === 'op') {
    return { kind: 'op', key: row.after_key ?? row.key, file: row.file, line: row.line };
  }
  if (row.kind === 'scope') {
    return { kind: 'scope', name: row.label, file: null, line: null };
  }
  return row.file === null || row.line === null ? null : { kind: 'line', file: row.file, line: row.line };
}

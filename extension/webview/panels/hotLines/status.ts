// The status line of Hot Lines: what of the wall clock lines hold, where the rest of it is, and what is looked at.

import * as l10n from '@vscode/l10n';
import type { LinesRecord } from '../../../src/protocol';
import { extentText, wholeText } from '../../shared/op/extent';
import { count, coverage, timeShare } from '../../shared/text/format';
import { type Grouping, type HotRow, NO_FUNCTION } from './rows';
import { isWallKnown } from './split';

export function statusParts(record: LinesRecord, grouping: Grouping): readonly (string | null)[] {
  const { extent } = record;
  const whole_ps = Math.max(1, record.wall?.wall_ps ?? 0);
  // As the terminal counts them: a call site that takes no time itself is none of them.
  const lines = record.lines.filter(({ self_ps, waiting_ps }) => self_ps > 0 || waiting_ps > 0);
  const callers = record.lines.length - lines.length;
  const held_ps = lines.reduce((sum, { wall_ps, waiting_ps }) => sum + wall_ps + waiting_ps, 0);
  const held = [coverage(held_ps / whole_ps), wholeText(extent)] as const;
  const idle_ps = record.unattributed_waiting_ps;
  return [
    heldText(grouping === 'functions' ? functionsOf(record) : null, lines.length, held),
    overText(record),
    callers === 0 ? null : callers === 1 ? l10n.t('1 more calls them') : l10n.t('{0} more call them', count(callers)),
    record.unattributed_wall_ps === 0
      ? null
      : l10n.t('{0} not on a line', timeShare(record.unattributed_wall_ps / whole_ps)),
    idle_ps === 0
      ? null
      : isWallKnown(record)
        ? l10n.t('{0} idle on no line', timeShare(idle_ps / whole_ps))
        : l10n.t('{0} idle, or of what is missing', timeShare(idle_ps / whole_ps)),
  ];
}

/** The same where the lines of one part of the wall clock are listed alone: what that is, and what is in these rows. */
export function partStatusParts(
  record: LinesRecord,
  grouping: Grouping,
  part: string,
  rows: readonly HotRow[],
): readonly string[] {
  const whole_ps = Math.max(1, record.wall?.wall_ps ?? 0);
  const lines = rows.flatMap((row) => (row.kind === 'function' ? row.children : row.kind === 'line' ? [row] : []));
  const held_ps = lines.reduce((sum, { wall_ps }) => sum + wall_ps, 0);
  const functions = rows.filter(({ kind, key }) => kind === 'function' && key !== NO_FUNCTION).length;
  const held = [coverage(held_ps / whole_ps), wholeText(record.extent)] as const;
  return [
    l10n.t('only {0}', part),
    lines.length === 0
      ? l10n.t('on no line')
      : heldText(grouping === 'functions' ? functions : null, lines.length, held),
    overText(record),
  ];
}

/** What lines hold, or functions with their lines where these are listed. */
function heldText(functions: number | null, lines: number, held: readonly [string, string]): string {
  return functions !== null
    ? l10n.t('{0} with {1} hold {2} {3}', functionsText(functions), linesText(lines), ...held)
    : lines === 1
      ? l10n.t('1 line holds {0} {1}', ...held)
      : l10n.t('{0} lines hold {1} {2}', count(lines), ...held);
}

function overText({ extent }: LinesRecord): string {
  const on = extent.devices === 1 ? l10n.t('on 1 device') : l10n.t('on {0} devices', count(extent.devices));
  return `${extentText(extent)} ${on}`;
}

function functionsOf({ functions }: LinesRecord): number {
  return functions.filter(({ self_ps, waiting_ps }) => self_ps > 0 || waiting_ps > 0).length;
}

function functionsText(functions: number): string {
  return functions === 1 ? l10n.t('1 function') : l10n.t('{0} functions', count(functions));
}

function linesText(lines: number): string {
  return lines === 1 ? l10n.t('1 line') : l10n.t('{0} lines', count(lines));
}

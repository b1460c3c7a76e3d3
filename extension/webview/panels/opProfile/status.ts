// The status line of the Op Profile: what is shown, what is filtered out, how long it took.

import * as l10n from '@vscode/l10n';
import type { OpProfileRecord } from '../../../src/protocol';
import { extentText } from '../../shared/op/extent';
import { count, duration } from '../../shared/text/format';
import { idleText } from './idle';
import type { ProfileTree } from './tree';

export function statusText(
  record: OpProfileRecord,
  tree: ProfileTree,
  found: {
    readonly search: string;
    readonly hits: number;
    readonly withIdle: boolean;
    readonly took_ms: number | null;
  },
): string {
  const { search, hits, withIdle, took_ms } = found;
  const words = search.trim();
  const ops = tree.counts.op === 1 ? l10n.t('1 op') : l10n.t('{0} ops', count(tree.counts.op));
  const parts = [
    words === ''
      ? null
      : hits === 1
        ? l10n.t('1 hit for “{0}”', words)
        : l10n.t('{0} hits for “{1}”', count(hits), words),
    l10n.t('{0} took {1} of op time {2}', ops, duration(record.op_time_ps), extentText(record.extent)),
    record.idle_ps === 0
      ? null
      : withIdle
        ? l10n.t('{0} idle: {1}', duration(record.idle_ps), idleText(record))
        : l10n.t('{0} idle excluded: {1}', duration(record.idle_ps), idleText(record)),
    took_ms === null ? null : l10n.t('read in {0}', duration(took_ms * 1e9)),
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

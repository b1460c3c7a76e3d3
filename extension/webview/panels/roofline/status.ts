// The status line of the roofline: what is shown, what has no point, what is filtered out, how long it took.

import * as l10n from '@vscode/l10n';
import type { RooflineRecord, RooflineRow } from '../../../src/protocol';
import { extentText } from '../../shared/op/extent';
import { count, duration } from '../../shared/text/format';

export function statusText(
  record: RooflineRecord,
  found: {
    readonly shown: readonly RooflineRow[];
    /** Those of them whose points are beyond the axes. */
    readonly beyond: readonly RooflineRow[];
    readonly all: readonly RooflineRow[];
    readonly search: string;
  },
  took_ms: number | null,
): string {
  const { shown, all } = found;
  const time_ps = shown.reduce((sum, row) => sum + row.self_ps, 0);
  const points = shown.length === 1 ? l10n.t('1 point') : l10n.t('{0} points', count(shown.length));
  const parts = [
    l10n.t(
      '{0} with {1} of {2} of op time {3}',
      points,
      duration(time_ps),
      duration(record.op_time_ps),
      extentText(record.extent),
    ),
  ];
  if (found.beyond.length > 0) {
    const beyond_ps = found.beyond.reduce((sum, row) => sum + row.self_ps, 0);
    parts.push(
      found.beyond.length === 1
        ? l10n.t('1 of them, {0}, beyond the axes: − zooms out', duration(beyond_ps))
        : l10n.t('{0} of them, {1}, beyond the axes: − zooms out', count(found.beyond.length), duration(beyond_ps)),
    );
  }
  if (record.unknown_ps > 0) {
    parts.push(l10n.t('{0} without a point, its FLOPs or bytes not known or 0', duration(record.unknown_ps)));
  }
  if (found.search.trim() !== '') {
    parts.unshift(l10n.t('{0} of {1} rows have “{2}”', count(shown.length), count(all.length), found.search.trim()));
  }
  if (took_ms !== null) {
    parts.push(l10n.t('read in {0}', duration(took_ms * 1e9)));
  }
  return parts.join(' · ');
}

// The status line of the roofline: what is shown, what has no point, what is filtered out.

import * as l10n from '@vscode/l10n';
import type { RooflineRecord, RooflineRow } from '../../../src/protocol';
import { foundText } from '../../shared/frame/status';
import { extentText } from '../../shared/op/extent';
import { count, duration } from '../../shared/text/format';

export function statusParts(
  record: RooflineRecord,
  found: {
    readonly shown: readonly RooflineRow[];
    /** Those of them whose points are beyond the axes. */
    readonly beyond: readonly RooflineRow[];
    readonly all: readonly RooflineRow[];
    readonly search: string;
  },
): readonly (string | null)[] {
  const { shown, beyond, all } = found;
  const time = (rows: readonly RooflineRow[]): string => duration(rows.reduce((sum, { self_ps }) => sum + self_ps, 0));
  return [
    foundText(found.search, shown.length, all.length),
    l10n.t(
      '{0} with {1} of {2} of op time {3}',
      shown.length === 1 ? l10n.t('1 point') : l10n.t('{0} points', count(shown.length)),
      time(shown),
      duration(record.op_time_ps),
      extentText(record.extent),
    ),
    beyond.length === 0
      ? null
      : beyond.length === 1
        ? l10n.t('1 of them, {0}, beyond the axes: − zooms out', time(beyond))
        : l10n.t('{0} of them, {1}, beyond the axes: − zooms out', count(beyond.length), time(beyond)),
    record.unknown_ps === 0
      ? null
      : l10n.t('{0} without a point, its FLOPs or bytes not known or 0', duration(record.unknown_ps)),
  ];
}

// The status line of Resources: what was read, how often, and what that cost.

import * as l10n from '@vscode/l10n';
import type { ResourcesRecord } from '../../../src/protocol';
import { count, duration, share } from '../../shared/text/format';
import { spanName } from './words';

export function statusParts(record: ResourcesRecord): readonly (string | null)[] {
  const { readings, edges_ps: edges, period_ps: period, reading_ratio: cost, span, span_ps } = record;
  const all =
    period === null
      ? l10n.t('{0} readings', count(readings))
      : l10n.t('{0} readings, {1} apart', count(readings), duration(period));
  return [
    l10n.t('{0}, {1}', spanName(span), duration(span_ps)),
    all,
    edges.length < readings ? l10n.t('{0} of them are drawn', count(edges.length)) : null,
    cost === null ? null : l10n.t('reading took {0} of a core', share(cost)),
  ];
}

// The status line of FLOPs: what is shown, what is filtered out, how long it took.

import * as l10n from '@vscode/l10n';
import type { ExtentRecord, FlopsRecord, FlopsRow } from '../../../src/protocol';
import { didNotRun, extentText } from '../../shared/op/extent';
import { count, duration, flops } from '../../shared/text/format';

export interface RowCounts {
  readonly ops: number;
  readonly scopes: number;
}

export function rowCounts({ rows }: FlopsRecord): RowCounts {
  const ops = rows.filter(({ kind }) => kind === 'op').length;
  const scopes = rows.filter(({ kind }) => kind === 'scope').length;
  return { ops, scopes };
}

export function statusText(
  extent: ExtentRecord,
  model: FlopsRow,
  { ops, scopes }: RowCounts,
  found: { readonly shown: number; readonly search: string },
  took_ms: number | null,
): string {
  const work = model.flops === null ? l10n.t('FLOPs not known') : flops(model.flops);
  const parts = [
    didNotRun(extent)
      ? l10n.t('{0} ops in {1} scopes: {2} {3}', count(ops), count(scopes), work, extentText(extent))
      : l10n.t(
          '{0} ops in {1} scopes: {2} in {3} of op time {4}',
          count(ops),
          count(scopes),
          work,
          duration(model.self_ps),
          extentText(extent),
        ),
  ];
  if (model.unknown_ps > 0) {
    parts.push(l10n.t('{0} without known FLOPs', duration(model.unknown_ps)));
  }
  if (found.search.trim() !== '') {
    parts.unshift(l10n.t('{0} rows for “{1}”', count(found.shown), found.search.trim()));
  }
  if (took_ms !== null) {
    parts.push(l10n.t('read in {0}', duration(took_ms * 1e9)));
  }
  return parts.join(' · ');
}

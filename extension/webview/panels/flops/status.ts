// The status line of FLOPs: what is shown, what is filtered out, how long it took.

import * as l10n from '@vscode/l10n';
import type { FlopsRecord, FlopsRow } from '../../../src/protocol';
import { foundText } from '../../shared/frame/status';
import { didNotRun, extentText } from '../../shared/op/extent';
import { count, duration, flops } from '../../shared/text/format';

export function statusParts(
  { rows, extent }: FlopsRecord,
  model: FlopsRow,
  searched: { readonly found: number; readonly search: string },
): readonly (string | null)[] {
  const ops = rows.filter(({ kind }) => kind === 'op').length;
  const scopes = rows.filter(({ kind }) => kind === 'scope').length;
  const work = model.flops === null ? l10n.t('FLOPs not known') : flops(model.flops);
  const wheres = [count(ops), count(scopes), work] as const;
  return [
    foundText(searched.search, searched.found),
    didNotRun(extent)
      ? l10n.t('{0} ops in {1} scopes: {2} {3}', ...wheres, extentText(extent))
      : l10n.t(
          '{0} ops in {1} scopes: {2} in {3} of op time {4}',
          ...wheres,
          duration(model.self_ps),
          extentText(extent),
        ),
    model.unknown_ps === 0 ? null : l10n.t('{0} without known FLOPs', duration(model.unknown_ps)),
  ];
}

// The head of Step Trace: the mean step, from its interval to its tail.

import * as l10n from '@vscode/l10n';
import type { StepTraceRecord } from '../../../src/protocol';
import { type Figure, quantityFigure } from '../../shared/frame/figures';
import { byteSize, count, dotted, duration, timeShare } from '../../shared/text/format';
import { TIME } from '../../shared/text/quantities';
import { stepMeaning } from './columns';

export function figures(record: StepTraceRecord): readonly (Figure | null)[] {
  const { mean, rows, has_backward: trains } = record;
  if (mean === null) {
    return [];
  }
  const { duration_ps: whole } = mean;
  const of = (time: number): string => l10n.t('{0} of it', timeShare(time / Math.max(1, whole)));
  const averaged = rows.filter(({ is_steady: isSteady, has_interval: has }) => isSteady && has).length;
  return [
    quantityFigure(
      l10n.t('Mean step'),
      TIME,
      whole,
      averaged === rows.length
        ? l10n.t('of {0}', count(averaged))
        : l10n.t('{0} of {1} steps', count(averaged), count(rows.length)),
      {
        meaning: dotted([
          l10n.t('Of the steps in which nothing was compiled, whose interval is in the profile'),
          stepMeaning(record),
        ]),
      },
    ),
    quantityFigure(l10n.t('Interval'), TIME, mean.interval_ps, of(mean.interval_ps), {
      meaning: l10n.t('From the end of what ran in the step before to the first op of the forward pass'),
    }),
    quantityFigure(
      trains ? l10n.t('Forward and backward') : l10n.t('Forward'),
      TIME,
      mean.forward_backward_ps,
      of(mean.forward_backward_ps),
      { meaning: l10n.t('From the first op of the forward pass to the last of the backward pass') },
    ),
    quantityFigure(l10n.t('Tail'), TIME, mean.tail_ps, of(mean.tail_ps), {
      meaning: l10n.t('From there to the end of the step: the optimizer, mostly'),
    }),
    mean.collectives === 0
      ? null
      : quantityFigure(
          l10n.t('Collectives'),
          TIME,
          mean.collective_ps,
          mean.collective_bytes === null
            ? l10n.t('{0} not hidden', duration(mean.exposed_ps))
            : l10n.t('{0} not hidden, {1}', duration(mean.exposed_ps), byteSize(mean.collective_bytes)),
        ),
  ];
}

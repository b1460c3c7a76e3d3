// What became of the steps of a run: each beside the one of its number in the run before. One of each tells nothing.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { StepTraceRecord } from '../../../src/protocol';
import type { Change } from '../../shared/comparison/change';
import type { ComparedRows } from '../../shared/comparison/comparedTable';
import { useComparison } from '../../shared/comparison/comparison';
import { Gone } from '../../shared/comparison/gone';
import { useDevice } from '../../shared/controls/deviceSelect';
import { TIME } from '../../shared/text/quantities';

/** By the position of a step. Null where nothing is compared. */
export function useComparedSteps({ rows }: StepTraceRecord): ComparedRows<number> | null {
  const device = useDevice();
  const { sides, record } = useComparison(device === null ? 'step' : null) ?? { sides: null, record: null };
  const of = JSON.stringify(sides);
  return useMemo(() => {
    if (sides === null) {
      return null;
    }
    const before = record?.before.step_durations_ps[0] ?? [];
    const gone = before
      .slice(rows.length)
      .map(
        (time_ps, at) =>
          new Gone(`gone ${String(rows.length + at)}`, String(rows.length + at + 1), stepOf(time_ps, null)),
      );
    return {
      sides,
      changeOf: (at) => {
        const after_ps = rows[at]?.duration_ps;
        return record === null || after_ps === undefined ? null : stepOf(before[at] ?? null, after_ps);
      },
      gone: new Map([[null, gone]]),
      quantity: TIME,
      // Steps are those of this run, each beside one other.
      rounds: 1,
      isPerStep: false,
      meaning: l10n.t('Time of the step of the same number'),
    };
  }, [of, record, rows]);
}

function stepOf(before: number | null, after: number | null): Change {
  return {
    before,
    after,
    change: (after ?? 0) - (before ?? 0),
    verdict: before === null ? 'only-after' : after === null ? 'only-before' : 'cannot-tell',
    judgedBy: 'wall-clock',
    told_ratio: null,
    interval: null,
    visible: null,
    visible_ratio: null,
    pairedBy: null,
  };
}

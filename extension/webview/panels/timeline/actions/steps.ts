// The way from one step to the next.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { stepBeside, stepInSight, stepSpan } from '../tools/steps';
import { framing } from '../state/viewport';
import type { Action } from './action';

export function stepActions({ state }: Timeline): readonly Action[] {
  const hasSteps = (): boolean => (state.record.value?.steps?.start_ps.length ?? 0) > 0;
  const show = (by: -1 | 0 | 1) => () => {
    const steps = state.record.value?.steps ?? null;
    if (steps === null) {
      return;
    }
    const step = by === 0 ? Math.max(0, stepInSight(steps, state.view.value)) : stepBeside(steps, state.view.value, by);
    const span = stepSpan(steps, step);
    if (span !== null) {
      state.view.value = framing(span, state.duration_ps.value);
    }
  };
  return [
    {
      id: 'previousStep',
      group: 'steps',
      label: l10n.t('Previous Step'),
      keys: ['['],
      run: show(-1),
      isOffered: hasSteps,
    },
    { id: 'nextStep', group: 'steps', label: l10n.t('Next Step'), keys: [']'], run: show(1), isOffered: hasSteps },
    { id: 'zoomToStep', group: 'steps', label: l10n.t('Zoom to Step'), keys: ['z'], run: show(0), isOffered: hasSteps },
  ];
}

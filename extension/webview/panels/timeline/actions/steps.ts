// The way from one step to the next.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { stepBeside, stepInSight, stepSpan } from '../state/steps';
import type { ActionOfGroup } from './action';

export function stepActions({ state }: Timeline): readonly ActionOfGroup[] {
  const toStep = (id: string, label: string, key: string, by: -1 | 0 | 1): ActionOfGroup => ({
    id,
    label,
    keys: [key],
    run: () => {
      const steps = state.record.value?.steps ?? null;
      if (steps !== null && steps.start_ps.length > 0) {
        const { value: view } = state.view;
        state.frame(stepSpan(steps, by === 0 ? Math.max(0, stepInSight(steps, view)) : stepBeside(steps, view, by)));
      }
    },
    isOffered: () => (state.record.value?.steps?.start_ps.length ?? 0) > 0,
  });
  return [
    toStep('previousStep', l10n.t('Previous Step'), '[', -1),
    toStep('nextStep', l10n.t('Next Step'), ']', 1),
    toStep('zoomToStep', l10n.t('Zoom to Step'), 'z', 0),
  ];
}

// The choice of a step, or of the mean of all of them.

import * as l10n from '@vscode/l10n';
import type { HostsRecord } from '../../../src/protocol';
import { count, duration } from '../../shared/text/format';
import { type Choices, singleSteps } from './choices';

/** Nothing but what is shown where steps cannot be looked at one by one. */
export function StepSlider({ record, choices }: { readonly record: HostsRecord; readonly choices: Choices }) {
  const steps = singleSteps(record);
  const step = choices.step === null ? undefined : steps[choices.step];
  const text =
    step === undefined
      ? record.step_count === 1
        ? l10n.t('1 step')
        : l10n.t('mean of {0} steps', count(record.step_count))
      : l10n.t('step {0}, {1}', count(step.number), duration(step.duration_ps));
  return (
    <label class="step-slider">
      {steps.length < 2 ? null : (
        <>
          <span class="quiet">{l10n.t('Step')}</span>
          <input
            type="range"
            min="0"
            max={steps.length}
            step="1"
            value={choices.step === null ? 0 : choices.step + 1}
            aria-valuetext={text}
            onInput={({ currentTarget: { value } }) => choices.onStep(Number(value) === 0 ? null : Number(value) - 1)}
          />
        </>
      )}
      <span class="shown-step">{text}</span>
    </label>
  );
}

// The durations of the steps, shown where no line is selected.

import * as l10n from '@vscode/l10n';
import type { LinesRecord } from '../../../src/protocol';
import { Chart } from '../../shared/charts/chart';
import { COUNT, TIME } from '../../shared/text/quantities';

export function Steps(props: { readonly record: LinesRecord }) {
  const { steps, step_time: time, steps_name: name } = props.record;
  return (
    <>
      <h2 class="details-title">{l10n.t('Steps')}</h2>
      {name === null ? null : <p class="quiet">{name}</p>}
      {steps.length === 0 ? (
        <p class="quiet">{l10n.t('Select a line to see its phases and ops.')}</p>
      ) : (
        <Chart
          label={l10n.t('Duration of each step')}
          x={{ label: l10n.t('Step'), values: steps.map((_, index) => index + 1), quantity: COUNT }}
          y={{ label: l10n.t('Duration'), values: steps.map((step) => step.duration_ps), quantity: TIME }}
          levels={[
            ...(time.mean_ps === null ? [] : [{ label: l10n.t('mean'), value: time.mean_ps }]),
            ...(time.median_ps === null ? [] : [{ label: l10n.t('median'), value: time.median_ps }]),
          ]}
        />
      )}
    </>
  );
}

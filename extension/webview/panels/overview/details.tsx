// The details pane of Overview while a step is read: what it went to, in numbers.

import * as l10n from '@vscode/l10n';
import type { OverviewRecord } from '../../../src/protocol';
import { Facts, quantityFact } from '../../shared/frame/facts';
import { PlainTable } from '../../shared/frame/plainTable';
import { Ways } from '../../shared/frame/ways';
import { greatestParts, partName } from '../../shared/steps/parts';
import { count, duration, exactDuration, timeShare } from '../../shared/text/format';
import { TIME } from '../../shared/text/quantities';

export function StepCard(props: { readonly record: OverviewRecord; readonly step: OverviewRecord['steps'][number] }) {
  const { record, step } = props;
  const { start_ps, duration_ps, wall_ps: wall } = step;
  const mean = record.step_time.mean_ps;
  return (
    <>
      <h2 class="details-title">{l10n.t('Step {0}', count(step.number))}</h2>
      <Facts
        facts={[
          quantityFact(l10n.t('Takes'), TIME, duration_ps),
          mean === null
            ? null
            : {
                name: l10n.t('Of the mean'),
                text: timeShare(duration_ps / mean),
                exact: exactDuration(Math.round(mean)),
              },
          quantityFact(l10n.t('Begins at'), TIME, start_ps),
        ]}
      />
      <PlainTable
        titles={[l10n.t('It went to'), l10n.t('Time'), l10n.t('Share')]}
        rows={greatestParts(step.parts).map(([part, time]) => {
          // Parts are summed over devices; each of them has the step's time.
          const of_step = (time / Math.max(1, wall)) * duration_ps;
          return {
            key: part,
            name: partName(part),
            cells: [
              { text: duration(of_step), exact: l10n.t('{0} over all devices', exactDuration(time)) },
              { text: timeShare(time / Math.max(1, wall)) },
            ],
          };
        })}
      />
      {step.is_steady ? null : <p class="row-note">{l10n.t('A program was compiled in it.')}</p>}
      {step.is_outlier ? <p class="row-note">{l10n.t('It is much longer or shorter than most.')}</p> : null}
      <Ways selection={{ kind: 'time', start_ps, end_ps: start_ps + duration_ps, file: null, line: null }} />
    </>
  );
}

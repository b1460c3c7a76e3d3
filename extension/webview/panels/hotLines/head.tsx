// The head of Hot Lines: how long a step takes, and what its wall clock went to.

import * as l10n from '@vscode/l10n';
import type { LinesAnswer } from '../../../src/protocol';
import { StackedBar, Swatch, type Part } from '../../shared/charts/cells';
import { duration, exactDuration, share } from '../../shared/text/format';
import { Findings } from '../../shared/findings/findings';

export function Head(props: { readonly view: LinesAnswer }) {
  const { run, record } = props.view;
  const split = record.step_time;
  const parts: readonly { readonly hue: Part['hue']; readonly name: string; readonly time_ps: number }[] = [
    { hue: 'busy', name: l10n.t('device busy'), time_ps: split.busy_ps },
    { hue: 'other', name: l10n.t('compiling'), time_ps: split.compiling_ps },
    { hue: 'idle', name: l10n.t('waiting for the host'), time_ps: split.waiting_ps },
  ];
  const whole_ps = Math.max(1, split.mean_ps);
  return (
    <>
      <section class="head" aria-label={l10n.t('Step time')}>
        <p class="headline">{run.headline}</p>
        <div class="wall-clock">
          <p class="quiet">
            {record.steps.length === 0
              ? l10n.t('Wall clock of the window, {0}', duration(split.mean_ps))
              : l10n.t('Wall clock of a step, {0} on average', duration(split.mean_ps))}
          </p>
          <StackedBar parts={parts.map(({ hue, time_ps }) => ({ hue, share_ratio: time_ps / whole_ps }))} />
          <ul>
            {parts
              .filter(({ time_ps }) => time_ps > 0)
              .map(({ hue, name, time_ps }) => (
                <li key={hue} title={exactDuration(time_ps)}>
                  <Swatch hue={hue} />
                  {name} {duration(time_ps)} <span class="quiet">{share(time_ps / whole_ps)}</span>
                </li>
              ))}
          </ul>
        </div>
      </section>
      <Findings findings={record.findings} />
    </>
  );
}

// The head of Hot Lines: how long a step takes, and what its wall clock went to.

import * as l10n from '@vscode/l10n';
import type { ExtentRecord, LinesAnswer, LinesRecord, WallRecord } from '../../../src/protocol';
import { StackedBar, Swatch } from '../../shared/charts/cells';
import { Findings } from '../../shared/findings/findings';
import { duration, exactDuration } from '../../shared/text/format';
import { eachOf, wallParts } from './split';

export function Head(props: { readonly view: LinesAnswer }) {
  const { run, record } = props.view;
  return (
    <>
      <section class="head" aria-label={l10n.t('Step time')}>
        <p class="headline" title={run.headline}>
          {run.headline}
        </p>
        {record.wall === null ? null : <WallClock record={record} wall={record.wall} />}
      </section>
      <Findings findings={record.findings} />
    </>
  );
}

function WallClock(props: { readonly record: LinesRecord; readonly wall: WallRecord }) {
  const { record, wall } = props;
  const parts = wallParts(record, wall);
  return (
    <div class="wall-clock">
      <p class={`quiet ${record.extent.kind}`}>
        {wholeName(record.extent, duration(wall.wall_ps / eachOf(record.extent)))}
      </p>
      <StackedBar
        parts={parts.map(({ hue, time_ps }) => ({ hue, share_ratio: time_ps / Math.max(1, wall.wall_ps) }))}
      />
      <ul>
        {parts.map(({ hue, name, time_ps, each_ps, share }) => (
          <li key={hue} title={exactDuration(time_ps)}>
            <Swatch hue={hue} />
            {name} {duration(each_ps)} <span class="quiet">{share}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function wholeName({ kind, steps }: ExtentRecord, time: string): string {
  switch (kind) {
    case 'steps':
      return steps === 1
        ? l10n.t('Wall clock of the step, {0}', time)
        : l10n.t('Wall clock of a step, {0} on average', time);
    case 'outside':
      return l10n.t('Wall clock outside of the steps, {0}', time);
    default:
      return l10n.t('Wall clock of the whole window, {0}', time);
  }
}

// The head of Hot Lines: how long a step takes, and what its wall clock went to.

import * as l10n from '@vscode/l10n';
import type { ExtentRecord, LinesAnswer, LinesRecord, WallRecord } from '../../../src/protocol';
import { StackedBar, Swatch } from '../../shared/charts/cells';
import { Findings } from '../../shared/findings/findings';
import { duration, exactDuration } from '../../shared/text/format';
import { eachOf, type PartId, wallParts } from './split';

interface HeadProps {
  readonly view: LinesAnswer;
  /** The part of the wall clock whose lines alone are listed; null for all. */
  readonly part: PartId | null;
  readonly onPart: (part: PartId | null) => void;
}

export function Head(props: HeadProps) {
  const { run, record } = props.view;
  return (
    <>
      <section class="head" aria-label={l10n.t('Step time')}>
        <p class="headline" title={run.headline}>
          {run.headline}
        </p>
        {record.wall === null ? null : <WallClock {...props} record={record} wall={record.wall} />}
      </section>
      <Findings findings={record.findings} />
    </>
  );
}

function WallClock(props: HeadProps & { readonly record: LinesRecord; readonly wall: WallRecord }) {
  const { record, wall, part: chosen } = props;
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
        {parts.map(({ id, hue, name, time_ps, each_ps, share }) => (
          <li key={id}>
            <button
              type="button"
              class="part"
              aria-pressed={chosen === id}
              title={l10n.t('{0}: list its lines alone', exactDuration(time_ps))}
              onClick={() => props.onPart(chosen === id ? null : id)}
            >
              <Swatch hue={hue} />
              {name} {duration(each_ps)} <span class="quiet">{share}</span>
            </button>
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

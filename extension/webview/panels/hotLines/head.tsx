// The head of Hot Lines: how long a step takes, and what its wall clock went to.

import * as l10n from '@vscode/l10n';
import type { ExtentRecord, Finding, LinesAnswer, LinesRecord, WallRecord } from '../../../src/protocol';
import { StackedBar, Swatch } from '../../shared/charts/cells';
import { sentences } from '../../shared/findings/findings';
import { FoldedNotice } from '../../shared/page/states';
import { duration, exactDuration } from '../../shared/text/format';
import { eachOf, type PartId, type WallPart, wallParts } from './split';

interface HeadProps {
  readonly view: LinesAnswer;
  /** The part of the wall clock whose lines alone are listed; null for all. */
  readonly part: PartId | null;
  readonly onPart: (part: PartId | null) => void;
}

export function Head(props: HeadProps) {
  const { run, record } = props.view;
  const { wall } = record;
  const parts = wall === null ? [] : wallParts(record, wall);
  return (
    <>
      <section class="head" aria-label={l10n.t('Step time')} title={[run.headline, ...parts.map(partText)].join('\n')}>
        <p class="headline">{run.headline}</p>
        {wall === null ? null : <WallClock {...props} record={record} wall={wall} parts={parts} />}
      </section>
      <div class="notices">
        {doubts(record.findings, run.headline).map((text) => (
          <FoldedNotice key={text} text={text} />
        ))}
      </div>
    </>
  );
}

/** What makes the numbers doubtful; of what the headline says, what to do about it. */
function doubts(findings: readonly Finding[], headline: string): readonly string[] {
  const rest = findings.map((each) => (each.text === headline ? { ...each, text: each.remedy, remedy: '' } : each));
  return sentences(rest, 'error', 'warning').filter((text) => text !== '');
}

function WallClock(
  props: HeadProps & {
    readonly record: LinesRecord;
    readonly wall: WallRecord;
    readonly parts: readonly WallPart[];
  },
) {
  const { record, wall, parts, part: chosen } = props;
  const longestFirst = parts.toSorted((one, other) => other.time_ps - one.time_ps);
  return (
    <div class="wall-clock">
      <p class={`quiet ${record.extent.kind}`}>
        {wholeName(record.extent, duration(wall.wall_ps / eachOf(record.extent)))}
      </p>
      <StackedBar
        parts={parts.map(({ hue, time_ps }) => ({ hue, share_ratio: time_ps / Math.max(1, wall.wall_ps) }))}
      />
      <ul>
        {parts.map((part) => (
          <li key={part.id} style={{ '--rank': longestFirst.indexOf(part) }}>
            <button
              type="button"
              class="part"
              aria-pressed={chosen === part.id}
              aria-label={partText(part)}
              title={l10n.t('{0}, {1}: list its lines alone', part.name, exactDuration(part.time_ps))}
              onClick={() => props.onPart(chosen === part.id ? null : part.id)}
            >
              <Swatch hue={part.hue} />
              <span class="in-full">
                {part.name} {duration(part.each_ps)}
              </span>
              <span class="in-short" data-words={part.shortName} /> <span class="quiet">{part.share}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function partText({ name, each_ps, share }: WallPart): string {
  return `${name} ${duration(each_ps)} ${share}`;
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

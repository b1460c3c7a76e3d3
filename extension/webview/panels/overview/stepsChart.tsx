// How long each step took, stacked by what it went to; one is read by pointing or by keys, and opened in the timeline.

import * as l10n from '@vscode/l10n';
import { useCallback, useMemo, useState } from 'preact/hooks';
import type { OverviewRecord } from '../../../src/protocol';
import { Legend } from '../../shared/charts/legend';
import { PointTable } from '../../shared/charts/pointTable';
import { SeriesChart } from '../../shared/charts/seriesChart';
import type { Paint, Series, SeriesAxes } from '../../shared/charts/seriesOptions';
import type { Span } from '../../shared/charts/span';
import { TableToggle } from '../../shared/charts/tableToggle';
import { usePage } from '../../shared/page/page';
import { LookMark } from '../../shared/steps/lookMark';
import { greatestParts, partLook, partName, STEP_PARTS } from '../../shared/steps/parts';
import { paintStacks } from '../../shared/steps/stacks';
import type { Column } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import { numberColumn, textColumn } from '../../shared/table/kinds';
import { count, dotted, duration, timeShare } from '../../shared/text/format';
import { COUNT, TIME } from '../../shared/text/quantities';

type Step = OverviewRecord['steps'][number];

export function StepsChart(props: {
  readonly record: OverviewRecord;
  readonly read: number | null;
  readonly onRead: (step: number | null) => void;
}) {
  const { record, read, onRead } = props;
  const { steps, parts: sums } = record;
  const { saved, host } = usePage();
  const asTable = saved.signal('asTable', false);
  const [shown, setShown] = useState<Span | null>(null);
  const present = useMemo(() => STEP_PARTS.filter((part) => (sums[part] ?? 0) > 0), [record]);
  const axes = useMemo<SeriesAxes>(
    () => ({
      x: {
        label: l10n.t('step'),
        values: steps.map(({ number }) => number),
        text: (value) => (Number.isInteger(value) ? count(value) : ''),
      },
      y: { greatest: greatest(steps, ({ duration_ps: time }) => time), text: duration, steps: 'decimal' },
    }),
    [record],
  );
  const series = useMemo<readonly Series[]>(
    () => [{ values: steps.map(({ duration_ps: time }) => time), hue: '--text', kind: 'bars' }],
    [record],
  );
  const stacks = useMemo(
    () =>
      steps.map((step) => ({
        heights: present.map((part) => ((step.parts[part] ?? 0) / Math.max(1, step.wall_ps)) * step.duration_ps),
        isMarked: step.is_outlier,
      })),
    [record, present],
  );
  const paint = useCallback<Paint>(
    (context, place) => paintStacks(context, place, stacks, present.map(partLook)),
    [stacks, present],
  );
  const columns = useMemo(() => stepColumns(steps, present), [record, present]);
  if (steps.length === 0) {
    return null;
  }
  const open = (at: number): void => {
    const step = steps[at];
    if (step !== undefined) {
      const { start_ps, duration_ps } = step;
      host.showIn('timeline', { kind: 'time', start_ps, end_ps: start_ps + duration_ps, file: null, line: null });
    }
  };
  const step = read === null ? undefined : steps[read];
  const whole = Object.values(sums).reduce((sum, part) => sum + part, 0);
  const hasOutliers = steps.some(({ is_outlier: isOutlier }) => isOutlier);
  return (
    <section class="steps-chart" aria-label={l10n.t('Where the steps went')}>
      <div class="section-head">
        <h2>{l10n.t('Where the steps went')}</h2>
        <p class="readout" aria-live="polite">
          {step === undefined
            ? record.predicted_for === null
              ? l10n.t('Point or use arrow keys to read a step, click or Enter opens it in the timeline')
              : l10n.t('Point or use arrow keys to read a step')
            : readText(step)}
        </p>
        <TableToggle asTable={asTable} />
      </div>
      {asTable.value ? (
        <PointTable
          name="steps"
          label={l10n.t('Steps')}
          columns={columns}
          points={steps.length}
          onPick={open}
          onSelect={onRead}
        />
      ) : (
        <SeriesChart
          label={l10n.t('Time of each step by what it went to')}
          axes={axes}
          series={series}
          shown={shown}
          onShow={setShown}
          point={read}
          onRead={onRead}
          onPick={open}
          onLeave={() => onRead(null)}
          paintOver={paint}
        />
      )}
      <Legend
        entries={[
          ...present.map((part) => ({
            mark: <LookMark {...partLook(part)} />,
            text: partName(part),
            note: timeShare((sums[part] ?? 0) / Math.max(1, whole)),
          })),
          hasOutliers
            ? { mark: <span class="outlier-mark" />, text: l10n.t('much longer or shorter than most') }
            : null,
        ]}
      />
    </section>
  );
}

/** A step in one line. */
function readText(step: Step): string {
  const parts = greatestParts(step.parts).slice(0, 4);
  return dotted([
    l10n.t('step {0}', count(step.number)),
    duration(step.duration_ps),
    ...parts.map(([part, time]) => `${partName(part)} ${timeShare(time / Math.max(1, step.wall_ps))}`),
  ]);
}

function stepColumns(steps: readonly Step[], present: typeof STEP_PARTS): readonly Column<number>[] {
  const of =
    (value: (step: Step) => number) =>
    (at: number): number | null => {
      const step = steps[at];
      return step === undefined ? null : value(step);
    };
  return [
    numberColumn<number>(
      'step',
      l10n.t('Step'),
      COUNT,
      of(({ number }) => number),
      { width_px: 64 },
    ),
    numberColumn<number>(
      'time',
      l10n.t('Takes'),
      TIME,
      of(({ duration_ps: time }) => time),
    ),
    ...present.map((part) =>
      numberColumn<number>(
        part,
        partName(part),
        TIME,
        of((step) => ((step.parts[part] ?? 0) / Math.max(1, step.wall_ps)) * step.duration_ps),
        { width_px: 104 },
      ),
    ),
    textColumn<number>('note', l10n.t('Note'), (at) => noteText(steps[at]), { width_px: 144, fills: 1 }),
  ];
}

function noteText(step: Step | undefined): string {
  return dotted([
    step?.is_outlier === true ? l10n.t('unlike most') : null,
    step?.is_steady === false ? l10n.t('compiles') : null,
  ]);
}

// Memory over time: stack, heap and what is free, one upon the other, with fragmentation on an axis of its own.

import type { Signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { useCallback, useMemo } from 'preact/hooks';
import type { MemoryRecord, MemorySnapshot } from '../../../src/protocol';
import { Legend, type LegendEntry } from '../../shared/charts/legend';
import { Marks } from '../../shared/charts/marks';
import { SeriesChart } from '../../shared/charts/seriesChart';
import type { Paint, Series, SeriesAxes } from '../../shared/charts/seriesOptions';
import type { Span } from '../../shared/charts/span';
import { paintSteps, type StepsLook } from '../../shared/charts/steps';
import { present } from '../../shared/present';
import { byteSize, dotted, share } from '../../shared/text/format';
import type { SampleColumns } from './samples';
import { activityName, heapName, moment } from './words';

const STEPS_LOOK: StepsLook = { grounds: [0.14, 0.05], name_px: 30, baseline: 'bottom' };

export interface AreasProps {
  readonly memory: MemoryRecord;
  readonly columns: SampleColumns;
  readonly snapshots: readonly MemorySnapshot[];
  readonly shown: Signal<Span | null>;
  /** The sample that is read. */
  readonly point: number | null;
  readonly onRead: (point: number | null) => void;
  /** The sample whose card stays. */
  readonly picked: number | null;
  readonly onPick: (point: number | null) => void;
}

export function Areas(props: AreasProps) {
  const { memory, columns } = props;
  const axes = useMemo<SeriesAxes>(
    () => ({
      x: { label: '', values: columns.times_ps, text: moment },
      y: { greatest: columns.greatest_bytes, text: byteSize },
    }),
    [columns],
  );
  const series = useMemo(() => seriesOf(columns), [columns]);
  const paintOver = useCallback<Paint>(
    (context, place) => paintSteps(context, place, memory.steps, STEPS_LOOK),
    [memory],
  );
  const read = props.point ?? props.picked;
  const { capacity_bytes: capacity } = memory;
  const label = l10n.t('Memory over time');
  return (
    <section class="chart-above memory-areas" aria-label={label}>
      <p class="readout" aria-live="polite">
        {read === null
          ? l10n.t(
              'Point or use arrow keys to read, click or Enter keeps the card, P goes to the peak, drag or + and − zoom',
            )
          : sampleText(columns, read, heapName(memory))}
      </p>
      <SeriesChart
        label={label}
        axes={axes}
        series={series}
        isStepped={memory.source === 'allocator events'}
        shown={props.shown.value}
        onShow={(span) => (props.shown.value = span)}
        point={read}
        onRead={(point) => props.onRead(point)}
        onPick={props.onPick}
        onLeave={() => props.onPick(null)}
        peak={columns.peak}
        paintOver={paintOver}
        over={(place) => (
          <Marks
            place={place}
            marks={[
              { kind: 'peak', at: memory.peak_ps, text: l10n.t('peak {0}', byteSize(memory.peak_bytes)) },
              capacity === null || capacity > columns.greatest_bytes
                ? null
                : { kind: 'level', value: capacity, text: l10n.t('capacity {0}', byteSize(capacity)) },
              ...props.snapshots.map(({ name, time_ps }) => ({ kind: 'snapshot' as const, key: name, at: time_ps })),
            ]}
          />
        )}
      />
      <Legend
        entries={[
          columns.stack_bytes === null ? null : entry('stack', l10n.t('stack')),
          entry('heap', heapName(memory)),
          columns.all_bytes === null ? null : entry('free', l10n.t('free')),
          columns.fragmentation_ratio === null
            ? null
            : entry('fragmentation', l10n.t('fragmentation of what is free (right axis)')),
          props.snapshots.some(({ time_ps }) => time_ps !== null) ? entry('snapshot', l10n.t('snapshot')) : null,
        ]}
      />
    </section>
  );
}

function entry(name: string, text: string): LegendEntry {
  const mark = (
    <>
      <span class={`area-mark ${name}`} aria-hidden="true" />{' '}
    </>
  );
  return { mark, text };
}

/** The series to be drawn, what covers others last. */
function seriesOf(columns: SampleColumns): readonly Series[] {
  const { all_bytes: all, used_bytes: used, stack_bytes: stack, fragmentation_ratio: fragmentation } = columns;
  return present<Series>([
    all === null ? null : { values: all, hue: '--vscode-charts-green', kind: 'faintArea' },
    { values: used, hue: '--vscode-charts-blue', kind: 'area' },
    stack === null ? null : { values: stack, hue: '--vscode-charts-orange', kind: 'hatchedArea' },
    fragmentation === null
      ? null
      : { values: fragmentation, hue: '--vscode-charts-purple', kind: 'line', dash: [6, 3], isRatio: true },
  ]);
}

/** A sample in one line. */
export function sampleText({ samples }: SampleColumns, point: number, heap: string): string {
  const sample = samples[point];
  if (sample === undefined) {
    return '';
  }
  const { stack_bytes: stack, free_bytes: free, fragmentation_ratio: fragmentation } = sample;
  return dotted([
    moment(sample.time_ps),
    stack === null || stack === 0 ? null : l10n.t('stack {0}', byteSize(stack)),
    `${heap} ${byteSize(sample.heap_bytes)}`,
    free === null ? null : l10n.t('free {0}', byteSize(free)),
    fragmentation === null ? null : l10n.t('fragmentation {0}', share(fragmentation)),
    activityName(sample.activity),
    sample.step === null ? null : l10n.t('step {0}', sample.step),
  ]);
}

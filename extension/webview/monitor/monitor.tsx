// The page of a watched job: the last reading, curves of all of them or their table, what it costs, and its controls.

import { type ReadonlySignal, useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { useMemo, useState } from 'preact/hooks';
import { type MonitorFacts, type MonitorPageMessage, PERIODS_SECONDS } from '../../src/monitor/messages';
import type { WatchedReading } from '../../src/protocol';
import { Legend } from '../shared/charts/legend';
import { SeriesChart } from '../shared/charts/seriesChart';
import { SeriesMark } from '../shared/charts/seriesMark';
import type { SeriesAxes } from '../shared/charts/seriesOptions';
import type { Span } from '../shared/charts/span';
import { TableToggle } from '../shared/charts/tableToggle';
import { Choice } from '../shared/controls/choice';
import { Button } from '../shared/controls/elements';
import { Figures, quantityFigure } from '../shared/frame/figures';
import { PlainTable } from '../shared/frame/plainTable';
import { dotted, duration, share } from '../shared/text/format';
import { BYTES, quantityText, RATIO, TIME } from '../shared/text/quantities';
import { type Chart, chartsOf, costRatio, timesOf, topOf } from './curves';

/** Rows of the table, the newest first. */
const MOST_ROWS = 500;

export interface MonitorProps {
  readonly facts: ReadonlySignal<MonitorFacts | null>;
  readonly tell: (message: MonitorPageMessage) => void;
}

export function Monitor({ facts, tell }: MonitorProps) {
  const now = facts.value;
  if (now === null) {
    return null;
  }
  return now.title === null ? <NoJob tell={tell} /> : <Watched facts={now} tell={tell} />;
}

function NoJob({ tell }: Pick<MonitorProps, 'tell'>) {
  return (
    <main class="monitor empty" aria-label={l10n.t('Monitor')}>
      <p>{l10n.t('No job is watched. A job can be watched while it runs under Scopelight: profile a script first.')}</p>
      <Button label={l10n.t('Monitor Job')} onPress={() => tell({ type: 'choose' })} />
    </main>
  );
}

function Watched({ facts, tell }: { readonly facts: MonitorFacts; readonly tell: MonitorProps['tell'] }) {
  const { readings, title, isWatching, why, seconds } = facts;
  const asTable = useSignal(false);
  const [shown, setShown] = useState<Span | null>(null);
  const [point, setPoint] = useState<number | null>(null);
  const charts = useMemo(() => chartsOf(readings), [readings]);
  const last = readings.at(-1);
  return (
    <main class="monitor" aria-label={l10n.t('Monitor')}>
      <h1>{title}</h1>
      {last === undefined ? null : <LastReading reading={last} />}
      <p class="quiet" role="status">
        {isWatching ? costText(facts) : (why ?? l10n.t('It is not watched now.'))}
      </p>
      {last?.said.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <div class="tool-row">
        <Button
          label={isWatching ? l10n.t('Stop') : l10n.t('Start')}
          secondary
          onPress={() => tell({ type: isWatching ? 'stop' : 'start' })}
        />
        <Choice<string>
          label={l10n.t('A reading every')}
          options={PERIODS_SECONDS.map((each) => ({ value: String(each), label: l10n.t('{0} s', each) }))}
          value={String(seconds)}
          onChange={(chosen) => tell({ type: 'every', seconds: Number(chosen) })}
        />
        <span class="spacer" />
        <TableToggle asTable={asTable} />
      </div>
      {readings.length === 0 ? (
        <p>{isWatching ? l10n.t('Waiting for the first reading.') : l10n.t('No reading was taken.')}</p>
      ) : asTable.value ? (
        <ReadingsTable readings={readings} charts={charts} />
      ) : (
        charts.map((chart) => (
          <Curves
            key={chart.title}
            chart={chart}
            readings={readings}
            shown={shown}
            onShow={setShown}
            point={point}
            onRead={setPoint}
          />
        ))
      )}
    </main>
  );
}

function LastReading({ reading }: { readonly reading: WatchedReading }) {
  const { cores, device_type: kind } = reading;
  const devices = kind === null ? '' : cores === null ? kind.toUpperCase() : `${String(cores)} × ${kind.toUpperCase()}`;
  const between = (least: string, most: string): string => l10n.t('{0} to {1}', least, most);
  const { step_min_ps: least, step_max_ps: most, infeed_min_ratio: low, infeed_max_ratio: high } = reading;
  return (
    <Figures
      label={l10n.t('The last reading')}
      figures={[
        quantityFigure(l10n.t('Busy'), RATIO, reading.utilisation_ratio, devices),
        quantityFigure(l10n.t('Idle'), RATIO, reading.idle_ratio, ''),
        quantityFigure(
          l10n.t('Step'),
          TIME,
          reading.step_avg_ps,
          least === null || most === null ? '' : between(duration(least), duration(most)),
        ),
        quantityFigure(
          l10n.t('Waits for input'),
          RATIO,
          reading.infeed_avg_ratio,
          low === null || high === null ? '' : between(share(low), share(high)),
        ),
        reading.memory_used_bytes === null
          ? null
          : quantityFigure(l10n.t('Memory'), BYTES, reading.memory_used_bytes, ''),
      ]}
    />
  );
}

function Curves(props: {
  readonly chart: Chart;
  readonly readings: readonly WatchedReading[];
  readonly shown: Span | null;
  readonly onShow: (span: Span | null) => void;
  readonly point: number | null;
  readonly onRead: (point: number | null) => void;
}) {
  const { chart, readings, point } = props;
  const axes = useMemo<SeriesAxes>(
    () => ({
      x: { label: '', values: timesOf(readings), text: (time) => duration(time) },
      y: { greatest: topOf(chart, readings), text: chart.quantity.text, steps: 'decimal' },
    }),
    [chart, readings],
  );
  const series = useMemo(
    () =>
      chart.curves.map(({ value, hue, dash }) => ({
        values: readings.map(value),
        hue,
        kind: 'line' as const,
        ...(dash === undefined ? {} : { dash }),
      })),
    [chart, readings],
  );
  const reading = point === null ? undefined : readings[point];
  return (
    <section class="chart-above monitor-chart" aria-label={chart.title}>
      <p class="readout" aria-live="polite">
        <span class="chart-title">{chart.title}</span>{' '}
        {reading === undefined ? '' : dotted([clock(reading), ...textsOf(chart, reading)])}
      </p>
      <SeriesChart
        label={chart.title}
        axes={axes}
        series={series}
        shown={props.shown}
        onShow={props.onShow}
        point={point}
        onRead={(at) => props.onRead(at)}
        onPick={props.onRead}
        onLeave={() => props.onRead(null)}
      />
      <Legend entries={chart.curves.map(({ name }, at) => ({ mark: <SeriesMark look={series[at]} />, text: name }))} />
    </section>
  );
}

function ReadingsTable(props: { readonly readings: readonly WatchedReading[]; readonly charts: readonly Chart[] }) {
  const columns = props.charts.flatMap(({ quantity, curves, title }) =>
    curves.map(({ name, value }) => ({ title: `${title}: ${name}`, quantity, value })),
  );
  return (
    <div class="readings" tabIndex={0} role="region" aria-label={l10n.t('Readings')}>
      <PlainTable
        titles={[l10n.t('At'), ...columns.map(({ title }) => title)]}
        rows={props.readings
          .slice(-MOST_ROWS)
          .reverse()
          .map((reading) => ({
            key: String(reading.time_ns),
            name: clock(reading),
            cells: columns.map(({ quantity, value }) => ({ text: quantityText(quantity, value(reading)) })),
          }))}
      />
    </div>
  );
}

function textsOf(chart: Chart, reading: WatchedReading): readonly string[] {
  return chart.curves.map(({ name, value }) => `${name} ${quantityText(chart.quantity, value(reading))}`);
}

function clock({ time_ns: time }: WatchedReading): string {
  return new Date(time / 1e6).toLocaleTimeString();
}

/** What watching costs the job. */
function costText({ readings, seconds }: MonitorFacts): string {
  const ratio = costRatio(readings, seconds);
  const pause = readings.findLast(({ pause_ps: each }) => each !== null)?.pause_ps ?? null;
  return ratio === null || pause === null
    ? l10n.t('Each reading traces the job for a moment.')
    : l10n.t(
        'The job is traced for {0} of the time, in which steps take a few percent longer; beginning and ending a trace took {1}.',
        share(ratio),
        duration(pause),
      );
}

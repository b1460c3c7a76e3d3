// One chart of Input Pipeline: what is read of it, the curves, and what they mean.

import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { Legend } from '../../shared/charts/legend';
import { Marks } from '../../shared/charts/marks';
import { SeriesChart } from '../../shared/charts/seriesChart';
import { SeriesMark } from '../../shared/charts/seriesMark';
import type { Span } from '../../shared/charts/span';
import type { DrawnChart } from './charts';

export function ChartView(props: {
  readonly chart: DrawnChart;
  readonly point: number | null;
  readonly onRead: (point: number | null) => void;
  readonly onPick: (point: number | null) => void;
  /** What is read at a point. */
  readonly textAt: (point: number) => string;
  /** A height that is marked, such as the mean or the capacity. */
  readonly level: { readonly value: number; readonly text: string } | null;
}) {
  const { chart, point, level } = props;
  const [shown, setShown] = useState<Span | null>(null);
  const inside = (at: number | null): number | null => (at === null ? null : Math.min(at, chart.points - 1));
  return (
    <section class="chart-above input-chart" aria-label={chart.label}>
      <p class="readout" aria-live="polite">
        <span class="chart-title">{chart.label}</span>{' '}
        {point === null
          ? l10n.t('Point or use arrow keys to read, Enter keeps the card, drag or + and − zoom')
          : props.textAt(point)}
      </p>
      <SeriesChart
        label={chart.label}
        axes={chart.axes}
        series={chart.series}
        isStepped
        shown={shown}
        onShow={setShown}
        point={point}
        onRead={(at) => props.onRead(inside(at))}
        onPick={(at) => props.onPick(inside(at))}
        onLeave={() => props.onPick(null)}
        over={(place) => (
          <Marks place={place} marks={[level === null ? null : { kind: 'level', ...level, isQuiet: true }]} />
        )}
      />
      {chart.series.length < 2 ? null : (
        <Legend entries={chart.names.map((text, at) => ({ mark: <SeriesMark look={chart.series[at]} />, text }))} />
      )}
    </section>
  );
}

// One chart of resources: its title with what is read, the curves with the steps below them, and the legend.

import * as l10n from '@vscode/l10n';
import { useCallback, useMemo } from 'preact/hooks';
import type { ResourcesRecord } from '../../../src/protocol';
import { Legend } from '../../shared/charts/legend';
import { Marks } from '../../shared/charts/marks';
import { SeriesChart } from '../../shared/charts/seriesChart';
import { SeriesMark } from '../../shared/charts/seriesMark';
import type { Paint, SeriesAxes } from '../../shared/charts/seriesOptions';
import type { Span } from '../../shared/charts/span';
import { paintSteps, type StepsLook } from '../../shared/charts/steps';
import { dotted } from '../../shared/text/format';
import { quantityText } from '../../shared/text/quantities';
import { type Chart, readingsAt } from './charts';
import { axisText, moment, quantityOf, seriesName } from './words';

const STEPS_LOOK: StepsLook = { grounds: [0.18, 0.08], name_px: 20, baseline: 'top' };

export interface ChartViewProps {
  readonly record: ResourcesRecord;
  readonly chart: Chart;
  readonly shown: Span | null;
  readonly onShow: (span: Span | null) => void;
  /** The reading that is looked at, in all charts. */
  readonly point: number | null;
  readonly onRead: (point: number | null) => void;
  readonly onPick: (point: number | null) => void;
  /** Whether it says how it is read, where nothing is. */
  readonly hasHint: boolean;
}

export function ChartView(props: ChartViewProps) {
  const { record, chart, point } = props;
  const axes = useMemo<SeriesAxes>(
    () => ({
      x: { label: '', values: record.edges_ps, text: moment },
      y: {
        greatest: chart.greatest,
        text: (value) => axisText(chart.quantity, value),
        ...(chart.quantity.includes('bytes') ? {} : { steps: 'decimal' }),
      },
    }),
    [record, chart],
  );
  const paint = useCallback<Paint>((context, place) => paintSteps(context, place, record.steps, STEPS_LOOK), [record]);
  const label = chart.title;
  return (
    <section class="chart-above resource-chart" aria-label={label}>
      <p class="readout" aria-live="polite">
        <span class="chart-title">{label}</span>{' '}
        {point !== null
          ? readingText(record, chart, point)
          : props.hasHint
            ? l10n.t('Point or use arrow keys to read, click or Enter keeps the card, drag or + and − zoom')
            : ''}
      </p>
      <SeriesChart
        label={label}
        axes={axes}
        series={chart.drawn}
        isStepped
        shown={props.shown}
        onShow={props.onShow}
        point={point}
        onRead={(at) => props.onRead(at)}
        onPick={props.onPick}
        onLeave={() => props.onPick(null)}
        paintOver={paint}
        over={(place) => (
          <Marks
            place={place}
            marks={[
              record.window_ps === null ? null : { kind: 'picked', key: 'begin', at: 0, text: l10n.t('trace begins') },
              record.window_ps === null
                ? null
                : { kind: 'picked', key: 'end', at: record.window_ps, text: l10n.t('ends') },
              chart.level === null ? null : { kind: 'level', ...chart.level, isQuiet: true },
            ]}
          />
        )}
      />
      {chart.series.length < 2 ? null : (
        <Legend
          entries={chart.series.map((each, at) => ({
            mark: <SeriesMark look={chart.looks[at]} />,
            text: seriesName(each),
          }))}
        />
      )}
    </section>
  );
}

/** A reading in one line: when it was, and what there was of each series. */
export function readingText(record: ResourcesRecord, chart: Chart, at: number): string {
  const readings = readingsAt(chart, at).map(
    ({ name, value }) => `${name} ${quantityText(quantityOf(chart.quantity), value)}`,
  );
  return dotted([betweenText(record, at), ...readings]);
}

/** From one reading to the next. */
export function betweenText({ edges_ps: edges }: ResourcesRecord, at: number): string {
  const from = edges[Math.min(at, edges.length - 2)] ?? 0;
  const to = edges[Math.min(at, edges.length - 2) + 1] ?? from;
  const apart = Math.max(1, to - from);
  return l10n.t('{0} to {1}', moment(from, apart), moment(to, apart));
}

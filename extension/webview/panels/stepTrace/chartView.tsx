// One chart of Step Trace: parts that stand on each other for each step, or as curves where steps are many.

import * as l10n from '@vscode/l10n';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { Legend } from '../../shared/charts/legend';
import { SeriesChart } from '../../shared/charts/seriesChart';
import { SeriesMark } from '../../shared/charts/seriesMark';
import type { Paint, Series, SeriesAxes } from '../../shared/charts/seriesOptions';
import type { Span } from '../../shared/charts/span';
import { LookMark } from '../../shared/steps/lookMark';
import { paintStacks } from '../../shared/steps/stacks';
import { greatest } from '../../shared/table/greatest';
import { count, dotted, duration } from '../../shared/text/format';
import type { Curve, Row } from './charts';

/** Bars of more steps are too narrow for the patterns that tell them apart. */
const MOST_BARS = 100;
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3], [4, 4], [1, 3]];

export function ChartView(props: {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly curves: readonly Curve[];
  readonly read: number | null;
  readonly onRead: (step: number | null) => void;
  readonly onPick: (step: number) => void;
}) {
  const { title, rows, curves, read } = props;
  const [shown, setShown] = useState<Span | null>(null);
  const hasBars = rows.length <= MOST_BARS;
  const heights = useMemo(() => rows.map((row) => curves.map(({ of }) => of(row))), [rows, curves]);
  const axes = useMemo<SeriesAxes>(() => {
    const most = hasBars
      ? greatest(heights, (parts) => parts.reduce((sum, part) => sum + part, 0))
      : greatest(heights, (parts) => greatest(parts, (part) => part));
    return {
      x: {
        label: l10n.t('step'),
        values: rows.map(({ number }) => number),
        text: (value) => (Number.isInteger(value) ? count(value) : ''),
      },
      y: { greatest: most, text: duration, steps: 'decimal' },
    };
  }, [rows, heights, hasBars]);
  const series = useMemo<readonly Series[]>(
    () =>
      hasBars
        ? [{ values: rows.map(() => 0), hue: '--text', kind: 'bars' }]
        : curves.map(({ look, of }, at) => ({
            values: rows.map(of),
            hue: look.hue,
            kind: 'line',
            dash: DASHES[at % DASHES.length] ?? [],
          })),
    [rows, curves, hasBars],
  );
  const stacks = useMemo(
    () => rows.map((row, at) => ({ heights: heights[at] ?? [], isMarked: row.is_outlier })),
    [rows, heights],
  );
  const paint = useCallback<Paint>(
    (context, place) =>
      paintStacks(
        context,
        place,
        stacks,
        curves.map(({ look }) => look),
      ),
    [stacks, curves],
  );
  const row = read === null ? undefined : rows[read];
  return (
    <section class="chart-above step-chart" aria-label={title}>
      <p class="readout" aria-live="polite">
        <span class="chart-title">{title}</span>{' '}
        {row === undefined
          ? l10n.t('Point or use arrow keys to read a step, click or Enter opens it in the timeline')
          : dotted([
              l10n.t('step {0}', count(row.number)),
              ...curves.map(({ name, of }) => `${name} ${duration(of(row))}`),
            ])}
      </p>
      <SeriesChart
        label={l10n.t('{0} by step', title)}
        axes={axes}
        series={series}
        shown={shown}
        onShow={setShown}
        point={read}
        onRead={props.onRead}
        onPick={props.onPick}
        onLeave={() => props.onRead(null)}
        {...(hasBars ? { paintOver: paint } : {})}
      />
      <Legend
        entries={curves.map(({ name, look }, at) => ({
          mark: hasBars ? <LookMark {...look} /> : <SeriesMark look={series[at]} />,
          text: name,
        }))}
      />
    </section>
  );
}

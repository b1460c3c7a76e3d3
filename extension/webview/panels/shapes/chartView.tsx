// The op time of each run of a family: all of it, by type of op or by op. A run is read by pointing or by keys.

import * as l10n from '@vscode/l10n';
import { useMemo, useState } from 'preact/hooks';
import type { ShapeFamily } from '../../../src/protocol';
import { Legend } from '../../shared/charts/legend';
import { SeriesChart } from '../../shared/charts/seriesChart';
import { SeriesMark } from '../../shared/charts/seriesMark';
import type { Series, SeriesAxes } from '../../shared/charts/seriesOptions';
import type { Span } from '../../shared/charts/span';
import { greatest } from '../../shared/table/greatest';
import { count, duration } from '../../shared/text/format';
import { iterationText } from './words';

export type Measure = 'all' | 'type' | 'op';

const MOST_CURVES = 5;
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3], [4, 4]];
const HUES: readonly `--${string}`[] = [
  '--vscode-charts-blue',
  '--vscode-scopelight-phaseForward',
  '--vscode-scopelight-phaseBackward',
  '--vscode-scopelight-phaseOptimizer',
  '--vscode-scopelight-phaseCommunication',
];

export function ChartView(props: {
  readonly family: ShapeFamily;
  readonly measure: Measure;
  readonly read: number | null;
  readonly onRead: (at: number | null) => void;
  readonly onPick: (at: number | null) => void;
}) {
  const { family, measure, read } = props;
  const { iterations } = family;
  const [shown, setShown] = useState<Span | null>(null);
  const curves = useMemo(() => curvesOf(family, measure), [family, measure]);
  const series = useMemo<readonly Series[]>(
    () =>
      curves.map(({ values }, at) => ({
        values: [...values],
        hue: HUES[at % HUES.length] ?? '--vscode-charts-blue',
        kind: measure === 'all' ? 'bars' : 'line',
        dash: DASHES[at % DASHES.length] ?? [],
      })),
    [curves, measure],
  );
  const axes = useMemo<SeriesAxes>(
    () => ({
      x: {
        label: l10n.t('run'),
        values: iterations.map(({ number }) => number),
        text: (value) => (Number.isInteger(value) ? count(value) : ''),
      },
      y: {
        greatest: greatest(curves, ({ values }) => greatest(values, (value) => value)),
        text: duration,
        steps: 'decimal',
      },
    }),
    [iterations, curves],
  );
  return (
    <section class="chart-above shape-chart" aria-label={l10n.t('Op time of each run')}>
      <p class="readout" aria-live="polite">
        {read === null
          ? l10n.t('Point or use arrow keys to read a run, click or Enter keeps the card')
          : iterationText(family, read)}
      </p>
      <SeriesChart
        label={l10n.t('Op time of each run')}
        axes={axes}
        series={series}
        shown={shown}
        onShow={setShown}
        point={read}
        onRead={props.onRead}
        onPick={props.onPick}
        onLeave={() => props.onPick(null)}
      />
      {curves.length < 2 ? null : (
        <Legend entries={curves.map(({ name }, at) => ({ mark: <SeriesMark look={series[at]} />, text: name }))} />
      )}
    </section>
  );
}

interface Curve {
  readonly name: string;
  readonly values: readonly number[];
}

/** The longest of what is measured by. */
export function curvesOf(family: ShapeFamily, measure: Measure): readonly Curve[] {
  if (measure === 'all') {
    return [{ name: l10n.t('op time'), values: family.iterations.map(({ op_time_ps: time }) => time) }];
  }
  return family.series
    .filter(({ is_op: isOp }) => isOp === (measure === 'op'))
    .map(({ name, times_ps: values }) => ({ name, values }))
    .sort((one, other) => sumOf(other) - sumOf(one))
    .slice(0, MOST_CURVES);
}

function sumOf({ values }: Curve): number {
  return values.reduce((sum, value) => sum + value, 0);
}

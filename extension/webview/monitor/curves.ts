// What of readings is drawn, and in which chart.

import * as l10n from '@vscode/l10n';
import type { WatchedReading } from '../../src/protocol';
import type { Series } from '../shared/charts/seriesOptions';
import { greatest } from '../shared/table/greatest';
import { RATIO, type Quantity, TIME } from '../shared/text/quantities';

const PS_PER_NS = 1000;
/** Room above the greatest time. */
const ROOM_RATIO = 1.1;

export interface Curve {
  readonly name: string;
  readonly value: (reading: WatchedReading) => number | null;
  readonly hue: Series['hue'];
  readonly dash?: readonly number[];
}

export interface Chart {
  readonly title: string;
  readonly quantity: Quantity;
  readonly curves: readonly Curve[];
}

/** The charts; what no reading has is in none. */
export function chartsOf(readings: readonly WatchedReading[]): readonly Chart[] {
  const charts: readonly Chart[] = [
    {
      title: l10n.t('Devices and input'),
      quantity: RATIO,
      curves: [
        { name: l10n.t('busy'), value: ({ utilisation_ratio: ratio }) => ratio, hue: '--vscode-charts-blue' },
        { name: l10n.t('idle'), value: ({ idle_ratio: ratio }) => ratio, hue: '--vscode-charts-orange', dash: [6, 3] },
        {
          name: l10n.t('waits for input'),
          value: ({ infeed_avg_ratio: ratio }) => ratio,
          hue: '--vscode-charts-red',
          dash: [2, 3],
        },
      ],
    },
    {
      title: l10n.t('Time of a step'),
      quantity: TIME,
      curves: [
        { name: l10n.t('average'), value: ({ step_avg_ps: time }) => time, hue: '--vscode-charts-blue' },
        { name: l10n.t('least'), value: ({ step_min_ps: time }) => time, hue: '--vscode-charts-green', dash: [6, 3] },
        { name: l10n.t('most'), value: ({ step_max_ps: time }) => time, hue: '--vscode-charts-orange', dash: [2, 3] },
      ],
    },
  ];
  return charts
    .map((chart) => ({
      ...chart,
      curves: chart.curves.filter(({ value }) => readings.some((reading) => value(reading) !== null)),
    }))
    .filter(({ curves }) => curves.length > 0);
}

/** When each reading was, in picoseconds since the first: one axis for all charts, whose times ascend. */
export function timesOf(readings: readonly WatchedReading[]): readonly number[] {
  const first = readings[0]?.time_ns ?? 0;
  return readings.map(({ time_ns: time }) => (time - first) * PS_PER_NS);
}

/** The top of a chart's axis. */
export function topOf(chart: Chart, readings: readonly WatchedReading[]): number {
  return chart.quantity === RATIO
    ? 1
    : ROOM_RATIO * greatest(readings, (reading) => greatest(chart.curves, ({ value }) => value(reading) ?? 0), 1);
}

/** The share of the time for which the job is traced, by the last reading that was. */
export function costRatio(readings: readonly WatchedReading[], seconds: number): number | null {
  const traced = readings.findLast(({ traced_ps: each }) => each !== null)?.traced_ps ?? null;
  return traced === null ? null : traced / (seconds * 1e12);
}

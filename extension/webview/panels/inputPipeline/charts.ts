// What the charts of Input Pipeline draw: each step's times, each queue over time, and what it held at each get.

import * as l10n from '@vscode/l10n';
import type { InputQueue, InputRecord } from '../../../src/protocol';
import type { Series, SeriesAxes } from '../../shared/charts/seriesOptions';
import { greatest } from '../../shared/table/greatest';
import { count, duration } from '../../shared/text/format';

export interface DrawnChart {
  readonly label: string;
  readonly axes: SeriesAxes;
  readonly series: readonly Series[];
  /** In the order of the series, with how each looks. */
  readonly names: readonly string[];
  /** The points of the axis; the last only ends the one before. */
  readonly points: number;
}

const INPUT_HUE = '--vscode-scopelight-phaseInput';
const IDLE_HUE = '--vscode-scopelight-phaseIdle';
const STEP_HUE = '--vscode-charts-blue';

/** The steps one beside the other: how long each took, how long of that devices were idle, and waited for input. */
export function stepChart(record: InputRecord): DrawnChart {
  const { steps, devices } = record;
  const isKnown = record.input_ps !== null;
  const hasRange = isKnown && devices.length > 1;
  const series: readonly Series[] = [
    { values: held(steps.map(({ duration_ps: time }) => time)), hue: STEP_HUE, kind: 'faintArea' },
    { values: held(steps.map(({ idle_ps: time }) => time)), hue: IDLE_HUE, kind: 'hatchedArea' },
    ...(isKnown
      ? [{ values: held(steps.map(({ input_ps: time }) => time)), hue: INPUT_HUE, kind: 'area', isDim: true } as const]
      : []),
    ...(hasRange
      ? [
          {
            values: held(steps.map(({ least_input_ps: time }) => time)),
            hue: INPUT_HUE,
            kind: 'line',
            dash: [2, 3],
          } as const,
          {
            values: held(steps.map(({ greatest_input_ps: time }) => time)),
            hue: INPUT_HUE,
            kind: 'line',
            dash: [6, 3],
          } as const,
        ]
      : []),
  ];
  return {
    label: isKnown ? l10n.t('Steps: time, idle, waiting for input') : l10n.t('Steps: time, idle'),
    axes: {
      x: {
        label: l10n.t('step'),
        values: Array.from({ length: steps.length + 1 }, (_, at) => at + 0.5),
        text: stepText,
      },
      y: { greatest: greatest(steps, ({ duration_ps: time }) => time), text: duration, steps: 'decimal' },
    },
    series,
    names: [
      l10n.t('step'),
      l10n.t('device idle'),
      ...(isKnown ? [l10n.t('waits for input')] : []),
      ...(hasRange ? [l10n.t('least of any device'), l10n.t('most of any device')] : []),
    ],
    points: steps.length,
  };
}

/** What a queue held whenever it was read, and how much it can. */
export function queueChart(queue: InputQueue, window_ps: number): DrawnChart {
  const most = Math.max(
    queue.capacity ?? 0,
    1,
    greatest(queue.held, (held) => held),
  );
  return {
    label: l10n.t('Queue {0} over time', queue.name),
    axes: {
      x: { label: '', values: [...queue.times_ps, Math.max(window_ps, queue.times_ps.at(-1) ?? 0)], text: duration },
      y: { greatest: most, text: wholeText, steps: 'decimal', showsZero: true },
    },
    series: [{ values: held(queue.held), hue: INPUT_HUE, kind: 'area', isDim: true }],
    names: [l10n.t('held')],
    points: queue.held.length,
  };
}

/** What a queue held when each step took from it. */
export function getsChart(queue: InputQueue): DrawnChart {
  const most = Math.max(
    queue.capacity ?? 0,
    1,
    greatest(queue.step_held, (held) => held),
  );
  return {
    label: l10n.t('Queue {0} when each step takes from it', queue.name),
    axes: {
      x: {
        label: l10n.t('step'),
        values: Array.from({ length: queue.step_held.length + 1 }, (_, at) => at + 0.5),
        text: stepText,
      },
      y: { greatest: most, text: wholeText, steps: 'decimal', showsZero: true },
    },
    series: [{ values: held(queue.step_held), hue: INPUT_HUE, kind: 'area', isDim: true }],
    names: [l10n.t('held')],
    points: queue.step_held.length,
  };
}

/** A value holds until the next, and the last of them to the end. */
function held(values: readonly (number | null)[]): (number | null)[] {
  return [...values, values[values.length - 1] ?? null];
}

function stepText(value: number): string {
  return Number.isInteger(value) ? count(value) : '';
}

function wholeText(value: number): string {
  return Number.isInteger(value) ? count(value) : '';
}

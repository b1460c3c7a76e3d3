// The charts of resources, in groups of which one is shown at a time, and what of a record each of them has.

import * as l10n from '@vscode/l10n';
import type { ResourceSeries, ResourcesRecord } from '../../../src/protocol';
import type { SeriesLook } from '../../shared/charts/seriesMark';
import type { Series } from '../../shared/charts/seriesOptions';
import { greatest } from '../../shared/table/greatest';
import { type ResourceQuantity, seriesName } from './words';

export type GroupName = 'cores' | 'contention' | 'processes' | 'threads' | 'memory' | 'transfer' | 'accelerators';

/** What stands in one chart, over the edges of the record's readings. */
export interface Chart {
  readonly id: string;
  readonly title: string;
  readonly series: readonly ResourceSeries[];
  /** As it is drawn: what is stacked is summed up, the greatest first. */
  readonly drawn: readonly Series[];
  /** The look of each of `series` in the legend. */
  readonly looks: readonly SeriesLook[];
  readonly quantity: ResourceQuantity;
  readonly greatest: number;
  /** A height to compare with, and what it is. */
  readonly level: { readonly value: number; readonly text: string; readonly isAbove?: boolean } | null;
}

interface Plan {
  readonly id: string;
  readonly title: () => string;
  readonly quantities: readonly ResourceQuantity[];
  readonly isStacked?: boolean;
  /** Left out where nothing of it happened. */
  readonly isOptional?: boolean;
}

/** Told apart by their dashes too. */
const LINES: readonly SeriesLook[] = [
  { hue: '--vscode-charts-blue', kind: 'line', dash: [] },
  { hue: '--vscode-charts-orange', kind: 'line', dash: [6, 3] },
  { hue: '--vscode-charts-purple', kind: 'line', dash: [2, 2] },
  { hue: '--vscode-charts-green', kind: 'line', dash: [8, 2, 2, 2] },
  { hue: '--vscode-charts-red', kind: 'line', dash: [12, 4] },
  { hue: '--vscode-charts-yellow', kind: 'line', dash: [4, 2] },
  { hue: '--vscode-charts-blue', kind: 'line', dash: [1, 3] },
  { hue: '--vscode-charts-orange', kind: 'line', dash: [10, 2, 1, 2] },
];
const REST: SeriesLook = { hue: '--quiet', kind: 'line', dash: [3, 3] };
const AREAS: readonly SeriesLook[] = [
  { hue: '--vscode-charts-blue', kind: 'area', dash: [] },
  { hue: '--vscode-charts-orange', kind: 'hatchedArea', dash: [] },
  { hue: '--vscode-charts-red', kind: 'faintArea', dash: [6, 3] },
  { hue: '--vscode-charts-purple', kind: 'faintArea', dash: [2, 2] },
];
const LEAST_RATIO = 0.005;
const ROOM_FOR_WORD = 1.2;
const PLANS: Readonly<Record<GroupName, readonly Plan[]>> = {
  cores: [
    {
      id: 'shares',
      title: () => l10n.t('Time of all cores'),
      quantities: ['cpu_user_ratio', 'cpu_system_ratio', 'cpu_iowait_ratio', 'cpu_stolen_ratio'],
      isStacked: true,
    },
    { id: 'queue', title: () => l10n.t('Threads of the machine'), quantities: ['running_threads', 'blocked_threads'] },
  ],
  contention: [
    { id: 'switches', title: () => l10n.t('Context switches of the machine'), quantities: ['switches_per_s'] },
    {
      id: 'pressure',
      title: () => l10n.t('Time in which some thread lacked a core, a disk or memory'),
      quantities: ['cpu_pressure_ratio', 'io_pressure_ratio', 'memory_pressure_ratio'],
    },
    {
      id: 'throttled',
      title: () => l10n.t('Cores withheld, over time'),
      quantities: ['throttled_ratio'],
      isOptional: true,
    },
  ],
  processes: [{ id: 'processes', title: () => l10n.t('Processes: of a core'), quantities: ['process_core_ratio'] }],
  threads: [
    { id: 'threads', title: () => l10n.t('Threads by name: of a core'), quantities: ['thread_core_ratio'] },
    { id: 'waiting', title: () => l10n.t('Threads by name: waiting for a core'), quantities: ['thread_waiting_ratio'] },
  ],
  memory: [
    { id: 'resident', title: () => l10n.t('Processes: resident memory'), quantities: ['process_resident_bytes'] },
    { id: 'available', title: () => l10n.t('Memory of the machine: available'), quantities: ['available_bytes'] },
  ],
  transfer: [
    {
      id: 'disks',
      title: () => l10n.t('Disks of the machine'),
      quantities: ['disk_read_bytes_per_s', 'disk_written_bytes_per_s'],
    },
    {
      id: 'networks',
      title: () => l10n.t('Networks of the machine'),
      quantities: ['network_received_bytes_per_s', 'network_sent_bytes_per_s'],
      isOptional: true,
    },
  ],
  accelerators: [
    { id: 'busy', title: () => l10n.t('Accelerators: time at work'), quantities: ['device_busy_ratio'] },
    { id: 'used', title: () => l10n.t('Accelerators: memory in use'), quantities: ['device_used_bytes'] },
  ],
};

export function groupTitle(group: GroupName): string {
  return {
    cores: l10n.t('Cores'),
    contention: l10n.t('Contention'),
    processes: l10n.t('Processes'),
    threads: l10n.t('Threads'),
    memory: l10n.t('Memory'),
    transfer: l10n.t('Disks and Networks'),
    accelerators: l10n.t('Accelerators'),
  }[group];
}

/** The groups that a record has anything of. */
export function groupsOf(record: ResourcesRecord): readonly GroupName[] {
  return (Object.keys(PLANS) as GroupName[]).filter((group) => chartsOf(record, group).length > 0);
}

/** The charts of a group that have anything to show; what of the machine never happened is left out. */
export function chartsOf(record: ResourcesRecord, group: GroupName): readonly Chart[] {
  return PLANS[group].flatMap((plan) => {
    const all = record.series.filter(({ quantity }) => plan.quantities.includes(quantity)).map(withinAll);
    const series = all.filter((each, at) => at === 0 || !isOfMachine(each) || isWorthIt(each));
    const [first] = series;
    const isQuiet = plan.isOptional === true && !series.some(isWorthIt);
    if (first === undefined || isQuiet) {
      return [];
    }
    return [chartOf(record, plan, series, first.quantity)];
  });
}

/** Linux adds up the time that threads lack something later than it passes: no more of it can be so than there is. */
function withinAll(series: ResourceSeries): ResourceSeries {
  if (!series.quantity.endsWith('_pressure_ratio')) {
    return series;
  }
  const atMost = (value: number | null): number | null => (value === null ? null : Math.min(1, value));
  return { ...series, values: series.values.map(atMost), step_values: series.step_values.map(atMost) };
}

/** What a group says it has and the record lacks. */
export function missingText(record: ResourcesRecord, group: GroupName): string | null {
  if (group !== 'transfer' || chartsOf(record, group).some(({ id }) => id === 'networks')) {
    return null;
  }
  return record.series.some(({ quantity }) => quantity.startsWith('network_'))
    ? l10n.t('Networks: nothing was received or sent.')
    : l10n.t('Networks: what the machine received and sent could not be read.');
}

function isOfMachine({ name, is_rest: isRest }: ResourceSeries): boolean {
  return name === '' && !isRest;
}

/** Whether one would see it: a share of a thousandth is no more than a line at zero. */
function isWorthIt({ quantity, values }: ResourceSeries): boolean {
  return greatest(values, (value) => value) > (quantity.endsWith('_ratio') ? LEAST_RATIO : 0);
}

function chartOf(
  record: ResourcesRecord,
  { id, title, isStacked = false }: Plan,
  series: readonly ResourceSeries[],
  quantity: ResourceQuantity,
): Chart {
  const looks = series.map((each, at) => (each.is_rest ? REST : ((isStacked ? AREAS : LINES)[at] ?? REST)));
  const values = series.map((each) => held(each.values));
  const shown = isStacked ? summedUp(values) : values;
  const drawn = shown.map((each, at): Series => ({ ...(looks[at] ?? REST), values: each }));
  return {
    id,
    title: title(),
    series,
    // What is stacked covers what is below it.
    drawn: isStacked ? [...drawn].reverse() : drawn,
    looks,
    quantity,
    ...heightOf(
      record,
      quantity,
      greatest(shown.flat(), (value) => value),
    ),
  };
}

/** Shares are drawn against all that there is, threads against the cores. */
function heightOf(
  { cores, memory_bytes }: ResourcesRecord,
  quantity: ResourceQuantity,
  most: number,
): Pick<Chart, 'greatest' | 'level'> {
  if (quantity === 'cpu_user_ratio' || quantity === 'device_busy_ratio' || quantity === 'cpu_pressure_ratio') {
    return { greatest: 1, level: null };
  }
  if (quantity === 'running_threads' && cores !== null) {
    const text = cores === 1 ? l10n.t('1 core') : l10n.t('{0} cores', String(cores));
    return { greatest: Math.max(most, cores), level: { value: cores, text } };
  }
  if (quantity === 'available_bytes' && memory_bytes !== null) {
    // What is available is often close below it: the word stands above, with room for it.
    const level = { value: memory_bytes, text: l10n.t('all memory'), isAbove: true };
    return { greatest: memory_bytes * ROOM_FOR_WORD, level };
  }
  return { greatest: most, level: null };
}

/** A value holds until the next edge, and the last of them to the last edge. */
function held(values: readonly (number | null)[]): (number | null)[] {
  return [...values, values[values.length - 1] ?? null];
}

/** Each with all before it: of what is not known in part the sum is not known. */
function summedUp(values: readonly (number | null)[][]): (number | null)[][] {
  let below: (number | null)[] | null = null;
  return values.map((own) => {
    const last = below;
    const sum = own.map((value, at) => {
      const under = last === null ? 0 : (last[at] ?? null);
      return value === null || under === null ? null : value + under;
    });
    below = sum;
    return sum;
  });
}

/** What of a chart was read at a place of the axis, and of which series. */
export function readingsAt({ series }: Chart, at: number): readonly { name: string; value: number | null }[] {
  return series.map((each) => ({
    name: seriesName(each),
    value: each.values[Math.min(at, each.values.length - 1)] ?? null,
  }));
}

// A step trace by hand: six steps that train on two devices, the first without what was before it, one that compiles.

import type { CollectiveRow, StepTraceRecord, StepTraceRow, ViewAnswer } from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';

export const MS = 1e9;

export function aRow(number: number, values: Partial<StepTraceRow> = {}): StepTraceRow {
  return {
    number,
    start_ps: number * 30 * MS,
    duration_ps: 30 * MS,
    interval_ps: 6 * MS,
    forward_backward_ps: 20 * MS,
    tail_ps: 4 * MS,
    interval_parts: { input: 5 * MS, dispatch: 1 * MS },
    forward_ps: 7 * MS,
    backward_ps: 11 * MS,
    recompute_ps: 1 * MS,
    optimizer_ps: 2 * MS,
    other_ps: 0.5 * MS,
    communication_ps: 2 * MS,
    collectives: 2,
    collective_ps: 5 * MS,
    collective_bytes: 12 * 2 ** 20,
    exposed_ps: 2 * MS,
    has_interval: true,
    is_steady: true,
    is_outlier: false,
    ...values,
  };
}

export const collective: CollectiveRow = {
  key: 'c1',
  name: 'all-reduce.3',
  primitive: 'psum',
  category: 'all-reduce',
  path: 'train.py',
  file: '/home/ada/train/train.py',
  line: 52,
  per_step: 2,
  bytes: 6 * 2 ** 20,
  mean_ps: 2.5 * MS,
  exposed_ps: 1 * MS,
  has_estimate: true,
};

const rows = [
  aRow(1, { has_interval: false, interval_ps: 0, interval_parts: {} }),
  aRow(2),
  aRow(3, {
    duration_ps: 60 * MS,
    interval_ps: 36 * MS,
    interval_parts: { input: 5 * MS, compile: 30 * MS, dispatch: 1 * MS },
    is_steady: false,
    is_outlier: true,
  }),
  ...[4, 5, 6].map((number) => aRow(number)),
];

export function stepTraceRecord(values: Partial<StepTraceRecord> = {}): StepTraceRecord {
  return {
    predicted_for: null,
    predicted_devices: null,
    findings: [],
    format_version: 1,
    device: null,
    device_names: ['/device:GPU:0', '/device:GPU:1'],
    steps_source: 'annotation',
    step_time: { steps: 6, mean_ps: 35 * MS, median_ps: 30 * MS, least_ps: 30 * MS, greatest_ps: 60 * MS },
    rows,
    mean: aRow(0, { start_ps: 0 }),
    collectives: [collective],
    has_backward: true,
    starts_at: 'dot_general',
    starts_at_line: '/home/ada/train/model.py:40',
    starts_by: 'phases',
    ends_at: 'mul',
    ends_at_line: '/home/ada/train/model.py:41',
    ends_by: 'phases',
    ...values,
  };
}

export function stepTraceView(values: Partial<StepTraceRecord> = {}): ViewAnswer<StepTraceRecord> {
  const record = stepTraceRecord(values);
  return { run: opened('/runs/a'), devices: record.device_names, hosts: [], record };
}

// An input by hand: grain's tree, whose map holds it up, in twenty steps of which the first two compile.

import type {
  InputOperation,
  InputQueue,
  InputRecord,
  InputStage,
  InputStep,
  ViewAnswer,
} from '../../../../extension/src/protocol';
import { aFinding } from '../shared/madeFindings';
import { opened } from '../../features/openedRun';

export const MS = 1e9;

export function aStep(number: number, values: Partial<InputStep> = {}): InputStep {
  return {
    start_ps: number * 20 * MS,
    duration_ps: 20 * MS,
    idle_ps: 13 * MS,
    input_ps: 12 * MS,
    least_input_ps: 12 * MS,
    greatest_input_ps: 12 * MS,
    is_steady: true,
    launches: 1,
    idle_launches: 1,
    suspect: null,
    ...values,
  };
}

export function aStage(name: string, values: Partial<InputStage> = {}): InputStage {
  return {
    key: name,
    kind: 'grain',
    name,
    path: null,
    file: null,
    line: null,
    function: '',
    count: 20,
    total_ps: 40 * MS,
    total_ratio: 0.1,
    self_ps: 40 * MS,
    self_ratio: 0.1,
    work: 'preprocessing',
    threads: 2,
    thread_names: ['grain-prefetch_0', 'grain-prefetch_1'],
    basis: null,
    core_ratio: null,
    self_per_step_ps: 2 * MS,
    suspect_steps: 0,
    ...values,
  };
}

export function anOperation(key: string, values: Partial<InputOperation> = {}): InputOperation {
  return {
    key,
    kind: 'grain',
    name: key,
    path: null,
    file: null,
    line: null,
    inputs: [],
    queue: null,
    stage: null,
    self_ps: null,
    workers: null,
    busy_ratio: null,
    core_ratio: null,
    core_waiting_ratio: null,
    thread_ids: [],
    process_ids: [],
    runs_in: null,
    suspected: null,
    stages: [],
    suspect_steps: 0,
    ...values,
  };
}

export function aQueue(key: string, values: Partial<InputQueue> = {}): InputQueue {
  return {
    key,
    kind: 'grain',
    name: 'PrefetchDatasetIterator',
    capacity: 4,
    mean_held: 0.25,
    use_ratio: 0.0625,
    gets: 16,
    empty_gets: 14,
    full_gets: 0,
    is_nearest: true,
    path: 'train.py',
    file: '/w/train.py',
    line: 26,
    producers: [],
    consumers: ['MainThread'],
    step_held: Array.from({ length: 20 }, (_, at) => (at % 5 === 4 ? null : at % 8 === 7 ? 1 : 0)),
    times_ps: Array.from({ length: 40 }, (_, at) => at * 10 * MS),
    held: Array.from({ length: 40 }, (_, at) => (at % 7 === 6 ? 1 : at % 13 === 12 ? 2 : 0)),
    ...values,
  };
}

const train = { path: 'train.py', file: '/w/train.py' };

const operations: readonly InputOperation[] = [
  anOperation('Range', { workers: 2, busy_ratio: 0.012, stage: 'RangeMapDataset(start=0, stop=1000000, step=1)' }),
  anOperation('Map(Decode)', {
    suspect_steps: 16,
    ...train,
    line: 16,
    inputs: ['Range'],
    workers: 2,
    self_ps: 475 * MS,
    busy_ratio: 0.968,
    core_ratio: 0.04,
    core_waiting_ratio: 0.02,
    stage: 'Decode',
    suspected: 'sure',
  }),
  anOperation('Batch', { inputs: ['Map(Decode)'], workers: 2, busy_ratio: 0.017 }),
  anOperation('Prefetch', { inputs: ['Batch'], workers: 2, queue: 'q' }),
  anOperation('train', { ...train, kind: 'script', line: 26, inputs: ['Prefetch'] }),
  anOperation('device', { kind: 'device', name: '', inputs: ['train'] }),
];

function ofInput(time_ps: number): InputRecord['lines'][number]['classes'] {
  // Classes of which there is nothing are left out.
  return { input: time_ps };
}

export function inputRecord(values: Partial<InputRecord> = {}): InputRecord {
  const wave = [0.9, 1.1, 1, 1.3, 0.7];
  return {
    predicted_for: null,
    predicted_devices: null,
    findings: [
      aFinding('advice', 'Devices wait for input for 60.0 % of the steps: 12.0 ms of 20.0 ms per step.'),
      aFinding('advice', 'Map(Decode) keeps 2 threads of grain busy for 96.8 % of the time.', {
        remedy: 'Give grain more threads.',
      }),
      aFinding('note', '2 of the 20 steps are left out of all means.'),
    ],
    format_version: 1,
    input_ratio: 0.6,
    level: 'high',
    input_ps: 216 * MS,
    idle_ps: 234 * MS,
    wall_ps: 360 * MS,
    step_count: 20,
    steady_steps: 18,
    window_ps: 400 * MS,
    lines: [
      {
        key: 'next',
        ...train,
        line: 26,
        function: 'train',
        waiting_ps: 214 * MS,
        per_step_ps: 11.9 * MS,
        share_ratio: 0.594,
        basis: 'exact',
        classes: ofInput(214 * MS),
      },
      {
        key: 'reshape',
        ...train,
        line: 27,
        function: 'train',
        waiting_ps: 2 * MS,
        per_step_ps: 0.1 * MS,
        share_ratio: 0.006,
        basis: 'estimated',
        classes: ofInput(2 * MS),
      },
    ],
    spreads: (['step', 'idle', 'input'] as const).map((quantity, at) => ({
      quantity,
      mean_ps: ([20, 13, 12][at] ?? 0) * MS,
      sigma_ps: 2 * MS,
      least_ps: 8 * MS,
      greatest_ps: 26 * MS,
      least_device_ps: 12 * MS,
      greatest_device_ps: 12 * MS,
    })),
    devices: [{ name: 'TPU:0', idle_ps: 13 * MS, input_ps: 12 * MS }],
    steps: Array.from({ length: 20 }, (_, at) => {
      const factor = wave[at % wave.length] ?? 1;
      return aStep(at, {
        duration_ps: 20 * MS * factor,
        idle_ps: 13 * MS * factor,
        input_ps: 12 * MS * factor,
        is_steady: at > 1,
        suspect: 'Decode',
      });
    }),
    categories: [
      { work: 'read-on-demand', time_ps: 0, share_ratio: 0, threads: 0 },
      { work: 'read-ahead', time_ps: 6 * MS, share_ratio: 0.012, threads: 2 },
      { work: 'preprocessing', time_ps: 483 * MS, share_ratio: 0.961, threads: 2 },
      { work: 'enqueue', time_ps: 13.8 * MS, share_ratio: 0.027, threads: 3 },
      { work: 'other', time_ps: 0, share_ratio: 0, threads: 0 },
    ],
    stages: [
      aStage('Decode', {
        ...train,
        kind: 'function',
        line: 16,
        function: 'Decode.map',
        count: 165,
        total_ps: 475 * MS,
        total_ratio: 0.971,
        self_ps: 475 * MS,
        self_ratio: 0.971,
        suspect_steps: 16,
        basis: 'exact',
      }),
      aStage('BatchMapDataset(batch_size=8, drop_remainder=False)', { self_ps: 8.3 * MS, self_ratio: 0.017 }),
      aStage('RangeMapDataset(start=0, stop=1000000, step=1)', {
        work: 'read-ahead',
        count: 165,
        total_ps: 5.9 * MS,
        self_ps: 5.9 * MS,
        self_ratio: 0.012,
      }),
      aStage('PrefetchDatasetIterator', {
        work: null,
        total_ratio: null,
        self_ratio: null,
        threads: 1,
        thread_names: ['MainThread'],
      }),
      aStage('4100', {
        kind: 'worker',
        count: null,
        total_ps: null,
        total_ratio: null,
        self_ps: null,
        self_ratio: null,
        work: 'other',
        threads: 1,
        thread_names: [],
        core_ratio: 0.93,
      }),
    ],
    verdict: 'processing',
    launches: 18,
    idle_launches: 17,
    queues: [aQueue('q')],
    operations,
    suspected: 'Map(Decode)',
    suspected_by: 'steps',
    ...values,
  };
}

export function inputView(values: Partial<InputRecord> = {}): ViewAnswer<InputRecord> {
  return { run: opened('/runs/a'), devices: [], hosts: [], record: inputRecord(values) };
}

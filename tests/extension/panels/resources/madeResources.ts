// Resources by hand: a machine of four cores, a script with a worker, a trace of five steps within three seconds.

import type {
  ResourceProcess,
  ResourceSeries,
  ResourcesRecord,
  ResourceThread,
  ViewAnswer,
} from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';

export const S = 1e12;
const READINGS = 120;
const EDGES = Array.from({ length: READINGS + 1 }, (_, at) => (at - 60) * 0.05 * S);
const STEPS = 5;
const STEP_PS = 0.2 * S;

/** A wave that looks like work, the same every time. */
function wave(low: number, high: number, shift: number): readonly number[] {
  return Array.from({ length: READINGS }, (_, at) => {
    const height = (Math.sin(at / 3 + shift) + Math.sin(at / 7 + 2 * shift) + 2) / 4;
    return low + (high - low) * height * (at < 20 ? 0.3 : 1);
  });
}

export function aSeries(
  quantity: ResourceSeries['quantity'],
  values: readonly (number | null)[],
  changes: Partial<ResourceSeries> = {},
): ResourceSeries {
  const known = values.filter((value) => value !== null);
  const mean = known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  return {
    key: quantity,
    quantity,
    name: '',
    number: 1,
    is_rest: false,
    pid: null,
    is_main: false,
    values,
    step_values: Array.from({ length: STEPS }, (_, at) => values[60 + 4 * at] ?? null),
    steps_mean: mean,
    window_mean: mean,
    run_mean: mean,
    ...changes,
  };
}

export function aProcess(changes: Partial<ResourceProcess> = {}): ResourceProcess {
  return {
    key: 'process 1',
    name: 'python',
    pid: 4100,
    parent_pid: null,
    started_ps: -3.1 * S,
    ended_ps: null,
    threads: 4,
    core_ratio: 1.75,
    user_ratio: 1.5,
    system_ratio: 0.25,
    waiting_ratio: 0.4,
    resident_bytes: 600 * 2 ** 20,
    read_bytes_per_s: 0,
    written_bytes_per_s: 4096,
    steps_cpu_ps: 1.75 * S,
    window_cpu_ps: 1.9 * S,
    run_cpu_ps: 9 * S,
    steps_waiting_ps: 0.4 * S,
    window_waiting_ps: 0.45 * S,
    run_waiting_ps: S,
    works_for: [],
    ...changes,
  };
}

export function aThread(changes: Partial<ResourceThread> = {}): ResourceThread {
  return {
    key: 'thread 2',
    name: 'python',
    tid: 4100,
    number: 1,
    pid: 4100,
    process: 'python',
    core_ratio: 0.35,
    waiting_ratio: 0.05,
    switches_per_s: 420,
    steps_cpu_ps: 0.35 * S,
    window_cpu_ps: 0.4 * S,
    run_cpu_ps: 2 * S,
    steps_waiting_ps: 0.05 * S,
    window_waiting_ps: 0.06 * S,
    run_waiting_ps: 0.1 * S,
    works_for: [],
    ...changes,
  };
}

const GIB = 2 ** 30;
const threads = (name: string, changes: Partial<ResourceSeries> = {}): Partial<ResourceSeries> => ({
  key: name,
  name,
  ...changes,
});

export function resourcesRecord(changes: Partial<ResourcesRecord> = {}): ResourcesRecord {
  return {
    predicted_for: null,
    predicted_devices: null,
    cores: 4,
    usable_cores: 4,
    memory_bytes: 16 * GIB,
    readings: 121,
    period_ps: 0.05 * S,
    reading_ratio: 0.004,
    span: 'steps',
    span_ps: STEPS * STEP_PS,
    window_ps: 1.2 * S,
    edges_ps: EDGES,
    series: [
      aSeries('cpu_user_ratio', wave(0.2, 0.7, 0)),
      aSeries('cpu_system_ratio', wave(0.02, 0.12, 1)),
      aSeries('cpu_iowait_ratio', wave(0, 0.06, 2)),
      aSeries('cpu_stolen_ratio', wave(0, 0, 0)),
      aSeries('cpu_idle_ratio', wave(0.2, 0.5, 3)),
      aSeries('switches_per_s', wave(800, 5200, 1)),
      aSeries('disk_read_bytes_per_s', wave(0, 40 * 2 ** 20, 2)),
      aSeries('disk_written_bytes_per_s', wave(0, 6 * 2 ** 20, 3)),
      aSeries('network_received_bytes_per_s', wave(0, 2 ** 20, 1)),
      aSeries('network_sent_bytes_per_s', wave(0, 2 ** 18, 2)),
      aSeries('cpu_pressure_ratio', wave(0, 0.3, 2)),
      aSeries('io_pressure_ratio', wave(0, 0.05, 3)),
      aSeries('memory_pressure_ratio', wave(0, 0, 3)),
      aSeries('running_threads', wave(1, 6, 1)),
      aSeries('blocked_threads', wave(0, 1, 2)),
      aSeries('available_bytes', wave(9 * GIB, 10 * GIB, 1)),
      aSeries('process_core_ratio', wave(0.4, 2.2, 0), threads('python', { key: 'process 1', pid: 4100 })),
      aSeries('process_core_ratio', wave(0.1, 0.9, 2), threads('pt_data_worker', { key: 'process 9', pid: 4188 })),
      aSeries('process_resident_bytes', wave(500 * 2 ** 20, 600 * 2 ** 20, 0), threads('python', { pid: 4100 })),
      aSeries('thread_core_ratio', wave(0.3, 1.4, 0), threads('tf_XLAEigen', { number: 2, pid: 4100 })),
      aSeries('thread_core_ratio', wave(0.1, 0.6, 2), threads('python', { pid: 4100, is_main: true })),
      aSeries('thread_core_ratio', wave(0, 0.1, 3), threads('', { key: 'rest', number: 7, is_rest: true })),
      aSeries('thread_waiting_ratio', wave(0, 0.3, 1), threads('tf_XLAEigen', { number: 2, pid: 4100 })),
      aSeries('thread_waiting_ratio', wave(0, 0.2, 2), threads('python', { pid: 4100, is_main: true })),
    ],
    steps: Array.from({ length: STEPS }, (_, at) => ({
      name: String(at + 1),
      start_ps: 0.05 * S + at * STEP_PS,
      end_ps: 0.05 * S + (at + 1) * STEP_PS,
    })),
    processes: [
      aProcess(),
      aProcess({
        key: 'process 9',
        name: 'pt_data_worker',
        pid: 4188,
        parent_pid: 4100,
        core_ratio: 0.5,
        threads: 1,
        user_ratio: 0.45,
        system_ratio: 0.05,
        waiting_ratio: 0.02,
        works_for: ['DataLoader'],
      }),
    ],
    threads: [
      aThread({ key: 'thread 4', name: 'tf_XLAEigen', tid: 4107, core_ratio: 0.7, waiting_ratio: 0.2 }),
      aThread({ key: 'thread 5', name: 'tf_XLAEigen', tid: 4108, core_ratio: 0.65, waiting_ratio: 0.15 }),
      aThread({ works_for: ['train'] }),
      aThread({
        key: 'thread 10',
        name: 'pt_data_worker',
        tid: 4188,
        pid: 4188,
        process: 'pt_data_worker',
        works_for: ['DataLoader'],
      }),
      aThread({
        key: 'unseen',
        name: '',
        tid: null,
        number: 0,
        core_ratio: 0.05,
        waiting_ratio: null,
        switches_per_s: null,
      }),
    ],
    devices: [],
    findings: [],
    format_version: 1,
    ...changes,
  };
}

export function resourcesView(changes: Partial<ResourcesRecord> = {}): ViewAnswer<ResourcesRecord> {
  return { run: opened('/runs/a'), devices: [], hosts: [], record: resourcesRecord(changes) };
}

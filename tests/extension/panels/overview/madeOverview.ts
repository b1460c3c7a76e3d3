// An overview by hand: eight steps on two devices that wait for a slow loader, one of them for the compiler.

import type {
  Advice,
  OverviewLine,
  OverviewOp,
  OverviewRecord,
  OverviewStep,
  ViewAnswer,
} from '../../../../extension/src/protocol';
import { aFinding } from '../shared/madeFindings';
import { opened } from '../../features/openedRun';

export const MS = 1e9;
const ROOT = '/home/ada/train';

type Parts = OverviewRecord['parts'];

export function aStep(number: number, values: Partial<OverviewStep> = {}): OverviewStep {
  const duration_ps = values.duration_ps ?? 32 * MS;
  return {
    number,
    start_ps: (number - 1) * 32 * MS,
    duration_ps,
    wall_ps: 2 * duration_ps,
    parts: { compute: 34 * MS, communication: 6 * MS, input: 20 * MS, sync: 2 * MS, unexplained: 2 * MS },
    is_outlier: false,
    is_steady: true,
    ...values,
  };
}

export function anAdvice(code: string, text: string, values: Partial<Advice> = {}): Advice {
  return {
    code,
    severity: 'advice',
    values: {},
    evidence: [],
    action: null,
    text,
    remedy: '',
    path: 'train.py',
    file: `${ROOT}/train.py`,
    line: 71,
    key: `line ${code}`,
    saving_per_step_ps: null,
    saving_ratio: null,
    saving_bytes: null,
    saving_basis: null,
    confidence: 'high',
    shares_cores: false,
    within: null,
    saving: '',
    ...values,
  };
}

export function aLine(line: number, values: Partial<OverviewLine> = {}): OverviewLine {
  return {
    key: `line ${String(line)}`,
    path: 'model.py',
    file: `${ROOT}/model.py`,
    line,
    function: 'loss_of',
    time_ps: 100 * MS,
    per_step_ps: 6 * MS,
    share_ratio: 0.2,
    cumulative_ratio: 0.2,
    kind: null,
    basis: null,
    ...values,
  };
}

export function anOp(key: string, values: Partial<OverviewOp> = {}): OverviewOp {
  return {
    key,
    name: `${key}.1`,
    primitive: key,
    category: 'convolution fusion',
    self_ps: 80 * MS,
    per_step_ps: 5 * MS,
    share_ratio: 0.25,
    cumulative_ratio: 0.25,
    flops_per_s: 48.2e12,
    path: 'model.py',
    file: `${ROOT}/model.py`,
    line: 48,
    ...values,
  };
}

const figure = { sigma: null, least: null, greatest: null, at_least: false, basis: 'measured' as const };

const steps = [
  aStep(1),
  aStep(2),
  aStep(3, {
    duration_ps: 52 * MS,
    parts: {
      compute: 34 * MS,
      communication: 6 * MS,
      input: 20 * MS,
      compile: 40 * MS,
      sync: 2 * MS,
      unexplained: 2 * MS,
    },
    is_outlier: true,
    is_steady: false,
  }),
  ...[4, 5, 6, 7, 8].map((number) => aStep(number, { start_ps: (number - 1) * 32 * MS + 20 * MS })),
];

function sumsOf(all: readonly OverviewStep[]): Parts {
  const sums: Partial<Record<keyof Parts, number>> = {};
  for (const { parts: each } of all) {
    for (const [name, time] of Object.entries(each) as [keyof Parts, number][]) {
      sums[name] = (sums[name] ?? 0) + time;
    }
  }
  return sums;
}

export function overviewRecord(values: Partial<OverviewRecord> = {}): OverviewRecord {
  const all = values.steps ?? steps;
  return {
    predicted_for: null,
    predicted_devices: null,
    findings: [],
    format_version: 1,
    extent: { kind: 'steps', steps: all.length, duration_ps: 276 * MS, devices: 2, has_steps: true },
    device: null,
    device_names: ['/device:GPU:0', '/device:GPU:1'],
    step_time: {
      steps: all.length,
      mean_ps: 34.5 * MS,
      median_ps: 32 * MS,
      least_ps: 32 * MS,
      greatest_ps: 52 * MS,
    },
    steps_source: 'annotation',
    summary: [
      { ...figure, quantity: 'step', value: 34.5 * MS, sigma: 6.61 * MS, least: 32 * MS, greatest: 52 * MS },
      { ...figure, quantity: 'device-idle', value: 0.384 },
      { ...figure, quantity: 'host-idle', value: 0.21, basis: 'estimated' },
      { ...figure, quantity: 'input', value: 0.29 },
      { ...figure, quantity: 'model-flops', value: 0.312 },
      { ...figure, quantity: 'executed-flops', value: 0.355, at_least: true },
      { ...figure, quantity: 'bandwidth', value: null, basis: 'unknown' },
      { ...figure, quantity: 'memory', value: 12 * 2 ** 30 },
    ],
    parts: sumsOf(all),
    steps: all,
    lines: [
      aLine(48, { share_ratio: 0.312, cumulative_ratio: 0.312 }),
      aLine(52, { function: 'Block.<locals>.mlp', share_ratio: 0.121, cumulative_ratio: 0.433 }),
      aLine(61, { share_ratio: 0.041, cumulative_ratio: 0.474 }),
    ],
    waiting_lines: [
      aLine(71, {
        path: 'train.py',
        file: `${ROOT}/train.py`,
        function: 'train',
        kind: 'input',
        basis: 'estimated',
        share_ratio: 0.29,
        cumulative_ratio: 0.29,
        per_step_ps: 10 * MS,
      }),
      aLine(74, {
        path: 'train.py',
        file: `${ROOT}/train.py`,
        function: 'train',
        kind: 'sync',
        basis: 'exact',
        share_ratio: 0.031,
        cumulative_ratio: 0.321,
        per_step_ps: 1 * MS,
      }),
    ],
    ops: [
      anOp('dot_general'),
      anOp('all_reduce', { category: 'all-reduce', share_ratio: 0.12, cumulative_ratio: 0.37, flops_per_s: null }),
      anOp('', {
        name: 'loop_add_fusion.7',
        category: 'loop fusion',
        share_ratio: 0.04,
        cumulative_ratio: 0.41,
        key: 'fusion',
      }),
    ],
    op_time_ps: 320 * MS,
    kinds: [
      { category: 'convolution fusion', self_ps: 200 * MS, share_ratio: 0.62 },
      { category: 'all-reduce', self_ps: 60 * MS, share_ratio: 0.19 },
      { category: 'loop fusion', self_ps: 40 * MS, share_ratio: 0.13 },
      { category: '', self_ps: 20 * MS, share_ratio: 0.06 },
    ],
    environment: {
      hosts: 1,
      devices: [0, 1].map((ordinal) => ({
        name: `/device:GPU:${String(ordinal)}`,
        kind: 'gpu',
        host: 0,
        ordinal,
        op_time_ps: 160 * MS,
        model: 'NVIDIA H100 80GB HBM3',
      })),
      cores: 32,
      usable_cores: 8,
      memory_bytes: 256 * 2 ** 30,
      batch_size: 64,
      batch_size_most: null,
      batch_arguments: ['images', 'labels'],
      versions: { jax: '0.6.0', jaxlib: '0.6.0', flax: '0.10.4' },
      flags: { XLA_FLAGS: '--xla_gpu_enable_latency_hiding_scheduler=true' },
      command: ['python', 'train.py', '--steps', '200'],
      folder: ROOT,
      python: '3.12.4',
      platform: 'Linux 6.8 x86_64',
      created: '2026-11-28T08:00:00Z',
      git_commit: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
      git_dirty: true,
    },
    advice: [
      anAdvice(
        'input-bound',
        'Devices wait for input for 29.0 % of the steps: 10.0 ms of 34.5 ms per step. Most of it at `train.py:71`.',
        {
          saving_per_step_ps: 10 * MS,
          saving_ratio: 0.29,
          saving_basis: 'waiting',
          saving: 'At best 10.0 ms less per step (29.0 %): as long as devices wait there.',
          remedy: 'Load in the background, with more workers or a prefetch.',
          action: { command: 'show-view', arguments: { view: 'input' } },
        },
      ),
      anAdvice('missing-donation', '`train_step` could reuse the memory of 2 arguments that its results replace.', {
        line: 44,
        saving_bytes: 6 * 2 ** 20,
        saving_basis: 'bytes',
        saving: 'At best 6.00 MiB less at the peak.',
        remedy: 'Pass donate_argnums=(0, 1) to jax.jit.',
        confidence: 'medium',
      }),
      anAdvice('debug-settings', 'jax_debug_nans is on: every result is checked on the host.', {
        path: null,
        file: null,
        line: null,
        key: null,
        confidence: 'low',
        shares_cores: true,
      }),
    ],
    advice_left_out: 0,
    effects: [
      aFinding('note', 'Waiting for results in each step: predicted at best 8.00 ms, measured 7.10 ms.', {
        code: 'advice-effect',
      }),
    ],
    peaks: [],
    busy: ['/device:GPU:0', '/device:GPU:1'].map((device, row) => ({
      device,
      busy_ratios: Array.from({ length: 60 }, (_, at) => ((at + row) % 8 < 5 ? 0.95 : 0.1)),
    })),
    memories: [
      {
        name: '/device:GPU:0',
        times_ps: Array.from({ length: 40 }, (_, at) => at * 7 * MS),
        used_bytes: Array.from({ length: 40 }, (_, at) => (4 + (at % 5) * 2) * 2 ** 30),
        peak_bytes: 12 * 2 ** 30,
        capacity_bytes: 80 * 2 ** 30,
      },
    ],
    window_ps: 290 * MS,
    ...values,
  };
}

export function overviewView(values: Partial<OverviewRecord> = {}): ViewAnswer<OverviewRecord> {
  const record = overviewRecord(values);
  return { run: opened('/runs/a'), devices: record.device_names, hosts: [], record };
}

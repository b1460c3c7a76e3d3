// Records of ops as the daemon makes them, small enough to be checked by hand.

import { aFinding } from './madeFindings';
import type {
  ArrayRecord,
  OpCardRecord,
  OpProfileRecord,
  OpProfileRow,
  OpRow,
  OpsRecord,
  PeakRecord,
  ViewAnswer,
} from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';
import { aWall, aWindow } from './madeExtents';

export const MS = 1_000_000_000;
export const GFLOP = 1_000_000_000;
const MIB = 1 << 20;

/** A device that does 1 TFLOP/s and moves 100 GiB/s. */
export const aPeak: PeakRecord = {
  device: 'TPU:0',
  kind: 'tpu',
  model: 'TPU v5e',
  flops_per_s: { f32: 1e12, bf16: 4e12 },
  bytes_per_s: { main: 100 * 2 ** 30 },
  memory_bytes: 16 * 2 ** 30,
  basis: 'stated',
  sources: [aFinding('note', 'The profile states it.')],
  from_table: [],
  corrected: [],
  cache_bytes_per_s: null,
};

/** A dot that ran 5 times for 12 ms each at 60 % of the peak. */
export function anOpRow(changes: Partial<OpRow> = {}): OpRow {
  return {
    has_estimate: true,
    key: '7/dot.1',
    program_key: 'step',
    program: 'jit_train_step',
    program_id: '7',
    name: 'dot.1',
    category: 'convolution',
    opcode: 'dot',
    op_name: 'jit(train_step)/block/mlp/dot_general',
    primitive: 'dot_general',
    scope: 'block/mlp',
    phase: 'forward',
    side: 'device',
    shape: 'f32[8,128]',
    operand_shapes: ['f32[8,512]', 'f32[512,128]'],
    path: 'model.py',
    file: '/w/model.py',
    line: 3,
    function: 'block',
    shared: false,
    executions: 5,
    executions_per_step: 1,
    cpu_ps: null,
    cpu_per_step_ps: null,
    self_ps: 60 * MS,
    wall_ps: 60 * MS,
    mean_ps: 12 * MS,
    least_ps: 10 * MS,
    greatest_ps: 14 * MS,
    per_step_ps: 12 * MS,
    share_ratio: 0.6,
    flops: 36 * GFLOP,
    model_flops: 36 * GFLOP,
    padded_flops: 48 * GFLOP,
    transcendentals: 0,
    bytes: 600 * MIB,
    bytes_by_space: { main: 600 * MIB },
    basis: 'measured',
    element_type: 'f32',
    flop_utilisation_ratio: 0.6,
    bandwidth_utilisation_ratio: 0.0976,
    bound_by: 'compute',
    wasted_ps: 24 * MS,
    asynchronous: false,
    findings: [],
    ...changes,
  };
}

/** Ops of each side and three types: 60 + 25 + 10 + 5 ms. */
export function opRows(): readonly OpRow[] {
  return [
    anOpRow(),
    anOpRow({
      key: '7/fusion.2',
      name: 'fusion.2',
      category: 'loop fusion',
      opcode: 'fusion',
      primitive: 'tanh',
      op_name: 'jit(train_step)/transpose(jvp(gelu))/tanh',
      phase: 'backward',
      line: 4,
      shared: true,
      executions: 10,
      self_ps: 25 * MS,
      wall_ps: 25 * MS,
      mean_ps: 2.5 * MS,
      per_step_ps: 5 * MS,
      share_ratio: 0.25,
      flops: GFLOP,
      bytes: 2000 * MIB,
      bytes_by_space: { main: 2000 * MIB },
      basis: 'estimated',
      flop_utilisation_ratio: 0.04,
      bandwidth_utilisation_ratio: 0.78,
      bound_by: 'main',
      wasted_ps: 5.5 * MS,
    }),
    anOpRow({
      key: '7/custom-call.9',
      name: 'custom-call.9',
      category: 'custom-call',
      opcode: 'custom-call',
      primitive: 'pure_callback',
      side: 'callback',
      line: 9,
      function: 'loss',
      self_ps: 10 * MS,
      wall_ps: 10 * MS,
      share_ratio: 0.1,
      flops: null,
      model_flops: null,
      padded_flops: null,
      bytes: null,
      bytes_by_space: {},
      flop_utilisation_ratio: null,
      bandwidth_utilisation_ratio: null,
      bound_by: null,
      wasted_ps: null,
    }),
    anOpRow({
      key: '7/infeed.4',
      name: 'infeed.4',
      category: 'infeed',
      opcode: 'infeed',
      primitive: '',
      op_name: '',
      side: 'host',
      path: null,
      file: null,
      line: null,
      function: '',
      self_ps: 5 * MS,
      wall_ps: 5 * MS,
      share_ratio: 0.05,
      flops: 0,
      flop_utilisation_ratio: 0,
    }),
  ];
}

export function opsView(
  changes: Partial<OpsRecord> = {},
  devices: readonly string[] = ['TPU:0'],
): ViewAnswer<OpsRecord> {
  return {
    run: opened('/runs/a'),
    devices,
    hosts: [],
    record: {
      predicted_for: null,
      predicted_devices: null,
      op_time_ps: 100 * MS,
      window_ps: 120 * MS,
      steps: 5,
      devices: [{ name: 'TPU:0', kind: 'tpu', model: 'TPU v5e', host: 0, ordinal: 0, op_time_ps: 100 * MS }],
      device: null,
      extent: aWindow(120),
      matrix_unit: { rows: 128, columns: 128, device: 'TPU v5e', basis: 'measured' },
      peaks: [aPeak],
      rows: opRows(),
      findings: [],
      format_version: 1,
      ...changes,
    },
  };
}

export function aProfileRow(changes: Partial<OpProfileRow> = {}): OpProfileRow {
  return {
    has_estimate: true,
    key: '7/dot.1',
    op_key: null,
    depth: 2,
    kind: 'op',
    label: 'dot.1',
    category: 'convolution',
    path: null,
    file: null,
    line: null,
    executions: 5,
    self_ps: 60 * MS,
    wall_ps: 60 * MS,
    share_ratio: 0.5,
    wasted_ps: 24 * MS,
    flops: 36 * GFLOP,
    bytes: 600 * MIB,
    flop_utilisation_ratio: 0.6,
    bandwidth_utilisation_ratio: 0.0976,
    bound_by: 'compute',
    asynchronous: false,
    findings: [],
    utilisation_is_least: false,
    wasted_is_least: false,
    primitive: 'dot_general',
    phase: 'forward',
    ...changes,
  };
}

/** 100 ms of op time in two categories, a fusion with its elements, and 20 ms idle. */
export function profileRows(): readonly OpProfileRow[] {
  const op = (name: string, self_ms: number, line: number, changes: Partial<OpProfileRow> = {}) =>
    aProfileRow({
      key: `7/${name}`,
      op_key: `7/${name}`,
      label: name,
      self_ps: self_ms * MS,
      path: 'model.py',
      file: '/w/model.py',
      line,
      ...changes,
    });
  const group = (label: string, self_ms: number, changes: Partial<OpProfileRow> = {}) =>
    aProfileRow({ key: `category:${label}`, depth: 1, kind: 'category', label, self_ps: self_ms * MS, ...changes });
  const element = (name: string, flops: number | null) =>
    aProfileRow({
      key: `7/fusion.2>${name}`,
      op_key: '7/fusion.2',
      depth: 3,
      kind: 'element',
      label: name,
      category: 'tanh',
      path: 'model.py',
      file: '/w/model.py',
      line: 5,
      self_ps: null,
      wall_ps: null,
      share_ratio: null,
      wasted_ps: null,
      flops,
      bytes: null,
      flop_utilisation_ratio: null,
      bandwidth_utilisation_ratio: null,
      bound_by: null,
    });
  return [
    aProfileRow({ key: 'total', depth: 0, kind: 'total', label: 'total', category: '', self_ps: 120 * MS }),
    group('convolution', 65, { wasted_ps: 24.5 * MS }),
    op('dot.1', 60, 3),
    op('dot.7', 5, 4, { wasted_ps: 0.5 * MS }),
    group('loop fusion', 35, { wasted_ps: 30 * MS, flop_utilisation_ratio: null, flops: null }),
    op('fusion.2', 35, 4, {
      category: 'loop fusion',
      flops: null,
      flop_utilisation_ratio: null,
      bound_by: 'main',
      wasted_ps: 30 * MS,
    }),
    element('tanh.5', GFLOP),
    element('constant.6', null),
    aProfileRow({
      key: 'idle',
      depth: 1,
      kind: 'idle',
      label: 'idle',
      category: '',
      executions: null,
      self_ps: 20 * MS,
      wall_ps: null,
      wasted_ps: null,
      flops: null,
      bytes: null,
      flop_utilisation_ratio: null,
      bandwidth_utilisation_ratio: null,
      bound_by: null,
    }),
  ];
}

export function profileView(
  changes: Partial<OpProfileRecord> = {},
  devices: readonly string[] = ['TPU:0'],
): ViewAnswer<OpProfileRecord> {
  return {
    run: opened('/runs/a'),
    devices,
    hosts: [],
    record: {
      predicted_for: null,
      predicted_devices: null,
      grouping: 'category',
      extent: aWindow(120),
      op_time_ps: 100 * MS,
      wall: aWall(120, 100),
      rows: profileRows(),
      findings: [],
      format_version: 1,
      ...changes,
    },
  };
}

/** One category of `count` ops, the first of them the longest. */
export function manyProfileRows(count: number): readonly OpProfileRow[] {
  const self_ps = (count * (count + 1)) / 2;
  return [
    aProfileRow({ key: 'total', depth: 0, kind: 'total', label: 'total', self_ps }),
    aProfileRow({ key: 'category:convolution', depth: 1, kind: 'category', label: 'convolution', self_ps }),
    ...Array.from({ length: count }, (_, index) =>
      aProfileRow({
        key: `7/dot.${String(index)}`,
        op_key: `7/dot.${String(index)}`,
        label: `dot.${String(index)}`,
        self_ps: count - index,
        wasted_ps: index,
        path: 'model.py',
        file: '/w/model.py',
        line: (index % 500) + 1,
      }),
    ),
  ];
}

/** Ops that differ in name, type and time, the first of them the longest. */
export function manyOpRows(count: number): readonly OpRow[] {
  return Array.from({ length: count }, (_, index) =>
    anOpRow({
      key: `7/dot.${String(index)}`,
      name: `dot.${String(index)}`,
      category: `category ${String(index % 30)}`,
      self_ps: count - index,
    }),
  );
}

export function anArray(changes: Partial<ArrayRecord> = {}): ArrayRecord {
  return {
    role: 'result',
    shape: 'f32[3,512]',
    layout: '{1,0:T(8,128)}',
    space: 'main',
    bytes: 6144,
    padded_bytes: 16_384,
    dims: [
      { size: 3, padded: 8, tile: 8, role: 'batch' },
      { size: 512, padded: 512, tile: 128, role: 'feature' },
    ],
    used_ratio: 0.375,
    predicted: false,
    ...changes,
  };
}

export function aCard(changes: Partial<OpCardRecord> = {}): OpCardRecord {
  return {
    op: anOpRow(),
    peak: aPeak,
    expression: '%dot.1 = f32[8,128]{1,0} dot(f32[8,512]{1,0} %p.0, f32[512,128]{1,0} %p.1)',
    arrays: [anArray()],
    matrix_unit: [],
    elements: [],
    stack: [
      { path: 'model.py', file: '/w/model.py', line: 3, function: 'block' },
      { path: 'train.py', file: '/w/train.py', line: 57, function: 'loss.<locals>.inner' },
    ],
    counters: {},
    hosts: [],
    format_version: 1,
    ...changes,
  };
}

import type {
  RooflineCeiling,
  RooflineRecord,
  RooflineRoof,
  RooflineRow,
  ViewAnswer,
} from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';
import { aPeak, MS } from '../flops/madeFlops';
import { aWindow } from '../shared/madeExtents';

/** 1 TFLOP/s over 100 GB/s: the ridge is at 10 FLOP/byte. */
export const aRoof: RooflineRoof = {
  element_type: 'bf16',
  space: 'main',
  flops_per_s: 1e12,
  bytes_per_s: 1e11,
  ridge_flops_per_byte: 10,
};

/** Caches that move bytes four times as fast as main memory. */
export const aCeiling: RooflineCeiling = { source: 'caches', space: 'main', bytes_per_s: 4e11 };

/** An op of some intensity and rate, in 10 ms of 100 ms of op time. */
export function aPoint(name: string, intensity: number, rate: number, changes: Partial<RooflineRow> = {}): RooflineRow {
  const self_ps = changes.self_ps ?? 10 * MS;
  const limit = Math.min(aRoof.flops_per_s, intensity * aRoof.bytes_per_s);
  const key = `7/${name}`;
  return {
    key: `${key}@${changes.space ?? 'main'}`,
    kind: 'op',
    label: name,
    category: 'dot',
    op_key: key,
    path: null,
    file: null,
    line: null,
    space: 'main',
    element_type: 'bf16',
    self_ps,
    share_ratio: self_ps / (100 * MS),
    flops: rate * (self_ps / 1e12),
    bytes: (rate / intensity) * (self_ps / 1e12),
    intensity_flops_per_byte: intensity,
    flops_per_s: rate,
    bytes_per_s: rate / intensity,
    limit_flops_per_s: limit,
    efficiency_ratio: rate / limit,
    bound_by: intensity < aRoof.ridge_flops_per_byte ? 'main' : 'compute',
    findings: [],
    utilisation_is_least: false,
    primitive: '',
    phase: null,
    program_id: '',
    ...changes,
  };
}

const onLine = (line: number) => ({ path: 'model.py', file: '/w/model.py', line });

/** Two ops in main memory, one of them in VMEM too, and their program. */
export function points(): readonly RooflineRow[] {
  return [
    aPoint('dot.1', 100, 5e11, { ...onLine(3), self_ps: 60 * MS }),
    aPoint('dot.1', 50, 5e11, { ...onLine(3), self_ps: 60 * MS, space: 'vmem', limit_flops_per_s: null }),
    aPoint('add.2', 0.1, 5e9, { ...onLine(4), self_ps: 30 * MS, category: 'loop fusion' }),
    aPoint('jit_step', 20, 3e11, {
      key: 'jit_step@main',
      program_id: '7',
      op_key: null,
      kind: 'program',
      category: '',
      self_ps: 100 * MS,
    }),
  ];
}

export function rooflineView(
  changes: Partial<RooflineRecord> = {},
  devices: readonly string[] = ['TPU:0'],
): ViewAnswer<RooflineRecord> {
  return {
    run: opened('/runs/a'),
    devices,
    hosts: [],
    record: {
      predicted_for: null,
      predicted_devices: null,
      extent: aWindow(120),
      op_time_ps: 100 * MS,
      unknown_ps: 10 * MS,
      roofs: [aRoof],
      peaks: [aPeak],
      rows: points(),
      ceilings: [],
      findings: [],
      format_version: 1,
      ...changes,
    },
  };
}

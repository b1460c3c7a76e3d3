import { aFinding } from '../shared/madeFindings';
import type { FlopsRecord, FlopsRow, PeakRecord, ViewAnswer } from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';
import { anExtent } from '../shared/madeExtents';

export const MS = 1_000_000_000;
export const GFLOP = 1e9;

export function aFlopsRow(key: string, depth: number, changes: Partial<FlopsRow> = {}): FlopsRow {
  const flops = changes.flops === undefined ? GFLOP : changes.flops;
  return {
    key,
    depth,
    kind: 'op',
    label: key.split('/').at(-1) ?? key,
    path: null,
    file: null,
    line: null,
    phase: 'forward',
    self_ps: MS,
    flops,
    model_flops: flops,
    padded_flops: flops,
    unknown_ps: 0,
    flops_per_s: flops === null ? null : flops / 0.1,
    mfu_ratio: flops === null ? null : flops / 0.1 / 1e12,
    hfu_ratio: flops === null ? null : flops / 0.1 / 1e12,
    padding_waste_ratio: 0,
    recompute_ratio: 0,
    utilisation_is_least: false,
    primitive: '',
    ...changes,
  };
}

export const aPeak: PeakRecord = {
  device: 'TPU:0',
  kind: 'tpu',
  model: 'TPU v5e',
  flops_per_s: { bf16: 1e12 },
  bytes_per_s: { main: 2 ** 39 },
  memory_bytes: 2 ** 34,
  basis: 'stated',
  sources: [aFinding('note', 'The profile states it.')],
  from_table: [],
  corrected: [],
  cache_bytes_per_s: null,
};

const onLine = (line: number) => ({ path: 'model.py', file: '/w/model.py', line });

/**
 * A model of 10 GFLOP in 100 ms of wall clock (5 steps), at 1 TFLOP/s of peak: `block` with 8 (the op `dot.1` 5, the
 * op `dot.2` 3, which was computed again), `loss` with 2; `custom.4` in it has no known FLOPs.
 */
export function flopsRows(): readonly FlopsRow[] {
  return [
    aFlopsRow('model', 0, {
      kind: 'model',
      label: 'Model',
      phase: null,
      self_ps: 20 * MS,
      flops: 10 * GFLOP,
      model_flops: 7 * GFLOP,
      padded_flops: 20 * GFLOP,
      unknown_ps: 4 * MS,
      mfu_ratio: 0.07,
      padding_waste_ratio: 0.5,
      recompute_ratio: 0.3,
    }),
    aFlopsRow('model/block', 1, {
      kind: 'scope',
      phase: null,
      self_ps: 10 * MS,
      flops: 8 * GFLOP,
      model_flops: 5 * GFLOP,
    }),
    aFlopsRow('7/dot.1', 2, { ...onLine(3), self_ps: 6 * MS, flops: 5 * GFLOP }),
    aFlopsRow('7/dot.2', 2, {
      ...onLine(4),
      self_ps: 4 * MS,
      flops: 3 * GFLOP,
      model_flops: 0,
      phase: 'recompute',
      recompute_ratio: 1,
    }),
    aFlopsRow('model/loss', 1, { kind: 'scope', self_ps: 10 * MS, flops: 2 * GFLOP, unknown_ps: 4 * MS }),
    aFlopsRow('7/dot.3', 2, { ...onLine(9), self_ps: 6 * MS, flops: 2 * GFLOP }),
    aFlopsRow('7/custom.4', 2, { ...onLine(9), self_ps: 4 * MS, unknown_ps: 4 * MS, flops: null }),
  ];
}

export function flopsView(
  changes: Partial<FlopsRecord> = {},
  devices: readonly string[] = ['TPU:0'],
): ViewAnswer<FlopsRecord> {
  return {
    run: opened('/runs/a'),
    devices,
    hosts: [],
    record: {
      predicted_for: null,
      predicted_devices: null,
      extent: anExtent(),
      wall_ps: 100 * MS,
      steps: 5,
      matrix_unit: { rows: 128, columns: 128, device: 'TPU v5e', basis: 'measured' },
      peaks: [aPeak],
      rows: flopsRows(),
      findings: [],
      format_version: 1,
      ...changes,
    },
  };
}

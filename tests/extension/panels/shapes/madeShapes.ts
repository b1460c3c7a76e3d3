// Shapes by hand: a step whose batch has one of three sizes.

import type { ShapeFamily, ShapesRecord, ViewAnswer } from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';

export const MS = 1e9;
const SIZES = [32, 24, 17];

export function aFamily(values: Partial<ShapeFamily> = {}): ShapeFamily {
  const iterations = Array.from({ length: 12 }, (_, at) => ({
    number: at + 1,
    step: at === 0 ? null : at,
    variant: at % 3,
    start_ps: at * 20 * MS,
    duration_ps: (20 - (at % 3) * 4) * MS,
    op_time_ps: (18 - (at % 3) * 4) * MS,
  }));
  return {
    key: 'family',
    name: 'jit_train_step',
    function: 'train_step',
    variants: SIZES.map((size, at) => ({
      key: `variant ${String(at)}`,
      program_id: String(at + 11),
      number: at + 1,
      shapes: [{ name: 'x', shape: `f32[${String(size)},512]` }],
      runs: 4,
      mean_ps: (20 - at * 4) * MS,
      compile_ps: at === 2 ? null : 840 * MS,
    })),
    iterations,
    series: [
      { key: 's1', name: 'dot', is_op: false, times_ps: iterations.map(({ op_time_ps: time }) => time * 0.7) },
      { key: 's2', name: 'loop fusion', is_op: false, times_ps: iterations.map(({ op_time_ps: time }) => time * 0.3) },
      { key: 's3', name: 'dot.4', is_op: true, times_ps: iterations.map(({ op_time_ps: time }) => time * 0.5) },
    ],
    argument: 'x',
    dimension: 0,
    plans: [
      { sizes: [32], padding_ratio: 0.315, compiles: 1, saved_ps: 1680 * MS },
      { sizes: [24, 32], padding_ratio: 0.096, compiles: 2, saved_ps: 840 * MS },
    ],
    path: 'train.py',
    file: '/home/ada/train/train.py',
    line: 71,
    ...values,
  };
}

export function shapesRecord(values: Partial<ShapesRecord> = {}): ShapesRecord {
  return {
    findings: [],
    predicted_for: null,
    predicted_devices: null,
    format_version: 1,
    families: [aFamily()],
    ...values,
  };
}

export function shapesView(values: Partial<ShapesRecord> = {}): ViewAnswer<ShapesRecord> {
  return { run: opened('/runs/a'), devices: [], hosts: [], record: shapesRecord(values) };
}

import type { LineOpRecord, LineRecord, LinesAnswer, LinesRecord } from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';

const MS = 1_000_000_000;

export function anOp(changes: Partial<LineOpRecord> = {}): LineOpRecord {
  return {
    key: 'k7f3',
    name: 'dot.1',
    category: 'dot',
    self_ps: MS,
    shared: false,
    executions: 5,
    program_id: '7',
    inherited: false,
    primitive: 'dot_general',
    scope: '',
    shape: 'f32[8,128]',
    operand_shapes: [],
    shared_with: [],
    phase: 'forward',
    ...changes,
  };
}

/** A line whose self time is all forward. */
export function aLine(line: number, self_ms: number, changes: Partial<LineRecord> = {}): LineRecord {
  return {
    key: `model.py:${String(line)}`,
    path: 'model.py',
    file: '/w/model.py',
    line,
    function: 'block',
    self_ps: self_ms * MS,
    inclusive_ps: self_ms * MS,
    forward_ps: self_ms * MS,
    backward_ps: 0,
    recompute_ps: 0,
    optimizer_ps: 0,
    other_ps: 0,
    per_step_ps: (self_ms * MS) / 5,
    executions: 5,
    ops: [anOp({ self_ps: self_ms * MS })],
    inclusive_per_step_ps: (self_ms * MS) / 5,
    per_step_spread_ps: null,
    executions_per_step: 1,
    ...changes,
  };
}

/** Three lines in two functions with 100 ms of op time, 10 ms of it unattributed. */
export function aView(changes: Partial<LinesRecord> = {}): LinesAnswer {
  const lines = [
    aLine(3, 60),
    aLine(9, 20, { function: 'loss' }),
    aLine(4, 10, {
      forward_ps: 4 * MS,
      backward_ps: 6 * MS,
      ops: [anOp({ self_ps: 10 * MS, shared: true, shared_with: [{ path: 'model.py', line: 3 }] })],
    }),
  ];
  const total = (name: string, line: number, self_ms: number, count: number) => ({
    key: `model.py:${name}`,
    path: 'model.py',
    file: '/w/model.py',
    function: name,
    line,
    lines: count,
    self_ps: self_ms * MS,
    inclusive_ps: self_ms * MS,
    forward_ps: self_ms * MS,
    backward_ps: 0,
    recompute_ps: 0,
    optimizer_ps: 0,
    other_ps: 0,
    per_step_ps: (self_ms * MS) / 5,
    inclusive_per_step_ps: (self_ms * MS) / 5,
  });
  const record: LinesRecord = {
    op_time_ps: 100 * MS,
    attributed_ps: 90 * MS,
    unattributed_ps: 10 * MS,
    outside_steps_ps: 0,
    devices: [{ name: 'TPU:0', kind: 'TPU v5e', host: 0, ordinal: 0, op_time_ps: 100 * MS }],
    steps_source: 'repetition',
    steps_name: 'jit_train_step',
    steps: [1, 2, 3, 4, 5].map((step) => ({ start_ps: step * 20 * MS, duration_ps: (18 + step) * MS })),
    step_time: {
      steps: 5,
      median_ps: 21 * MS,
      least_ps: 19 * MS,
      greatest_ps: 23 * MS,
      mean_ps: 21 * MS,
      busy_ps: 20 * MS,
      compiling_ps: 0,
      waiting_ps: MS,
    },
    window: {},
    findings: [],
    lines,
    unattributed_ops: [anOp({ name: 'copy.9', primitive: '', shape: '', self_ps: 10 * MS })],
    functions: [total('block', 3, 70, 2), total('loss', 9, 20, 1)],
    stacks: [],
    format_version: 1,
    ...changes,
  };
  return {
    run: opened('/runs/a'),
    devices: [],
    record,
    sources: ['    y = x @ w', '    return jnp.mean(y)', '    y = gelu(y)'],
    places: record.lines.map(({ line }) => ({ file: '/w/model.py', line, state: 'current' })),
  };
}

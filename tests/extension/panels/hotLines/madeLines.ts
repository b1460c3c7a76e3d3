import type {
  LineOpRecord,
  LineRecord,
  LinesAnswer,
  LinesRecord,
  StallRecord,
} from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';
import { anExtent, aWall, aWindow } from '../shared/madeExtents';

const MS = 1_000_000_000;
/** Of the steps of `aView`. */
const WALL_MS = 105;

export function anOp(changes: Partial<LineOpRecord> = {}): LineOpRecord {
  return {
    has_estimate: true,
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
    stall: null,
    ...changes,
  };
}

/** What one thread that works alone has of the wall clock of five steps. */
function wallOf(self_ms: number) {
  return {
    wall_ps: self_ms * MS,
    inclusive_wall_ps: self_ms * MS,
    share_ratio: self_ms / WALL_MS,
    inclusive_share_ratio: self_ms / WALL_MS,
    per_step_ps: (self_ms * MS) / 5,
    inclusive_per_step_ps: (self_ms * MS) / 5,
  };
}

/** Idle time by class. */
export function idleOf(classes: Partial<LinesRecord['idle_classes']>): LinesRecord['idle_classes'] {
  // Of the classes that there are none of, a record says nothing.
  return classes;
}

/** A line for which devices wait in every step, and on which no op runs. */
export function aWaitingLine(line: number, waiting_ms: number, changes: Partial<LineRecord> = {}): LineRecord {
  const share_ratio = waiting_ms / WALL_MS;
  const ps = waiting_ms * MS;
  return aLine(line, 0, {
    function: 'train',
    ops: [],
    executions: 0,
    executions_per_step: null,
    waiting_ps: ps,
    waiting_inclusive_ps: ps,
    waiting_classes: idleOf({ input: ps }),
    basis: 'exact',
    share_ratio,
    waiting_share_ratio: share_ratio,
    inclusive_share_ratio: share_ratio,
    per_step_ps: ps / 5,
    waiting_per_step_ps: ps / 5,
    inclusive_per_step_ps: ps / 5,
    ...changes,
  });
}

/** Self time that is all forward. */
const forwardOf = (self_ms: number) => ({
  self_ps: self_ms * MS,
  inclusive_ps: self_ms * MS,
  forward_ps: self_ms * MS,
  backward_ps: 0,
  recompute_ps: 0,
  optimizer_ps: 0,
  other_ps: 0,
});

/** A line whose self time is all forward. */
export function aLine(line: number, self_ms: number, changes: Partial<LineRecord> = {}): LineRecord {
  return {
    key: `model.py:${String(line)}`,
    path: 'model.py',
    file: '/w/model.py',
    line,
    function: 'block',
    ...forwardOf(self_ms),
    ...wallOf(self_ms),
    op_time_per_step_ps: (self_ms * MS) / 5,
    cpu_ps: null,
    cpu_per_step_ps: null,
    collective_wait_ps: null,
    collective_move_ps: null,
    collective_wait_per_step_ps: null,
    collective_move_per_step_ps: null,
    host_spread: null,
    executions: 5,
    ops: [anOp({ self_ps: self_ms * MS })],
    per_step_spread_ps: null,
    few_steps: null,
    few_steps_each_ps: null,
    executions_per_step: 1,
    waiting_ps: 0,
    waiting_inclusive_ps: 0,
    waiting_classes: idleOf({}),
    basis: null,
    waiting_share_ratio: 0,
    waiting_per_step_ps: 0,
    exposed_by: [],
    meanwhile: [],
    ...changes,
  };
}

/**
 * Three lines in two functions in five steps of 105 ms: 100 ms of op time, 10 ms of it unattributed. The device was busy
 * for 92 ms, stalled for 8 and idle for 5.
 */
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
    ...forwardOf(self_ms),
    waiting_ps: 0,
    waiting_inclusive_ps: 0,
    ...wallOf(self_ms),
  });
  const record: LinesRecord = {
    predicted_for: null,
    predicted_devices: null,
    op_time_ps: 100 * MS,
    attributed_ps: 90 * MS,
    unattributed_ps: 10 * MS,
    unattributed_wall_ps: 10 * MS,
    idle_ps: 5 * MS,
    idle_classes: idleOf({ unknown: 5 * MS }),
    unattributed_waiting_ps: 5 * MS,
    steps_wall_ps: WALL_MS * MS,
    cpu_ps: null,
    unattributed_cpu_ps: null,
    syncs: [],
    extent: anExtent({ duration_ps: WALL_MS * MS }),
    wall: aWall(WALL_MS, 92, { stalls: [stalled('collective', 6), stalled('copy', 2)] }),
    devices: [{ name: 'TPU:0', kind: 'tpu', model: 'TPU v5e', host: 0, ordinal: 0, op_time_ps: 100 * MS }],
    steps_source: 'repetition',
    steps_name: 'jit_train_step',
    steps: [1, 2, 3, 4, 5].map((step) => ({
      start_ps: step * 20 * MS,
      duration_ps: (18 + step) * MS,
      devices: 1,
      wall_ps: (18 + step) * MS,
      busy_ps: (17 + step) * MS,
      stalled_ps: 0,
      idle_ps: MS,
      idle_classes: idleOf({ unknown: MS }),
      cpu_ps: null,
    })),
    step_time: {
      steps: 5,
      mean_ps: 21 * MS,
      median_ps: 20.9 * MS,
      least_ps: 19 * MS,
      greatest_ps: 23 * MS,
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
    hosts: [],
    record,
    sources: ['    y = x @ w', '    return jnp.mean(y)', '    y = gelu(y)'],
    places: record.lines.map(({ line }) => ({ file: '/w/model.py', line, state: 'current' })),
  };
}

/** How long devices waited for a cause. */
export function stalled(cause: StallRecord['cause'], stalled_ms: number): StallRecord {
  return { cause, stalled_ps: stalled_ms * MS };
}

/** The same lines without steps: the whole window of 105 ms is looked at. */
export function aWindowView(changes: Partial<LinesRecord> = {}): LinesAnswer {
  const view = aView();
  const without = { per_step_ps: null, inclusive_per_step_ps: null, op_time_per_step_ps: null };
  return aView({
    extent: aWindow(WALL_MS, { has_steps: false }),
    steps: [],
    steps_source: null,
    steps_name: null,
    step_time: { steps: 0, mean_ps: null, median_ps: null, least_ps: null, greatest_ps: null },
    lines: view.record.lines.map((line) => ({ ...line, ...without, executions_per_step: null })),
    functions: view.record.functions.map((each) => ({ ...each, ...without })),
    ...changes,
  });
}

/** The same lines on a CPU whose two threads worked side by side all the time: 200 ms of op time. */
export function aThreadedView(): LinesAnswer {
  const { record } = aView();
  const lines = record.lines.map((line) => ({
    ...line,
    self_ps: line.self_ps * 2,
    forward_ps: line.forward_ps * 2,
    backward_ps: line.backward_ps * 2,
    op_time_per_step_ps: (line.self_ps * 2) / 5,
  }));
  return aView({
    lines,
    functions: record.functions.map((each) => ({
      ...each,
      self_ps: each.self_ps * 2,
      forward_ps: each.forward_ps * 2,
    })),
    op_time_ps: 200 * MS,
    attributed_ps: 180 * MS,
    unattributed_ps: 20 * MS,
  });
}

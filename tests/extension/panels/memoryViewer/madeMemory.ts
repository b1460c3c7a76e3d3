import type {
  LiveAtRecord,
  MemoryBuffer,
  MemoryProfileRecord,
  MemoryRecord,
  MemorySample,
  MemoryViewerRecord,
  ViewAnswer,
} from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';

export const KIB = 1024;
export const MIB = 1024 * KIB;

const onLine = (line: number) => ({ path: 'model.py', file: '/w/model.py', line, function: 'block' });

/** A temporary of 1 MiB, half of it padding, that lives from position 1 to 3. */
export function aBuffer(name: string, changes: Partial<MemoryBuffer> = {}): MemoryBuffer {
  return {
    key: `b:${name}`,
    line_key: null,
    id: `b:${name}`,
    name,
    category: 'temporary',
    bytes: MIB,
    unpadded_bytes: MIB / 2,
    shape: 'f32[8,100]{1,0:T(8,128)}',
    element_type: 'f32',
    op_name: `jit(step)/${name}`,
    opcode: 'fusion',
    path: null,
    file: null,
    line: null,
    function: null,
    start: 1,
    end: 3,
    is_residual: false,
    allocation: 1,
    offset_bytes: 0,
    count: 1,
    allocation_kind: 'preallocated for temporaries',
    op_key: `7/${name}`,
    last_op: null,
    last_primitive: '',
    last_path: null,
    last_line: null,
    primitive: '',
    phase: null,
    ...changes,
  };
}

export const weights = aBuffer('weights', {
  category: 'parameter',
  bytes: 2 * MIB,
  unpadded_bytes: 2 * MIB,
  opcode: 'parameter',
  op_key: null,
  start: 0,
  end: 5,
  allocation: 0,
  allocation_kind: 'parameter 0',
});
export const dot = aBuffer('dot.1', {
  ...onLine(3),
  is_residual: true,
  last_op: 'add.2',
  last_primitive: 'add',
  last_path: 'model.py',
  last_line: 4,
});
export const add = aBuffer('add.2', {
  ...onLine(4),
  bytes: 3 * MIB,
  unpadded_bytes: 3 * MIB,
  start: 2,
  end: 4,
  offset_bytes: MIB,
  primitive: 'add_any',
  phase: 'backward',
});
/** It is gone before the peak. */
export const early = aBuffer('early.3', { start: 0, end: 1, ...onLine(9) });

const BUFFERS = [weights, dot, add];
const ALL = [weights, early, dot, add];

/**
 * Five steps: `early.3` is made and given back for `dot.1`, then `add.2` is made, which is the peak; then both are given
 * back, one after the other.
 */
export function memoryRecord(changes: Partial<MemoryViewerRecord> = {}): MemoryViewerRecord {
  const bytes = [2, 3, 3, 6, 5, 2].map((each) => each * MIB);
  const unpadded_bytes = [2, 2.5, 2.5, 5.5, 5, 2].map((each) => each * MIB);
  return {
    predicted_for: null,
    predicted_devices: null,
    module: 'jit_step',
    program_id: '7',
    modules: [
      {
        key: 'step',
        op_keys: ['7/early.3', '7/dot.1', '7/add.2'],
        name: 'jit_step',
        program_id: '7',
        peak_bytes: 6 * MIB,
        basis: 'assigned',
        memory_spaces: [
          { number: 0, name: 'main memory', peak_bytes: 6 * MIB },
          { number: 1, name: 'VMEM', peak_bytes: MIB },
        ],
      },
      {
        key: 'init',
        op_keys: ['8/add.9'],
        name: 'jit_init',
        program_id: '8',
        peak_bytes: MIB,
        basis: 'assigned',
        memory_spaces: [],
      },
    ],
    memory_space: 0,
    memory_space_name: 'main memory',
    basis: 'assigned',
    peak_bytes: 6 * MIB,
    peak_unpadded_bytes: 5.5 * MIB,
    peak_position: 2,
    totals: {
      argument_bytes: 2 * MIB,
      output_bytes: MIB,
      temporary_bytes: 5 * MIB,
      alias_bytes: MIB / 2,
      constant_bytes: 0,
      thread_local_bytes: 0,
      indefinite_bytes: 2 * MIB,
      allocated_bytes: 7 * MIB,
      stack_bytes: null,
      temporary_without_fragmentation_bytes: 4 * MIB,
      fragmentation_ratio: 0.2,
      capacity_bytes: 24 * MIB,
      capacity_basis: 'allocator',
    },
    timeline: { bytes, unpadded_bytes, ops: ['early.3', 'dot.1', 'add.2', 'dot.1', 'add.2', ''] },
    execution: {
      positions: [0, 1, 2],
      bytes: [3, 3, 6].map((each) => each * MIB),
      unpadded_bytes: [2.5, 2.5, 5.5].map((each) => each * MIB),
      ops: ['early.3', 'dot.1', 'add.2'],
      phases: [
        { phase: 'forward', start: 0, end: 2 },
        { phase: 'backward', start: 2, end: 3 },
      ],
      forward_start: 0,
      backward_end: 3,
    },
    buffers: BUFFERS,
    lifetimes: {
      id: ALL.map(({ id }) => id),
      name: ALL.map(({ name }) => name),
      op_key: ALL.map(({ op_key }) => op_key),
      allocation: ALL.map(({ allocation }) => allocation),
      offset_bytes: ALL.map(({ offset_bytes }) => offset_bytes),
      bytes: ALL.map((each) => each.bytes),
      start: ALL.map(({ start }) => start),
      end: ALL.map(({ end }) => end),
    },
    small_bytes: 16 * KIB,
    findings: [],
    format_version: 1,
    ...changes,
  };
}

export function memoryView(changes: Partial<MemoryViewerRecord> = {}): ViewAnswer<MemoryViewerRecord> {
  return { run: opened('/runs/a'), devices: [], hosts: [], record: memoryRecord(changes) };
}

/** What is alive at position 0. */
export function liveAt(changes: Partial<LiveAtRecord> = {}): LiveAtRecord {
  return {
    position: 0,
    bytes: 3 * MIB,
    unpadded_bytes: 2.5 * MIB,
    change_bytes: MIB,
    op: 'early.3',
    op_name: 'jit(step)/early.3',
    path: 'model.py',
    file: '/w/model.py',
    line: 9,
    phase: 'forward',
    buffers: [weights, early],
    op_key: '7/early.3',
    primitive: '',
    format_version: 1,
    ...changes,
  };
}

export function aSample(time_ps: number, changes: Partial<MemorySample> = {}): MemorySample {
  return {
    time_ps,
    stack_bytes: MIB,
    heap_bytes: 4 * MIB,
    free_bytes: 3 * MIB,
    fragmentation_ratio: 0.25,
    activity: 'allocation',
    requested_bytes: 1000,
    allocated_bytes: KIB,
    step: '3',
    op: null,
    region: null,
    data_type: null,
    shape: null,
    ...changes,
  };
}

/** Two samples of 8 MiB, the later with more in use. */
export function aMemory(changes: Partial<MemoryRecord> = {}): MemoryRecord {
  return {
    id: '0',
    name: 'TPU:0',
    kind: 'accelerator',
    source: 'allocator events',
    capacity_bytes: 8 * MIB,
    peak_bytes: 6 * MIB,
    peak_ps: 2e9,
    window_peak_bytes: 6 * MIB,
    window_peak_ps: 2e9,
    lifetime_peak_bytes: 7 * MIB,
    samples: [aSample(2e9, { heap_bytes: 5 * MIB, free_bytes: 2 * MIB }), aSample(1e9)],
    breakdown: [
      {
        op: 'jit(step)/dot_general',
        bytes: 5 * MIB,
        requested_bytes: null,
        count: 1,
        region: null,
        data_type: 'f32',
        shape: 'f32[8,100]',
        line_key: 'model.py:3',
        op_key: '7/dot.1',
        path: 'model.py',
        file: '/w/model.py',
        line: 3,
        basis: 'joined',
        primitive: 'dot_general',
        phase: 'backward',
        findings: [],
      },
      {
        op: '',
        bytes: MIB,
        requested_bytes: MIB,
        count: 2,
        region: 'stack',
        data_type: null,
        shape: null,
        line_key: null,
        op_key: null,
        path: null,
        file: null,
        line: null,
        basis: 'measured',
        primitive: '',
        phase: null,
        findings: [
          {
            code: 'stack-of-programs',
            severity: 'note',
            values: {},
            evidence: [],
            action: null,
            text: 'stack',
            remedy: '',
          },
        ],
      },
    ],
    steps: [{ name: '3', start_ps: 0, end_ps: 3e9 }],
    sample_count: 5000,
    ...changes,
  };
}

export function profileRecord(changes: Partial<MemoryProfileRecord> = {}): MemoryProfileRecord {
  return {
    predicted_for: null,
    predicted_devices: null,
    memories: [aMemory(), aMemory({ id: '1', name: 'TPU:1', peak_bytes: 2 * MIB, breakdown: [] })],
    snapshots: [
      {
        name: 'window end',
        time_ps: 2e9,
        bytes: 5 * MIB,
        cost_ms: 12,
        rows: [
          {
            key: 'train.py:12',
            line_key: 'line of init',
            path: 'train.py',
            file: '/w/train.py',
            line: 12,
            function: 'main.<locals>.init',
            bytes: 5 * MIB,
            count: 3,
            unknown_count: 1,
            kind: 'buffer',
            device: 'TPU:0',
            stack: [
              { path: 'train.py', file: '/w/train.py', line: 12, function: 'main.<locals>.init' },
              { path: 'train.py', file: '/w/train.py', line: 30, function: 'main' },
            ],
          },
        ],
      },
    ],
    trace_ps: 0,
    out_of_memory: null,
    findings: [],
    format_version: 1,
    ...changes,
  };
}

export function profileView(changes: Partial<MemoryProfileRecord> = {}): ViewAnswer<MemoryProfileRecord> {
  return { run: opened('/runs/a'), devices: [], hosts: [], record: profileRecord(changes) };
}

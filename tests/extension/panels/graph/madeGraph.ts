// A graph as the daemon answers it: a small model's lines by phase, its scopes, and the neighbours of an op.

import type { Graph, GraphEdge, GraphHit, GraphNode, OpenedRun, ViewAnswer } from '../../../../extension/src/protocol';
import { anExtent } from '../shared/madeExtents';
import { opened } from '../../features/openedRun';

const MS = 1_000_000_000;
const MIB = 2 ** 20;
const ALL_PS = 100 * MS;

export function aNode(key: string, changes: Partial<GraphNode> = {}): GraphNode {
  return {
    key,
    name: key,
    kind: 'op',
    path: null,
    file: null,
    line: null,
    line_key: null,
    function: '',
    phase: null,
    self_ps: null,
    share_ratio: null,
    executions: null,
    opcode: '',
    primitive: '',
    shape: '',
    scope: '',
    ops: 1,
    repeated: 1,
    trip_count: null,
    is_open: false,
    can_open: false,
    is_hub: false,
    parent: null,
    producers: 0,
    consumers: 0,
    distance: null,
    bytes: null,
    padded_bytes: null,
    padding_bytes: null,
    padding_ratio: null,
    memory_at_peak_bytes: null,
    basis: null,
    compatibility: null,
    left_out: 0,
    ...changes,
  };
}

export function anEdge(source: string, target: string, bytes: number | null = MIB): GraphEdge {
  return { source, target, bytes, kind: 'data', count: 1 };
}

const place = (file: string, line: number) => ({ path: `model/${file}`, file: `/w/model/${file}`, line });

const lines: readonly (readonly [string, number, string, number, number])[] = [
  ['train.py', 31, 'embed', 1.2, 40],
  ['decoder.py', 22, 'norm', 2.1, 33],
  ['decoder.py', 41, 'attention', 9.4, 120],
  ['decoder.py', 44, 'attention', 6.3, 400],
  ['decoder.py', 48, 'attention', 3.6, 90],
  ['decoder.py', 61, 'feed_forward', 12.5, 260],
  ['decoder.py', 63, 'feed_forward', 7.9, 200],
  ['train.py', 52, 'loss', 4.2, 310],
];

/** A line in a phase. */
const lineKey = (at: number, phase: string): string => `line ${String(at)} ${phase}`;

function lineNodes(): readonly GraphNode[] {
  const node = (at: number, phase: 'forward' | 'backward'): GraphNode => {
    const [file, line, name, time_ms, bytes_mib] = lines[at] ?? ['', 0, '', 0, 0];
    const self_ps = Math.round(time_ms * (phase === 'backward' ? 1.02 : 0.62) * MS);
    return aNode(lineKey(at, phase), {
      name: `${file}:${String(line)}`,
      kind: 'line',
      ...place(file, line),
      line_key: `key of ${String(at)}`,
      function: name,
      phase,
      self_ps,
      share_ratio: self_ps / ALL_PS,
      basis: 'measured',
      executions: 5,
      ops: 3 + at,
      can_open: true,
      producers: 2,
      consumers: 3,
      bytes: bytes_mib * MIB,
      padding_ratio: at % 3 === 0 ? 0.31 : 0,
      padding_bytes: at % 3 === 0 ? 12 * MIB : 0,
      memory_at_peak_bytes: (bytes_mib / 2) * MIB,
    });
  };
  return [
    ...lines.map((_, at) => node(at, 'forward')),
    ...lines.map((_, at) => node(lines.length - 1 - at, 'backward')),
    aNode('optimizer', {
      name: 'train.py:80',
      kind: 'line',
      ...place('train.py', 80),
      line_key: 'key of 80',
      function: 'update',
      phase: 'optimizer',
      self_ps: 11 * MS,
      share_ratio: 0.11,
      basis: 'measured',
      executions: 5,
      ops: 38,
      can_open: true,
      producers: 8,
      bytes: 700 * MIB,
      memory_at_peak_bytes: 20 * MIB,
    }),
  ];
}

function lineEdges(): readonly GraphEdge[] {
  const last = lines.length - 1;
  const along = lines
    .slice(1)
    .flatMap((_, at) => [
      anEdge(lineKey(at, 'forward'), lineKey(at + 1, 'forward'), (at + 1) * 16 * MIB),
      anEdge(lineKey(at + 1, 'backward'), lineKey(at, 'backward'), (at + 2) * 16 * MIB),
    ]);
  const residuals = lines.slice(1).map((_, at) => anEdge(lineKey(at, 'forward'), lineKey(at, 'backward'), 64 * MIB));
  const gradients = lines.map((_, at) => anEdge(lineKey(at, 'backward'), 'optimizer', 8 * MIB));
  return [
    ...along,
    anEdge(lineKey(1, 'forward'), lineKey(4, 'forward'), 16 * MIB),
    anEdge(lineKey(last, 'forward'), lineKey(last, 'backward'), 96 * MIB),
    ...residuals,
    ...gradients,
  ];
}

export function aGraph(changes: Partial<Graph> = {}): Graph {
  return {
    findings: [],
    predicted_for: null,
    predicted_devices: null,
    format_version: 1,
    level: 'lines',
    program: null,
    programs: [
      { key: 'program', name: 'jit_train_step', program_id: '17', instructions: 1248, self_ps: 98 * MS },
      { key: 'init', name: 'jit_init', program_id: '12', instructions: 120, self_ps: 2 * MS },
    ],
    extent: anExtent(),
    op_time_ps: ALL_PS,
    unattributed_ps: 1 * MS,
    nodes: lineNodes(),
    edges: lineEdges(),
    breadcrumbs: [],
    center: null,
    radius: null,
    route: [],
    hits: [],
    hits_left_out: 0,
    overlays: ['time', 'bytes', 'padding', 'memory'],
    left_out: 0,
    ...changes,
  };
}

const opPlaces = {
  norm: place('decoder.py', 22),
  scores: place('decoder.py', 41),
  weigh: place('decoder.py', 44),
};

function op(key: string, name: string, primitive: string, at: keyof typeof opPlaces, time_ms: number): GraphNode {
  return aNode(key, {
    name,
    primitive,
    opcode: 'fusion',
    ...opPlaces[at],
    shape: 'bf16[8,1024,512]',
    phase: 'forward',
    self_ps: time_ms * MS,
    share_ratio: time_ms / 100,
    basis: 'measured',
    executions: 120,
    producers: 2,
    consumers: 2,
    bytes: time_ms * 20 * MIB,
    padding_ratio: 0.12,
    padding_bytes: 3 * MIB,
    memory_at_peak_bytes: time_ms * MIB,
    distance: 1,
  });
}

/** The neighbours of an op, of which one fusion is open. */
export function opsGraph(changes: Partial<Graph> = {}): Graph {
  const inside = { parent: 'fusion', basis: 'estimated' as const };
  const nodes = [
    aNode('weights', { name: 'param.3', opcode: 'parameter', shape: 'bf16[512,512]', distance: 1, consumers: 1 }),
    op('norm', 'fusion.12', 'mul', 'norm', 2.5),
    aNode('mask', { name: 'compare.1', kind: 'hub', opcode: 'compare', is_hub: true, consumers: 213, distance: 1 }),
    { ...op('dot', 'dot.7', 'dot_general', 'scores', 9), distance: 0, opcode: 'dot', consumers: 12 },
    { ...op('fusion', 'fusion.14', 'softmax', 'weigh', 6.3), can_open: true, is_open: true },
    { ...op('exp', 'exp.3', 'exp', 'weigh', 2.3), ...inside, opcode: 'exponential' },
    { ...op('sum', 'reduce.9', 'reduce_sum', 'weigh', 1), ...inside, opcode: 'reduce' },
    { ...op('divide', 'divide.9', 'div', 'weigh', 3), ...inside, opcode: 'divide' },
    { ...op('scan', 'while.2', 'scan', 'weigh', 0.4), opcode: 'while', trip_count: 24, can_open: true },
    { ...op('layers', 'fusion.30', 'add', 'norm', 1.1), repeated: 24 },
    aNode('rest', { kind: 'rest', name: '', left_out: 38, distance: 2 }),
  ];
  return aGraph({
    level: 'ops',
    program: 'program',
    nodes,
    edges: [
      anEdge('weights', 'dot', 0.5 * MIB),
      anEdge('norm', 'dot', 8 * MIB),
      anEdge('dot', 'exp', 64 * MIB),
      anEdge('mask', 'exp', MIB),
      anEdge('exp', 'sum', 64 * MIB),
      anEdge('exp', 'divide', 64 * MIB),
      anEdge('sum', 'divide', 0.1 * MIB),
      anEdge('divide', 'scan', 64 * MIB),
      anEdge('divide', 'layers', 64 * MIB),
      anEdge('norm', 'layers', 8 * MIB),
      anEdge('layers', 'rest', 8 * MIB),
    ],
    breadcrumbs: [
      { key: 'program', name: 'jit_train_step', trip_count: null },
      { key: 'loop', name: 'while.1', trip_count: 12 },
    ],
    center: 'dot',
    radius: 2,
    left_out: 38,
    ...changes,
  });
}

export function aHit(key: string, changes: Partial<GraphHit> = {}): GraphHit {
  return {
    key,
    name: `dot.${key}`,
    opcode: 'dot',
    shape: 'f32[8]',
    scope: '',
    ...opPlaces.scores,
    phase: 'forward',
    breadcrumbs: [{ key: 'program', name: 'jit_train_step', trip_count: null }],
    open: [],
    ...changes,
  };
}

export function graphView(record: Graph = aGraph(), run: Partial<OpenedRun> = {}): ViewAnswer<Graph> {
  return { record, run: { ...opened('/runs/a'), ...run }, devices: ['gpu:0'], hosts: [] };
}

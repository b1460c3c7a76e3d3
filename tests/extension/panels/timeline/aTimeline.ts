// Timelines for tests: their records, and a picture of rows that are 20 px high.

import { signal } from '@preact/signals';
import type {
  EventPlace,
  EventRecord,
  SectionRecord,
  TimelineRecord,
  TrackRecord,
} from '../../../../extension/src/protocol';
import type { Picture, PictureBox, PictureRow } from '../../../../extension/webview/panels/timeline/state/state';

const US = 1_000_000;

export function aTrack(id: string, changes: Partial<TrackRecord> = {}): TrackRecord {
  return { id, name: id.slice(id.indexOf('/') + 1), kind: 'ops', events: 100, depths: 1, work: null, ...changes };
}

export function aSection(id: string, tracks: readonly TrackRecord[]): SectionRecord {
  return { id, name: id, kind: 'device', host: 0, tracks };
}

/** A device with ops and scopes, and a host with a thread: a millisecond, in which four steps ran. */
export function aTimeline(changes: Partial<TimelineRecord> = {}): TimelineRecord {
  return {
    duration_ps: 1000 * US,
    events: 300,
    sections: [
      aSection('TPU:0', [aTrack('TPU:0/Ops', { depths: 2 }), aTrack('TPU:0/Scopes', { kind: 'scopes', depths: 4 })]),
      aSection('host', [aTrack('host/python', { kind: 'thread', work: 'python' })]),
    ],
    steps: {
      name: 'jit_train_step',
      start_ps: [100, 300, 500, 700].map((at) => at * US),
      duration_ps: [150, 150, 150, 150].map((length) => length * US),
    },
    busy: { 'TPU:0': [0.5, 1, 0] },
    complete: true,
    findings: [],
    format_version: 1,
    ...changes,
  };
}

export function aPlace(changes: Partial<EventPlace> = {}): EventPlace {
  return {
    track: 'TPU:0/Ops',
    event: 7,
    depth: 0,
    start_ps: 300 * US,
    duration_ps: 20 * US,
    name: 'dot.1',
    ...changes,
  };
}

export function anEvent(changes: Partial<EventRecord> = {}): EventRecord {
  return {
    place: aPlace(),
    shown_name: 'dot.1',
    self_ps: 15 * US,
    step: 2,
    program: 'jit_train_step',
    run_id: '17',
    category: 'convolution',
    colour: 'forward',
    op_key: '7/dot.1',
    op_name: 'jit(train_step)/mlp/dot_general',
    shapes: 'f32[8,128]',
    findings: [],
    arguments: [{ name: 'flops', value: '4096' }],
    flows: [],
    frames: [
      { path: 'numpy.py', file: '/lib/numpy.py', line: 3, function: 'dot', user: false },
      { path: 'model.py', file: '/w/model.py', line: 9, function: 'mlp', user: true },
    ],
    primitive: 'dot_general',
    phase: 'forward',
    gap: null,
    ...changes,
  };
}

export function aBox(changes: Partial<PictureBox> = {}): PictureBox {
  return {
    start_ps: 300 * US,
    end_ps: 320 * US,
    name: 1,
    count: 1,
    busy_ps: 20 * US,
    colour: 0,
    matched: 0,
    ...changes,
  };
}

/** A picture with one box, at the top of the first row, that has edges for intervals to snap to. */
export function aPicture(box: PictureBox | null = aBox(), edges: readonly number[] = []): Picture {
  const rows: readonly PictureRow[] = [
    { track: 'TPU:0/Ops', depth: 0, top_px: 0, height_px: 20 },
    { track: 'TPU:0/Ops', depth: 1, top_px: 20, height_px: 20 },
    { track: 'host/python', depth: 0, top_px: 60, height_px: 20 },
  ];
  return {
    height_px: signal(400),
    rows: () => rows,
    at: (_, y_px) => (y_px < 20 ? { track: 'TPU:0/Ops', depth: 0, at_ps: 310 * US, box } : null),
    edgesNear: () => edges,
    nameOf: () => ({ name: 'dot.1', shown: 'dot.1', ofOps: 'dot.1' }),
    reveal: () => undefined,
  };
}

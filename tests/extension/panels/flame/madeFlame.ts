import type { FlameRecord, FlameRow, ViewAnswer } from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';
import { aWindow } from '../shared/madeExtents';

export const MS = 1_000_000_000;

export function aFlameRow(key: string, parent: string | null, changes: Partial<FlameRow> = {}): FlameRow {
  const self = changes.self_value ?? 0;
  const inclusive = changes.inclusive_value ?? self;
  return {
    key,
    parent,
    kind: 'frame',
    line_key: null,
    function: key,
    path: 'model.py',
    file: '/w/model.py',
    line: 1,
    is_library: false,
    start_ps: 0,
    self_ps: self,
    inclusive_ps: inclusive,
    self_value: self,
    inclusive_value: inclusive,
    phases: inclusive === 0 ? [] : [{ phase: 'forward', value: inclusive }],
    ops: [],
    ...changes,
  };
}

/**
 * 100 ms: `main` (line 1) calls `layer` on line 2 with 60 ms, of which `dot` (line 5) has 50, and `loss` (line 3) with
 * 30 ms, which calls `dot` too, with 10. `dot` ran under `loss` first. 10 ms have no source.
 */
export function flameRows(): readonly FlameRow[] {
  return [
    aFlameRow('main', null, {
      inclusive_value: 90 * MS,
      phases: [
        { phase: 'forward', value: 60 * MS },
        { phase: 'backward', value: 30 * MS },
      ],
      start_ps: MS,
    }),
    aFlameRow('layer', 'main', { line: 2, self_value: 10 * MS, inclusive_value: 60 * MS, start_ps: 5 * MS }),
    aFlameRow('layer/dot', 'layer', {
      function: 'dot',
      line: 5,
      self_value: 50 * MS,
      start_ps: 5 * MS,
      ops: [{ key: '7/fusion.1', name: 'fusion.1', primitive: 'dot_general', phase: 'forward', value: 50 * MS }],
    }),
    aFlameRow('loss', 'main', {
      line: 3,
      self_value: 20 * MS,
      inclusive_value: 30 * MS,
      phases: [{ phase: 'backward', value: 30 * MS }],
      start_ps: MS,
    }),
    aFlameRow('loss/dot', 'loss', {
      function: 'dot',
      line: 5,
      self_value: 10 * MS,
      phases: [{ phase: 'backward', value: 10 * MS }],
      start_ps: MS,
    }),
    aFlameRow('bare', null, {
      kind: 'without-source',
      function: '',
      path: null,
      file: null,
      line: null,
      self_value: 10 * MS,
      phases: [{ phase: 'other', value: 10 * MS }],
      start_ps: 0,
    }),
  ];
}

export function flameRecord(changes: Partial<FlameRecord> = {}): FlameRecord {
  return {
    predicted_for: null,
    predicted_devices: null,
    op_time_ps: 100 * MS,
    measure: 'op-time',
    unit: 'ps',
    total: 100 * MS,
    extent: aWindow(100),
    rows: flameRows(),
    findings: [],
    format_version: 1,
    ...changes,
  };
}

export function flameView(
  changes: Partial<FlameRecord> = {},
  devices: readonly string[] = ['TPU:0'],
): ViewAnswer<FlameRecord> {
  return { run: opened('/runs/a'), devices, hosts: [], record: flameRecord(changes) };
}

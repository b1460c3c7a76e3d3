// What became of rows and nodes, for tests.

import type { ComparedNode, ComparedRow, ComparedTreeRecord, ComparedWith } from '../../../../extension/src/protocol';
import { MS } from './madeOps';

export const someSides: ComparedWith = {
  run: '/runs/a',
  before: ['/runs/b'],
  after: ['/runs/a'],
  since: '3f2a',
  before_title: 'train.py · 12:03',
  after_title: 'train.py · 12:05',
  before_revision: '3f2a1b0c',
  after_revision: null,
  experiment: null,
};

export function aComparedNode(changes: Partial<ComparedNode>): ComparedNode {
  const { before = null, after = null } = changes;
  return {
    key: 'node',
    parent: null,
    depth: 0,
    kind: 'op',
    label: 'dot',
    verdict: before === null ? 'only-after' : after === null ? 'only-before' : 'worse',
    judged_by: 'device-time',
    before,
    after,
    change: (after ?? 0) - (before ?? 0),
    before_self: null,
    after_self: null,
    change_ratio: before === null || after === null ? null : after / before - 1,
    judged_change_ratio: null,
    interval: null,
    visible: null,
    paired_by: before === null || after === null ? null : 'text',
    before_key: null,
    op_key: null,
    path: null,
    file: null,
    line: null,
    function: '',
    category: '',
    primitive: '',
    phase: null,
    ...changes,
  };
}

export function aComparedTree(
  nodes: readonly ComparedNode[],
  changes: Partial<ComparedTreeRecord> = {},
): ComparedTreeRecord {
  const roots = nodes.filter(({ parent }) => parent === null);
  const side = { name: 'run', runs: [], revision: null, script: null, devices: 1, device: '', jax: null };
  return {
    findings: [],
    predicted_for: null,
    predicted_devices: null,
    format_version: 1,
    view: 'op-profile',
    unit: 'ps',
    before: { ...side, step_durations_ps: [] },
    after: { ...side, step_durations_ps: [] },
    rounds: 1,
    has_steps: true,
    is_whole: true,
    total_before: roots.reduce((sum, { before }) => sum + (before ?? 0), 0),
    total_after: roots.reduce((sum, { after }) => sum + (after ?? 0), 0),
    nodes,
    whole: null,
    ...changes,
  };
}

export function aComparedRow(changes: Partial<ComparedRow>): ComparedRow {
  const { before_ps = 10 * MS, after_ps = 12 * MS } = changes;
  return {
    key: 'row',
    kind: 'op',
    label: 'dot',
    path: null,
    file: null,
    line: null,
    function: '',
    before_key: before_ps === null ? null : 'row',
    after_key: after_ps === null ? null : 'row',
    before_path: null,
    before_file: null,
    before_line: null,
    paired_by: 'text',
    verdict: 'worse',
    judged_by: 'device-time',
    phase: null,
    before_ps,
    after_ps,
    change_ps: (after_ps ?? 0) - (before_ps ?? 0),
    change_ratio: null,
    interval_ps: null,
    visible_ps: null,
    interval_cpu_ps: null,
    visible_cpu_ps: null,
    judged_change_ratio: null,
    judged_interval: null,
    visible_ratio: null,
    flops_are_estimated: false,
    controlled: false,
    before_cpu_ps: null,
    after_cpu_ps: null,
    change_cpu_ps: null,
    before_bytes: null,
    after_bytes: null,
    change_bytes: null,
    before_flops: null,
    after_flops: null,
    before_executions: null,
    after_executions: null,
    ...changes,
  };
}

// A comparison by hand: five rounds of a step, of which one line takes longer, one is new and one is gone.

import type {
  ComparedQuantity,
  ComparedRow,
  ComparedWith,
  ComparisonRecord,
  ViewAnswer,
} from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';
import { aComparedRow } from '../shared/madeChanges';
import { MS } from '../shared/madeOps';

export const FILE = '/home/ada/train/train.py';

export const sides: ComparedWith = {
  run: '/runs/a',
  before: ['/runs/before'],
  after: ['/runs/a'],
  since: '3f2a',
  before_title: 'train.py · 2026-03-01 12:03 · 3f2a1b0c',
  after_title: 'train.py · 2026-03-01 12:05 · 77aa1b0c',
  before_revision: '3f2a1b0c',
  after_revision: '77aa1b0c',
  experiment: null,
};

/** A row of a line; what it changed by follows from what it was and is. */
export function aRow(
  line: number,
  before: number | null,
  after: number | null,
  more: Partial<ComparedRow> = {},
): ComparedRow {
  const isThere = after !== null;
  return aComparedRow({
    key: `line ${String(line)}`,
    kind: 'line',
    label: 'block',
    path: 'train.py',
    file: FILE,
    line,
    function: 'block',
    before_key: before === null ? null : `was ${String(line)}`,
    after_key: isThere ? `line ${String(line)}` : null,
    before_path: before === null ? null : 'train.py',
    before_line: before === null ? null : line - 1,
    before_file: before === null ? null : FILE,
    paired_by: before === null || !isThere ? null : 'text',
    verdict: before === null ? 'only-after' : isThere ? 'same' : 'only-before',
    before_ps: before,
    after_ps: after,
    change_ratio: before === null || after === null ? null : after / before - 1,
    visible_ps: before === null || after === null ? null : 0.09 * before,
    visible_ratio: before === null || after === null ? null : 0.09,
    ...more,
  });
}

const rows: readonly ComparedRow[] = [
  aRow(25, 50 * MS, 56 * MS, {
    verdict: 'worse',
    paired_by: 'place',
    interval_ps: [4 * MS, 8 * MS],
    judged_change_ratio: 0.12,
    before_flops: 8e12,
    after_flops: 8.8e12,
  }),
  aRow(31, null, 4 * MS),
  aRow(40, 3 * MS, null),
  aRow(12, 20 * MS, 21 * MS, { verdict: 'cannot-tell', visible_ps: 6 * MS, visible_ratio: 0.3 }),
  aRow(13, 10 * MS, 10 * MS),
  aRow(0, 1 * MS, 1 * MS, {
    key: 'unattributed',
    kind: 'rest',
    label: 'unattributed',
    path: null,
    file: null,
    line: null,
    before_file: null,
    before_line: null,
    function: '',
    after_key: 'unattributed',
    paired_by: 'name',
  }),
];

export function aQuantity(name: ComparedQuantity['name'], values: Partial<ComparedQuantity>): ComparedQuantity {
  const { before = 0, after = 0 } = values;
  return {
    name,
    kind: 'exact',
    unit: 'count',
    before,
    after,
    change: (after ?? 0) - (before ?? 0),
    change_ratio: before === null || before === 0 || after === null ? null : after / before - 1,
    verdict: 'same',
    interval: null,
    visible_ratio: null,
    before_rounds: [],
    after_rounds: [],
    ...values,
  };
}

const quantities: readonly ComparedQuantity[] = [
  aQuantity('step', {
    kind: 'noisy',
    unit: 'ps',
    before: 84 * MS,
    after: 92 * MS,
    verdict: 'cannot-tell',
    visible_ratio: 0.36,
    interval: [-9 * MS, 25 * MS],
  }),
  aQuantity('device-time', { kind: 'steady', unit: 'ps', before: 84 * MS, after: 92 * MS, verdict: 'worse' }),
  aQuantity('flops', { unit: 'flops', before: 8e12, after: 8.8e12, verdict: 'worse' }),
  aQuantity('compilations', { before: 2, after: 2 }),
  aQuantity('planned-peak', { unit: 'bytes', before: 2 ** 31, after: 2 ** 31 - 2 ** 28, verdict: 'better' }),
];

function total(of: (row: ComparedRow) => number | null): number {
  return rows.reduce((sum, row) => sum + (of(row) ?? 0), 0);
}

export function comparisonRecord(values: Partial<ComparisonRecord> = {}): ComparisonRecord {
  const side = {
    script: '/home/ada/train/train.py',
    devices: 4,
    device: 'TPU v6e',
    jax: '0.10.2',
    step_durations_ps: Array.from({ length: 5 }, (_, round) =>
      Array.from({ length: 4 }, (_step, step) => (84 + ((round * 7 + step * 3) % 5)) * MS),
    ),
  };
  return {
    format_version: 1,
    predicted_for: null,
    predicted_devices: null,
    by: 'line',
    before: { ...side, name: 'before', runs: ['/runs/before'], revision: '3f2a1b0c' },
    after: {
      ...side,
      name: 'a',
      runs: ['/runs/a'],
      revision: '77aa1b0c',
      step_durations_ps: side.step_durations_ps.map((steps) => steps.map((each) => each + 8 * MS)),
    },
    rounds: 5,
    has_steps: true,
    is_paired_in_rounds: true,
    rows,
    totals: {
      before_ps: total((row) => row.before_ps),
      after_ps: total((row) => row.after_ps),
      change_ps: total((row) => row.change_ps),
      paired_before_ps: 81 * MS,
      paired_after_ps: 88 * MS,
      only_before_ps: 3 * MS,
      only_after_ps: 4 * MS,
      before_bytes: null,
      after_bytes: null,
      change_bytes: null,
      paired_ratio: 0.96,
    },
    quantities,
    findings: [],
    ...values,
  };
}

export function comparisonView(values: Partial<ComparisonRecord> = {}): ViewAnswer<ComparisonRecord> {
  return { run: opened('/runs/a'), devices: [], hosts: [], record: comparisonRecord(values) };
}

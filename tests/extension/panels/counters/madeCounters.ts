// Counters by hand: two of them over three ops, one of which is shorter than a sample.

import type { CounterRow, CountersRecord, ViewAnswer } from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';

export const MS = 1e9;

export function aRow(key: string, values: Partial<CounterRow> = {}): CounterRow {
  return {
    key,
    name: `${key}.1`,
    primitive: key,
    category: 'convolution fusion',
    path: 'model.py',
    file: '/home/ada/train/model.py',
    line: 48,
    executions: 10,
    op_time_ps: 60 * MS,
    share_ratio: 0.6,
    values: [71.5, 812.4e9],
    sampled_ratio: 1,
    is_short: false,
    ...values,
  };
}

export function countersRecord(values: Partial<CountersRecord> = {}): CountersRecord {
  return {
    predicted_for: null,
    predicted_devices: null,
    findings: [],
    format_version: 1,
    device: null,
    device_names: ['/device:TPU:0'],
    counters: [
      {
        name: 'MXU busy',
        unit: '%',
        mean_busy: 52.1,
        mean: 41,
        least: 0,
        greatest: 93,
        period_ps: 0.1 * MS,
        samples: 2000,
      },
      {
        name: 'HBM read',
        unit: 'B/s',
        mean_busy: 640e9,
        mean: 500e9,
        least: 0,
        greatest: 1.1e12,
        period_ps: 0.1 * MS,
        samples: 2000,
      },
    ],
    rows: [
      aRow('dot_general'),
      aRow('add', { share_ratio: 0.3, op_time_ps: 30 * MS, values: [3.2, 1.02e12], category: 'loop fusion' }),
      aRow('copy', {
        share_ratio: 0.1,
        op_time_ps: 10 * MS,
        values: [null, 12_300],
        is_short: true,
        sampled_ratio: 0.4,
      }),
    ],
    op_time_ps: 100 * MS,
    ...values,
  };
}

export function countersView(values: Partial<CountersRecord> = {}): ViewAnswer<CountersRecord> {
  return { run: opened('/runs/a'), devices: [], hosts: [], record: countersRecord(values) };
}

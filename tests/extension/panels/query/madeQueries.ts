import type { QueryAnswer, QueryOutcome, QuerySchema, ViewAnswer } from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';

export const schema: QuerySchema = {
  tables: [
    {
      name: 'lines',
      sentence: 'The lines of source, as in Hot Lines.',
      for_people: 'lines_ms',
      columns: [
        { name: 'run', kind: 'INTEGER', sentence: 'Which of the opened runs the row is of, from 1.' },
        { name: 'path', kind: 'VARCHAR', sentence: 'The file of the line.' },
        { name: 'line', kind: 'BIGINT', sentence: 'The number of the line, from 1.' },
        { name: 'self_ps', kind: 'BIGINT', sentence: 'The self time of ops whose innermost line of yours it is.' },
      ],
    },
    {
      name: 'devices',
      sentence: 'The devices that programs were recorded on.',
      for_people: null,
      columns: [{ name: 'device_id', kind: 'INTEGER', sentence: 'The number by which other tables name it.' }],
    },
  ],
  examples: [
    { question: 'Ops that take most', query: 'select name, self_ms from ops_ms' },
    {
      question: 'Op time of each step',
      query: 'select step, sum(self_ms) as self_ms from executions_ms group by step',
    },
  ],
  is_installed: true,
  requirement: 'scopelight[sql]',
  findings: [],
  format_version: 1,
};

export function queryView(values: Partial<QuerySchema> = {}): ViewAnswer<QuerySchema> {
  return { run: opened('/runs/a'), devices: [], hosts: [], record: { ...schema, ...values } };
}

export const lines: QueryAnswer = {
  columns: [
    { name: 'path', kind: 'text', unit: null },
    { name: 'line', kind: 'integer', unit: null },
    { name: 'self_ms', kind: 'number', unit: 'ms' },
    { name: 'peak_bytes', kind: 'integer', unit: 'bytes' },
    { name: 'is_shared', kind: 'boolean', unit: null },
  ],
  rows: [
    ['train.py', 12, 21.6, 1048576, true],
    ['model.py', 40, 9.57, 2048, false],
    [null, null, 3.1, null, null],
  ],
  is_cut: false,
  left_out: 0,
  took_ms: 61.2,
  format_version: 1,
};

export const steps: QueryAnswer = {
  ...lines,
  columns: [
    { name: 'step', kind: 'integer', unit: null },
    { name: 'self_ms', kind: 'number', unit: 'ms' },
  ],
  rows: [
    [1, 2.5],
    [2, 2.4],
    [3, null],
    [4, 7.1],
  ],
};

export function outcome(answer: QueryAnswer): QueryOutcome {
  return { answer, why: null, sentence: null, files: { 'train.py': '/home/user/train.py' } };
}

export function refusal(why: QueryOutcome['why'], sentence: string): QueryOutcome {
  return { answer: null, why, sentence, files: {} };
}

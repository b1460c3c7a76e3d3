// Programs by hand: a step that was compiled twice, since its batch changed, and an evaluation that never ran.

import type { CompilationRow, ProgramRow, ProgramsRecord, ViewAnswer } from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';

export const MS = 1e9;
const place = { path: 'train.py', file: '/home/ada/train/train.py', line: 71 };

export function aProgram(key: string, values: Partial<ProgramRow> = {}): ProgramRow {
  return {
    key,
    name: 'jit_train_step',
    function: 'train_step',
    program_id: key,
    variant: 1,
    variants: 1,
    runs: 12,
    runs_per_step: 1,
    time_ps: 300 * MS,
    mean_ps: 25 * MS,
    share_ratio: 0.8,
    compile_ps: 840 * MS,
    peak_bytes: 12 * 2 ** 20,
    instructions: 210,
    arguments: [
      { name: "params['w']", shape: 'f32[512,512]' },
      { name: 'x', shape: 'f32[32,512]' },
    ],
    changed: [],
    ...place,
    ...values,
  };
}

export function aCompilation(cause: CompilationRow['cause'], values: Partial<CompilationRow> = {}): CompilationRow {
  return {
    key: cause,
    function: 'train_step',
    ...place,
    cause,
    count: 1,
    in_steps: 0,
    time_ps: 840 * MS,
    changed: [],
    ...values,
  };
}

const changed = [{ name: 'x', before: 'f32[32,512]', after: 'f32[17,512]' }];

export function programsRecord(values: Partial<ProgramsRecord> = {}): ProgramsRecord {
  return {
    predicted_for: null,
    predicted_devices: null,
    findings: [],
    format_version: 1,
    program_time_ps: 375 * MS,
    compile_ps: 2100 * MS,
    rows: [
      aProgram('11', { variants: 2 }),
      aProgram('12', {
        variant: 2,
        variants: 2,
        runs: 3,
        runs_per_step: 0.25,
        time_ps: 75 * MS,
        share_ratio: 0.2,
        arguments: [
          { name: "params['w']", shape: 'f32[512,512]' },
          { name: 'x', shape: 'f32[17,512]' },
        ],
        changed,
      }),
      aProgram('20', {
        name: 'jit_evaluate',
        function: 'evaluate',
        runs: 0,
        runs_per_step: null,
        time_ps: 0,
        mean_ps: null,
        share_ratio: 0,
        compile_ps: null,
        line: 90,
      }),
    ],
    compilations: [
      aCompilation('first', { count: 2, time_ps: 1260 * MS }),
      aCompilation('argument', { in_steps: 1, changed }),
    ],
    ...values,
  };
}

export function programsView(values: Partial<ProgramsRecord> = {}): ViewAnswer<ProgramsRecord> {
  return { run: opened('/runs/a'), devices: [], hosts: [], record: programsRecord(values) };
}

import type { RunRecord } from '../../../extension/src/protocol';

/** A run of `train.py` that was captured. */
export function aRun(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    path: '/w/.scopelight/20260101-000000-train',
    created: '2026-01-01T00:00:00+00:00',
    script: 'train.py',
    args: [],
    cwd: '/w',
    python: '/venv/bin/python',
    is_module: false,
    state: 'captured',
    failure: null,
    pid: null,
    backend: 'tpu',
    predicted_for: null,
    was_cancelled: false,
    devices: 4,
    device_kind: 'TPU v6e',
    steps: 5,
    exit_code: 0,
    out_of_memory: false,
    error: null,
    size_bytes: 1000,
    pinned: false,
    problem: null,
    sessions: [],
    is_live: false,
    revision: null,
    ...changes,
  };
}

import type { OpenedRun } from '../../../extension/src/protocol';

/** A run that was opened. */
export function opened(path: string, changes: Partial<OpenedRun> = {}): OpenedRun {
  return {
    prediction: [],
    predicted_for: null,
    predicted_by: null,
    path,
    address: null,
    session: null,
    title: 'train.py',
    headline: '5 steps of 32.4 ms',
    short: '32.4 ms/step',
    summary: 'train.py: 5 steps of 32.4 ms. train.py:57 takes 38.2 %.',
    busy_ratio: 0.97,
    hottest: null,
    lines: 3,
    files: [],
    never_ran: false,
    has: ['executions', 'waiting', 'programs', 'memory', 'traces'],
    memory_alone: false,
    out_of_memory: null,
    findings: [],
    ...changes,
  };
}

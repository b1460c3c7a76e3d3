import type { ListedExperiment } from '../../../extension/src/protocol';

/** Five rounds of a script against a commit, unless said otherwise. */
export function anExperiment(changes: Partial<ListedExperiment> = {}): ListedExperiment {
  return {
    path: '/w/.scopelight/train-against-3f2a',
    created: '2026-03-01T12:06:00+00:00',
    script: 'train.py',
    args: [],
    state: 'finished',
    before: { commit: '3f2a1b0c99', subject: '', asked: 'HEAD', dirty: false },
    after: { commit: '77aa1b0c99', subject: '', asked: null, dirty: true },
    rounds: 5,
    rounds_planned: 5,
    problem: null,
    ...changes,
  };
}

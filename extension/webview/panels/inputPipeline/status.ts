// The status line of Input Pipeline: what means are over.

import * as l10n from '@vscode/l10n';
import type { InputRecord } from '../../../src/protocol';
import { count, duration } from '../../shared/text/format';

export function statusParts(record: InputRecord): readonly (string | null)[] {
  const { steady_steps: steady, step_count: steps, window_ps: window } = record;
  return [
    steady === steps
      ? steps === 1
        ? l10n.t('of 1 complete step')
        : l10n.t('mean of {0} complete steps', count(steps))
      : l10n.t('mean of {0} of {1} steps: programs were compiled in the others', count(steady), count(steps)),
    l10n.t('stages in the window of {0}', duration(window)),
    record.queues.length === 0 ? l10n.t('no queue was waited in') : null,
  ];
}

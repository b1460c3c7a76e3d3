// The status line of the Memory Profile: what is shown, and what is left out.

import * as l10n from '@vscode/l10n';
import type { MemoryProfileRecord, MemoryRecord } from '../../../src/protocol';
import { byteSize, count } from '../../shared/text/format';
import { moment } from './words';

export function statusParts(record: MemoryProfileRecord, memory: MemoryRecord | null): readonly (string | null)[] {
  const { snapshots } = record;
  const { trace_ps: trace } = record;
  return [
    memory === null
      ? null
      : l10n.t('{0}: peak of {1} at {2}', memory.name, byteSize(memory.peak_bytes), moment(memory.peak_ps)),
    memory === null
      ? null
      : memory.samples.length < memory.sample_count
        ? l10n.t(
            '{0} of {1} samples are drawn, of neighbours the one with most in use',
            count(memory.samples.length),
            count(memory.sample_count),
          )
        : memory.sample_count === 1
          ? l10n.t('1 sample')
          : l10n.t('{0} samples', count(memory.sample_count)),
    snapshots.length === 0
      ? null
      : snapshots.length === 1
        ? l10n.t('1 snapshot')
        : l10n.t('{0} snapshots', count(snapshots.length)),
    trace === null || trace === 0
      ? null
      : l10n.t('times count from the first sample, the trace begins at {0}', moment(trace)),
  ];
}

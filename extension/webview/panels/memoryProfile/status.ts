// The status line of the Memory Profile: what is shown, and what is left out.

import * as l10n from '@vscode/l10n';
import type { MemoryProfileRecord, MemoryRecord } from '../../../src/protocol';
import { byteSize, count } from '../../shared/text/format';
import { moment } from './words';

export function statusParts(record: MemoryProfileRecord, memory: MemoryRecord | null): readonly (string | null)[] {
  const { snapshots, trace_ps: trace } = record;
  return [
    ...(memory === null ? [] : memoryParts(memory)),
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

function memoryParts({ name, peak_bytes, peak_ps, samples, sample_count: all }: MemoryRecord): readonly string[] {
  return [
    l10n.t('{0}: peak of {1} at {2}', name, byteSize(peak_bytes), moment(peak_ps)),
    samples.length < all
      ? l10n.t(
          '{0} of {1} samples are drawn, of neighbours the one with most in use',
          count(samples.length),
          count(all),
        )
      : all === 1
        ? l10n.t('1 sample')
        : l10n.t('{0} samples', count(all)),
  ];
}

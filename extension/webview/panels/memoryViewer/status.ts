// The status line of the Memory Viewer: what is shown, what is filtered out, how long it took.

import * as l10n from '@vscode/l10n';
import type { MemoryViewerRecord } from '../../../src/protocol';
import { byteSize, count, duration } from '../../shared/text/format';
import { estimateMark } from './buffers';
import { isPoint } from './curveData';

export function statusText(
  record: MemoryViewerRecord,
  found: { readonly shown: number; readonly all: number; readonly search: string },
  took_ms: number | null,
): string {
  const { buffers, lifetimes, timeline } = record;
  const atPeak = buffers.reduce((sum, buffer) => sum + buffer.count, 0);
  const words = found.search.trim();
  const parts = [
    words === '' ? null : l10n.t('{0} of {1} rows have “{2}”', count(found.shown), count(found.all), words),
    l10n.t(
      '{0} of {1} buffers are in {2} at the peak of {3}',
      count(atPeak),
      count(lifetimes.id.length),
      record.memory_space_name,
      `${estimateMark(record)}${byteSize(record.peak_bytes ?? 0)}`,
    ),
    isPoint(timeline) ? null : l10n.t('{0} positions', count(timeline.bytes.length - 1)),
    buffers.some((buffer) => buffer.count > 1)
      ? l10n.t('buffers below {0} are put together', byteSize(record.small_bytes))
      : null,
    took_ms === null ? null : l10n.t('read in {0}', duration(took_ms * 1e9)),
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

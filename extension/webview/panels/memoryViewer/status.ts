// The status line of the Memory Viewer: what is shown, and what is filtered out.

import * as l10n from '@vscode/l10n';
import type { MemoryViewerRecord } from '../../../src/protocol';
import { foundText } from '../../shared/frame/status';
import { byteSize, count } from '../../shared/text/format';
import { estimateMark } from './buffers';
import { isPoint } from './curveData';

export function statusParts(
  record: MemoryViewerRecord,
  found: { readonly shown: number; readonly all: number; readonly search: string },
): readonly (string | null)[] {
  const { buffers, lifetimes, timeline } = record;
  const atPeak = buffers.reduce((sum, buffer) => sum + buffer.count, 0);
  return [
    foundText(found.search, found.shown, found.all),
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
  ];
}

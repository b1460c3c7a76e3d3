// The head of the Memory Viewer: the program's sums, each with what it is a part of.

import * as l10n from '@vscode/l10n';
import type { MemoryViewerRecord } from '../../../src/protocol';
import { type Figure, quantityFigure } from '../../shared/frame/figures';
import { byteSize, capacitySize, count, share } from '../../shared/text/format';
import { BYTES } from '../../shared/text/quantities';
import { capacityMeaning, estimateMark } from './buffers';
import { isLevel } from './curveData';

/** Smaller parts of the peak are among the details only. */
const WORTH_SAYING = 0.01;

export function figures(record: MemoryViewerRecord): readonly (Figure | null)[] {
  const { totals, peak_bytes: peak, peak_unpadded_bytes: unpadded } = record;
  const mark = estimateMark(record);
  const figure = (name: string, bytes: number | null, of: string, meaning = ''): Figure =>
    quantityFigure(name, BYTES, bytes, of, { mark, meaning });
  const capacity = totals?.capacity_bytes ?? null;
  const worthSaying_bytes = Math.max(1, (peak ?? 0) * WORTH_SAYING);
  return [
    figure(
      l10n.t('Peak'),
      peak,
      peak === null
        ? ''
        : capacity === null
          ? peakPlace(record)
          : l10n.t('{0} of {1}', share(peak / capacity), capacitySize(capacity)),
      capacityMeaning(totals?.capacity_basis ?? null),
    ),
    figure(
      l10n.t('Peak unpadded'),
      unpadded,
      peak === null || unpadded === null
        ? ''
        : peak === unpadded
          ? l10n.t('no padding')
          : l10n.t('padding {0} ({1})', byteSize(peak - unpadded), share((peak - unpadded) / Math.max(1, peak))),
    ),
    ...(totals === null
      ? []
      : [
          figure(l10n.t('Arguments'), totals.argument_bytes, l10n.t('there throughout')),
          figure(
            l10n.t('Outputs'),
            totals.output_bytes,
            totals.alias_bytes === 0
              ? l10n.t('no argument reused')
              : l10n.t('{0} of it in arguments', byteSize(totals.alias_bytes)),
          ),
          figure(
            l10n.t('Temporaries'),
            totals.temporary_bytes,
            l10n.t('{0} in use at the peak', byteSize(totals.temporary_without_fragmentation_bytes)),
          ),
          totals.fragmentation_ratio === null
            ? null
            : {
                name: l10n.t('Fragmentation'),
                text: share(totals.fragmentation_ratio),
                of: l10n.t('of the temporaries'),
                exact: l10n.t('The part of the allocations of temporaries that is not in use at the peak'),
              },
          totals.constant_bytes < worthSaying_bytes
            ? null
            : figure(l10n.t('Constants'), totals.constant_bytes, l10n.t('there throughout')),
          totals.thread_local_bytes < worthSaying_bytes
            ? null
            : figure(l10n.t('Thread-local'), totals.thread_local_bytes, l10n.t('not in the curve')),
          (totals.stack_bytes ?? 0) === 0
            ? null
            : figure(l10n.t('Stack'), totals.stack_bytes, l10n.t('the most of one op')),
        ]),
  ];
}

function peakPlace({ peak_position: position, timeline }: MemoryViewerRecord): string {
  if (position !== null) {
    return l10n.t('at program position {0}', count(position));
  }
  return isLevel(timeline) ? l10n.t('there throughout') : l10n.t('before all steps');
}

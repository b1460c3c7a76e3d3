// The head of the Memory Profile: the peak of the memory that is shown, and what it is of.

import * as l10n from '@vscode/l10n';
import type { MemoryRecord } from '../../../src/protocol';
import { type Figure, quantityFigure } from '../../shared/frame/figures';
import { byteSize, count, exactDuration, share } from '../../shared/text/format';
import { BYTES } from '../../shared/text/quantities';
import type { SampleColumns } from './samples';
import { moment, sourceText } from './words';

export function figures(memory: MemoryRecord, { samples, peak }: SampleColumns): readonly (Figure | null)[] {
  const { capacity_bytes: capacity, lifetime_peak_bytes: lifetime, window_peak_bytes: inWindow } = memory;
  const sample = samples[peak];
  const fragmentation = sample?.fragmentation_ratio ?? null;
  const bytes = (name: string, amount: number | null, of: string): Figure => quantityFigure(name, BYTES, amount, of);
  return [
    bytes(
      l10n.t('Peak'),
      memory.peak_bytes,
      capacity === null
        ? l10n.t('of what is shown')
        : l10n.t('{0} of {1}', share(memory.peak_bytes / capacity), byteSize(capacity)),
    ),
    {
      name: l10n.t('At'),
      text: moment(memory.peak_ps),
      of: sample?.step === undefined || sample.step === null ? '' : l10n.t('step {0}', sample.step),
      exact: exactDuration(memory.peak_ps),
    },
    sample === undefined || sample.stack_bytes === null
      ? null
      : bytes(l10n.t('Stack'), sample.stack_bytes, l10n.t('at the peak')),
    sample === undefined || sample.free_bytes === null
      ? null
      : bytes(l10n.t('Free'), sample.free_bytes, l10n.t('at the peak')),
    fragmentation === null
      ? null
      : {
          name: l10n.t('Fragmentation'),
          text: share(fragmentation),
          of: l10n.t('at the peak'),
          exact: l10n.t('The part of what is free that is not in its largest piece'),
        },
    // Where every allocation was recorded, all that is shown is of the window.
    memory.source === 'allocator events'
      ? null
      : bytes(
          l10n.t('Peak in the window'),
          inWindow,
          memory.window_peak_ps === null ? l10n.t('no sample in it') : l10n.t('at {0}', moment(memory.window_peak_ps)),
        ),
    lifetime === null ? null : bytes(l10n.t('Lifetime peak'), lifetime, l10n.t('since the process began')),
    { name: l10n.t('Samples'), text: count(memory.sample_count), of: sourceText(memory.source), exact: '' },
  ];
}

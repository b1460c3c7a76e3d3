// The status line of Step Trace: what its means are over, and how the steps were found.

import * as l10n from '@vscode/l10n';
import type { StepTraceRecord } from '../../../src/protocol';
import { alikeText } from '../../shared/op/extent';
import { count } from '../../shared/text/format';

export function statusParts(record: StepTraceRecord): readonly (string | null)[] {
  const { rows, device, device_names: devices, collectives } = record;
  return [
    rows.length === 1 ? l10n.t('1 complete step') : l10n.t('{0} complete steps', count(rows.length)),
    record.steps_source === null ? null : sourceText(record.steps_source),
    device ??
      alikeText(record) ??
      (devices.length === 1 ? l10n.t('1 device') : l10n.t('mean of {0} devices', count(devices.length))),
    collectives.length === 0
      ? l10n.t('no collectives')
      : collectives.length === 1
        ? l10n.t('1 collective')
        : l10n.t('{0} collectives', count(collectives.length)),
  ];
}

function sourceText(source: string): string {
  switch (source) {
    case 'annotation':
      return l10n.t('annotated by the script');
    case 'recorded':
      return l10n.t('recorded by the profiler');
    case 'repetition':
      return l10n.t('found by what repeats');
    default:
      return source;
  }
}

// The status line of Overview: what its figures are over.

import * as l10n from '@vscode/l10n';
import type { OverviewRecord } from '../../../src/protocol';
import { alikeText } from '../../shared/op/extent';
import { count } from '../../shared/text/format';

export function statusParts(record: OverviewRecord): readonly (string | null)[] {
  const { steps, device_names: devices, device } = record;
  const outliers = steps.filter(({ is_outlier: isOutlier }) => isOutlier).length;
  const compiling = steps.filter(({ is_steady: isSteady }) => !isSteady).length;
  return [
    steps.length === 0
      ? l10n.t('no complete step')
      : steps.length === 1
        ? l10n.t('1 complete step')
        : l10n.t('{0} complete steps', count(steps.length)),
    device ??
      alikeText(record) ??
      (devices.length === 1 ? l10n.t('1 device') : l10n.t('{0} devices', count(devices.length))),
    outliers === 0 ? null : l10n.t('{0} much longer or shorter than most', count(outliers)),
    compiling === 0 ? null : l10n.t('programs were compiled in {0}', count(compiling)),
  ];
}

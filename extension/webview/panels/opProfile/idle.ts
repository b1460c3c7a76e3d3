// Idle time in words, with what it is a share of: Hot Lines says how busy complete steps were, which is another whole.

import * as l10n from '@vscode/l10n';
import type { OpProfileRecord } from '../../../src/protocol';
import { extentTime } from '../../shared/op/extent';
import { share } from '../../shared/text/format';

/** The whole that idle time is of, in as many words as fit a cell: `of the whole profile`. */
export function idleWhole({ extent }: OpProfileRecord): string {
  return extent.kind === 'steps' ? l10n.t('of complete steps') : l10n.t('of the whole profile');
}

/** `19.7 % of the whole profile, 0.0 % of its complete steps`. */
export function idleText({ extent, idle_ps, idle_in_steps_ratio: inSteps }: OpProfileRecord): string {
  const ofExtent = share(idle_ps / Math.max(1, extentTime(extent)));
  if (extent.kind === 'steps') {
    return l10n.t('{0} of the complete steps', ofExtent);
  }
  return inSteps === null
    ? l10n.t('{0} of the whole profile', ofExtent)
    : l10n.t('{0} of the whole profile, {1} of its complete steps', ofExtent, share(inSteps));
}

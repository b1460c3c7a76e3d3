// The status line of the Op Profile: what is shown, and what is filtered out.

import * as l10n from '@vscode/l10n';
import type { OpProfileRecord } from '../../../src/protocol';
import { foundText } from '../../shared/frame/status';
import { opTimeText } from '../../shared/op/extent';
import { duration } from '../../shared/text/format';
import { idleText } from './idle';

export function statusParts(
  record: OpProfileRecord,
  ops: number,
  searched: { readonly search: string; readonly found: number },
  withIdle: boolean,
): readonly (string | null)[] {
  const idle = [duration(record.idle_ps), idleText(record)] as const;
  return [
    foundText(searched.search, searched.found),
    opTimeText(ops, record),
    record.idle_ps === 0
      ? null
      : withIdle
        ? l10n.t('{0} idle: {1}', ...idle)
        : l10n.t('{0} idle excluded: {1}', ...idle),
  ];
}

// The status line of the Op Profile: what is shown, and what is filtered out.

import * as l10n from '@vscode/l10n';
import type { OpProfileRecord } from '../../../src/protocol';
import { foundText } from '../../shared/frame/status';
import { opTimeText } from '../../shared/op/extent';
import { count } from '../../shared/text/format';
import { idleStatus } from './idle';
import type { ProfileTree } from './tree';

export function statusParts(
  record: OpProfileRecord,
  { ops, opRows }: Pick<ProfileTree, 'ops' | 'opRows'>,
  searched: { readonly search: string; readonly found: number },
  withIdle: boolean,
): readonly (string | null)[] {
  return [
    foundText(searched.search, searched.found),
    opTimeText(ops, record),
    opRows === ops ? null : l10n.t('in {0} rows, as lines share ops', count(opRows)),
    idleStatus(record, withIdle),
  ];
}

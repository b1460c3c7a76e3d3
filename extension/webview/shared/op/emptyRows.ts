// Why a panel of ops has nothing to show.

import type { EmptyRecord } from '../page/recordView';

/** The record's own reason and remedy where it has no rows, or `otherwise`; null where it has some. */
export function emptyRows(
  record: { readonly rows: readonly unknown[]; readonly reason: string | null; readonly remedy: string | null },
  otherwise: string,
): EmptyRecord | null {
  return record.rows.length > 0 ? null : { reason: record.reason ?? otherwise, remedy: record.remedy };
}

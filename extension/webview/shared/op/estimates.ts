// Times of which a prediction knows none: those of kernels, sorts and copies beside other ops.

import * as l10n from '@vscode/l10n';

/** The self time of a row; null where it is not known. */
export function knownTime<Time extends number | null>(row: {
  readonly self_ps: Time;
  readonly has_estimate: boolean;
}): Time | null {
  return row.has_estimate ? row.self_ps : null;
}

/** Why it is not known. */
export function noEstimate(row: { readonly has_estimate: boolean }): string {
  return row.has_estimate ? l10n.t('unknown') : l10n.t('There is no estimate of how long it takes.');
}

// Findings as the daemon sends them.

import type { Finding, Severity } from '../../../../extension/src/protocol';

/** A finding that says `text`. */
export function aFinding(severity: Severity, text: string, more: Partial<Finding> = {}): Finding {
  return { code: 'made', severity, values: {}, evidence: [], action: null, text, remedy: '', ...more };
}

/** Why there is nothing to show. */
export function anEmpty(text: string, remedy = ''): readonly Finding[] {
  return [aFinding('empty', text, { remedy })];
}

/** Why no rate is held against a peak. */
export function noUtilisation(text: string, remedy = ''): readonly Finding[] {
  return [aFinding('warning', text, { code: 'utilisation-unknown', remedy })];
}

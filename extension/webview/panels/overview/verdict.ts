// What a predicted run does not tell, what the TPU refuses, and whether it fits into memory: said before all figures.

import type { Finding } from '../../../src/protocol';

const VERDICTS = new Set([
  'prediction-cancelled',
  'prediction-refused-ops',
  'prediction-without-programs',
  'does-not-fit-target',
  'fits-target',
]);

/** Whether a finding is one of those that are said first. */
export function isVerdict({ code }: Finding): boolean {
  return VERDICTS.has(code);
}

/** Whether a finding says that something is wrong: that it does not fit, was refused or not compiled. */
export function isAdverse(finding: Finding): boolean {
  return isVerdict(finding) && finding.severity !== 'note';
}

// Whether a predicted run fits into the memory of what it was predicted for: said before all figures.

import type { Finding } from '../../../src/protocol';

/** Whether a finding says that it fits, or does not. */
export function isVerdict({ code }: Finding): boolean {
  return code === 'does-not-fit-target' || code === 'fits-target';
}

import { inject } from 'vitest';
import type { Prepared } from './packaged.js';

/** What is prepared for the worker that asks. */
export function prepared(): Prepared {
  const worker = Number(process.env['VITEST_POOL_ID']);
  const own = inject('prepared')[worker - 1];
  if (own === undefined) {
    throw new Error(`Nothing was prepared for worker ${worker}.`);
  }
  return own;
}

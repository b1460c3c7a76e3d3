// What scripts that measure are given: a folder for as long as they run, and the profile that their command names.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Measures with a folder that is gone afterwards. */
export async function inFolder(measure: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'scopelight-bench-'));
  try {
    await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The profile that the command names. */
export function namedProfile(): string {
  const profile = process.argv[2];
  if (profile === undefined) {
    throw new Error('Name the profile to open.');
  }
  return path.resolve(profile);
}

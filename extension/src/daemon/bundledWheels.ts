import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The daemon as it comes with the extension: its wheels, and the exact versions of the libraries that it needs. */
export interface BundledWheels {
  readonly version: string;
  /** Of the daemon, and of what it puts into scripts. */
  readonly wheels: readonly string[];
  readonly constraints: string;
}

export function bundledWheels(extensionPath: string, version: string): BundledWheels {
  const dist = path.join(extensionPath, 'extension', 'dist');
  return {
    version,
    wheels: ['scopelight', 'scopelight_agent'].map((name) => path.join(dist, `${name}-${version}-py3-none-any.whl`)),
    constraints: path.join(dist, 'constraints.txt'),
  };
}

/** A sum over what an environment is made from: an environment with another sum is out of date. */
export async function fingerprint(bundled: BundledWheels): Promise<string> {
  const sum = createHash('sha256');
  for (const file of [...bundled.wheels, bundled.constraints]) sum.update(await readFile(file));
  return sum.digest('hex');
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The daemon as it comes with the extension: its wheel, and the exact versions of the libraries that it needs. */
export interface BundledWheel {
  readonly version: string;
  readonly wheel: string;
  readonly constraints: string;
}

export function bundledWheel(extensionPath: string, version: string): BundledWheel {
  const dist = path.join(extensionPath, 'extension', 'dist');
  return {
    version,
    wheel: path.join(dist, `scopelight-${version}-py3-none-any.whl`),
    constraints: path.join(dist, 'constraints.txt'),
  };
}

/** A sum over what an environment is made from: an environment with another sum is out of date. */
export async function fingerprint(bundled: BundledWheel): Promise<string> {
  const sum = createHash('sha256');
  for (const file of [bundled.wheel, bundled.constraints]) sum.update(await readFile(file));
  return sum.digest('hex');
}

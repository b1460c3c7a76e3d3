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
  return {
    version,
    wheels: [wheel(extensionPath, 'scopelight', version), bundledAgent(extensionPath, version)],
    constraints: path.join(distFolder(extensionPath), 'constraints.txt'),
  };
}

/** The wheel of what the daemon puts into scripts; Python imports from it as it is. */
export function bundledAgent(extensionPath: string, version: string): string {
  return wheel(extensionPath, 'scopelight_agent', version);
}

function wheel(extensionPath: string, name: string, version: string): string {
  return path.join(distFolder(extensionPath), `${name}-${version}-py3-none-any.whl`);
}

function distFolder(extensionPath: string): string {
  return path.join(extensionPath, 'extension', 'dist');
}

/** A sum over what an environment is made from: an environment with another sum is out of date. */
export async function fingerprint(bundled: BundledWheels): Promise<string> {
  const sum = createHash('sha256');
  for (const file of [...bundled.wheels, bundled.constraints]) sum.update(await readFile(file));
  return sum.digest('hex');
}

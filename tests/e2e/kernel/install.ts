import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { root } from '../development.js';

const SOURCE = path.join(root, 'tests/e2e/kernel');

/** Puts an extension that runs cells of notebooks by a real kernel into a folder of extensions. */
export function installKernel(extensionsFolder: string): void {
  const folder = path.join(extensionsFolder, 'scopelight-tests.kernel-0.0.1');
  mkdirSync(folder);
  for (const each of ['package.json', 'kernel.py']) {
    copyFileSync(path.join(SOURCE, each), path.join(folder, each));
  }
  buildSync({
    entryPoints: [path.join(SOURCE, 'main.ts')],
    outfile: path.join(folder, 'main.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    logLevel: 'warning',
  });
}

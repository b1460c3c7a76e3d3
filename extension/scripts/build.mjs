// Bundles the extension host and every panel's page into extension/dist. With --watch, again on every change.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { build, context } from 'esbuild';

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const root = path.dirname(extension);
const dist = path.join(extension, 'dist');
const webview = path.join(extension, 'webview');
const watch = process.argv.includes('--watch');

// A folder of webview/ with an index.tsx is a panel; its page is dist/webview/NAME.js and NAME.css.
const panels = readdirSync(webview, { withFileTypes: true })
  .filter((each) => each.isDirectory() && existsSync(path.join(webview, each.name, 'index.tsx')))
  .map((each) => each.name);

rmSync(dist, { recursive: true, force: true });
mkdirSync(path.join(dist, 'webview'), { recursive: true });
for (const file of ['codicon.css', 'codicon.ttf']) {
  copyFileSync(path.join(root, 'node_modules/@vscode/codicons/dist', file), path.join(dist, 'webview', file));
}

const common = { bundle: true, sourcemap: true, minify: !watch, logLevel: 'warning', legalComments: 'none' };
const host = {
  ...common,
  entryPoints: [path.join(extension, 'src/main.ts')],
  outfile: path.join(dist, 'main.js'),
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
};
const pages = {
  ...common,
  entryPoints: Object.fromEntries(panels.map((name) => [name, path.join(webview, name, 'index.tsx')])),
  outdir: path.join(dist, 'webview'),
  platform: 'browser',
  target: 'chrome132',
  format: 'iife',
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

if (watch) {
  await Promise.all([host, pages].map(async (options) => (await context(options)).watch()));
} else {
  await Promise.all([build(host), build(pages)]);
}

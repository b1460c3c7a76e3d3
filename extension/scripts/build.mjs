// Bundles the extension host and every panel's page into extension/dist, and all of them into the pages of reports. With
// --watch the former again on every change.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { build, context } from 'esbuild';
import { buildReport } from './build_report.mjs';
import { readManifests } from './generate_panels.mjs';
import { workersAsText } from './workers_as_text.mjs';

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const root = path.dirname(extension);
const dist = path.join(extension, 'dist');
const webview = path.join(extension, 'webview/panels');
const watch = process.argv.includes('--watch');

// VS Code's own colours of icons, for pictures that cannot take the theme's.
const ICON_COLOURS = { light: '#424242', dark: '#c5c5c5' };

const panels = await readManifests();

rmSync(dist, { recursive: true, force: true });
mkdirSync(path.join(dist, 'webview'), { recursive: true });
for (const file of ['codicon.css', 'codicon.ttf']) {
  copyFileSync(path.join(root, 'node_modules/@vscode/codicons/dist', file), path.join(dist, 'webview', file));
}

mkdirSync(path.join(dist, 'webview/icons'));
for (const [id, { icon }] of [...panels, ['monitor', { icon: 'pulse' }]]) {
  const picture = readFileSync(path.join(root, `node_modules/@vscode/codicons/src/icons/${icon}.svg`), 'utf8');
  for (const [kind, colour] of Object.entries(ICON_COLOURS)) {
    writeFileSync(path.join(dist, `webview/icons/${id}-${kind}.svg`), picture.replaceAll('currentColor', colour));
  }
}

const common = { bundle: true, sourcemap: true, minify: !watch, logLevel: 'warning', legalComments: 'none' };
const node = { ...common, platform: 'node', target: 'node20', format: 'cjs', external: ['vscode'] };
// The client of the language server is most of the code and not needed to activate: it is read when the daemon starts.
const client = {
  ...node,
  entryPoints: ['vscode-languageclient/node'],
  absWorkingDir: root,
  outfile: path.join(dist, 'languageclient.js'),
};
const clientApart = {
  name: 'language client apart',
  setup(each) {
    each.onResolve({ filter: /^vscode-languageclient\/node$/ }, () => ({
      path: './languageclient.js',
      external: true,
    }));
  },
};
// Each module's `import * as vscode` copies the whole API to itself when it is read. They share one copy.
const oneApi = {
  name: 'one copy of the API',
  setup(each) {
    each.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'api' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'api' },
    );
    each.onLoad({ filter: /.*/, namespace: 'api' }, () => ({ contents: "export * from 'vscode';" }));
  },
};
const host = {
  ...node,
  entryPoints: [path.join(extension, 'src/main.ts')],
  outfile: path.join(dist, 'main.js'),
  plugins: [clientApart, oneApi],
};
// A panel's page is dist/webview/ID.js and ID.css.
const pages = {
  ...common,
  entryPoints: {
    ...Object.fromEntries([...panels.keys()].map((id) => [id, path.join(webview, id, 'index.tsx')])),
    // A page of a job, not of a run.
    monitor: path.join(extension, 'webview/monitor/index.tsx'),
  },
  outdir: path.join(dist, 'webview'),
  platform: 'browser',
  target: 'chrome132',
  format: 'iife',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  plugins: [workersAsText],
};

if (watch) {
  await Promise.all([host, client, pages].map(async (options) => (await context(options)).watch()));
} else {
  await Promise.all([build(host), build(client), build(pages), buildReport([...panels.keys()])]);
}

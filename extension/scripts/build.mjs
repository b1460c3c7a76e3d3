// Bundles the extension host and every panel's page into extension/dist. With --watch, again on every change.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { build, context } from 'esbuild';

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const root = path.dirname(extension);
const dist = path.join(extension, 'dist');
const webview = path.join(extension, 'webview/panels');
const watch = process.argv.includes('--watch');

// VS Code's own colours of icons, for pictures that cannot take the theme's.
const ICON_COLOURS = { light: '#424242', dark: '#c5c5c5' };

// A folder of webview/panels/ with an index.tsx is a panel; its page is dist/webview/NAME.js and NAME.css.
const panels = readdirSync(webview, { withFileTypes: true })
  .filter((each) => each.isDirectory() && existsSync(path.join(webview, each.name, 'index.tsx')))
  .map((each) => each.name);

rmSync(dist, { recursive: true, force: true });
mkdirSync(path.join(dist, 'webview'), { recursive: true });
for (const file of ['codicon.css', 'codicon.ttf']) {
  copyFileSync(path.join(root, 'node_modules/@vscode/codicons/dist', file), path.join(dist, 'webview', file));
}

const described = await registry();
for (const name of panels) {
  const icon = described[name]?.icon;
  if (icon === undefined) {
    throw new Error(`extension/webview/panels/${name} is a panel that extension/src/panels/registry.ts does not list`);
  }
  const picture = readFileSync(path.join(root, `node_modules/@vscode/codicons/src/icons/${icon}.svg`), 'utf8');
  mkdirSync(path.join(dist, 'webview/icons'), { recursive: true });
  for (const [kind, colour] of Object.entries(ICON_COLOURS)) {
    writeFileSync(path.join(dist, `webview/icons/${name}-${kind}.svg`), picture.replaceAll('currentColor', colour));
  }
}

/** The registry of panels as the extension has it; reading it needs no editor. */
async function registry() {
  const outside = {
    name: 'without the editor',
    setup(each) {
      each.onResolve({ filter: /^vscode$/ }, (found) => ({ path: found.path, namespace: 'none' }));
      each.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export const l10n = undefined;' }));
    },
  };
  const source = path.join(extension, 'src/panels/registry.ts');
  const bundled = await build({ entryPoints: [source], bundle: true, write: false, format: 'esm', plugins: [outside] });
  const { panels } = await import(
    `data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].contents).toString('base64')}`
  );
  return panels;
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
  await Promise.all([host, client, pages].map(async (options) => (await context(options)).watch()));
} else {
  await Promise.all([build(host), build(client), build(pages)]);
}

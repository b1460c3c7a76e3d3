// Builds the pages of reports into one document without anything in them, which the daemon puts what it holds into:
// daemon/scopelight/server/sharing/pages.html.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const root = path.dirname(extension);
const document = path.join(root, 'daemon/scopelight/server/sharing/pages.html');
const codicons = path.join(root, 'node_modules/@vscode/codicons/dist');

// In an editor each page has a document of its own. Here the style sheet of a panel is for that panel alone.
const sheetsOfPanels = {
  name: 'style sheets of panels',
  setup(each) {
    each.onLoad({ filter: /webview[\\/]panels[\\/].*\.css$/ }, ({ path: file }) => {
      const [, panel] = /panels[\\/](\w+)[\\/]/.exec(file);
      const lines = readFileSync(file, 'utf8').split('\n');
      const isImport = (line) => line.startsWith('@import ');
      const own = lines.filter((line) => !isImport(line)).join('\n');
      const contents = `${lines.filter(isImport).join('\n')}\n[data-panel='${panel}'] {\n${own}\n}`;
      return { contents, loader: 'css', resolveDir: path.dirname(file) };
    });
  },
};

/** The signs of the icons, in the document itself. */
function icons() {
  const font = readFileSync(path.join(codicons, 'codicon.ttf')).toString('base64');
  return readFileSync(path.join(codicons, 'codicon.css'), 'utf8').replace(
    /url\("\.\/codicon\.ttf[^"]*"\)/,
    `url("data:font/ttf;base64,${font}")`,
  );
}

/** Writes the document. */
export async function buildReport() {
  const { outputFiles } = await build({
    entryPoints: [path.join(extension, 'webview/report/index.tsx')],
    plugins: [sheetsOfPanels],
    bundle: true,
    minify: true,
    write: false,
    outdir: 'report',
    platform: 'browser',
    // Whoever gets a report has any browser.
    target: ['chrome111', 'safari16.4', 'firefox113'],
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const contents = (ending) => outputFiles.find((file) => file.path.endsWith(ending)).text;
  const script = contents('.js').replaceAll('</script', '<\\/script');
  const style = `${icons()}\n${contents('.css')}`.replaceAll('</style', '<\\/style');
  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = [
    `default-src 'none'`,
    `style-src ${hash(style)} blob:`,
    `font-src data:`,
    `script-src ${hash(script)}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  writeFileSync(
    document,
    `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Scopelight</title>
<style>${style}</style>
</head>
<body data-place="editor">
<div id="page"></div>
<script id="held" type="application/gzip"></script>
<script>${script}</script>
</body>
</html>
`,
  );
}

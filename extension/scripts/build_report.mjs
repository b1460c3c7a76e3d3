// Builds the pages of reports into one document without anything in them, which the daemon puts what it holds into:
// daemon/scopelight/server/sharing/pages.html.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { workersAsText } from './workers_as_text.mjs';

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const root = path.dirname(extension);
const webview = path.join(extension, 'webview');
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

// Where an editor's page mounts itself, a report's is kept until a reader goes to it.
const pagesAreKept = {
  name: 'pages are kept',
  setup(each) {
    each.onResolve({ filter: /page\/mount$/ }, ({ importer }) => {
      const [, panel] = /panels[\\/](\w+)[\\/]index\.tsx$/.exec(importer);
      return { path: panel, namespace: 'kept' };
    });
    each.onLoad({ filter: /.*/, namespace: 'kept' }, ({ path: panel }) => ({
      contents: `import { keepPage } from './mounted';
        export const mount = (content) => keepPage('${panel}', content);`,
      resolveDir: path.join(webview, 'report'),
    }));
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

/** Writes the document, with the pages of those panels. */
export async function buildReport(panels) {
  const entries = [...panels.map((id) => `./panels/${id}/index`), './report/index'];
  const { outputFiles } = await build({
    stdin: { contents: entries.map((entry) => `import '${entry}';`).join('\n'), resolveDir: webview },
    plugins: [sheetsOfPanels, pagesAreKept, workersAsText],
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
  mkdirSync(path.dirname(document), { recursive: true });
  writeFileSync(
    document,
    `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>__TITLE__</title>
<style>${style}</style>
</head>
<body data-place="editor">
<div id="page"></div>
<script id="held" type="application/gzip">__HELD__</script>
<script>${script}</script>
</body>
</html>
`,
  );
}

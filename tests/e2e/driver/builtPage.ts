import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../development.js';

/** For pages that draw on a plain canvas. */
export const plain = ['--disable-gpu', '--disable-software-rasterizer'];
/** For pages that draw with WebGL2, where no graphics card is. */
export const emulated = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/**
 * Bundles a page with its style sheet into a folder, beside a document with an element `page`; says the address.
 * `style` is more of the sheet: colours and fonts, as an editor gives them.
 */
export async function builtPage(entry: string, folder: string, style = ''): Promise<string> {
  const name = path.basename(entry).replace(/\.tsx$/, '');
  await build({
    entryPoints: [path.join(root, entry)],
    bundle: true,
    minify: true,
    outdir: folder,
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  const icons = pathToFileURL(path.join(root, 'node_modules/@vscode/codicons/dist/codicon.css')).href;
  const document = path.join(folder, `${name}.html`);
  writeFileSync(
    document,
    [
      '<!DOCTYPE html><meta charset="utf-8">',
      `<link rel="stylesheet" id="vscode-codicon-stylesheet" href="${icons}">`,
      `<link rel="stylesheet" href="${name}.css">`,
      `<style>${style}</style>`,
      `<div id="page"></div><script src="${name}.js"></script>`,
    ].join('\n'),
  );
  return pathToFileURL(document).href;
}

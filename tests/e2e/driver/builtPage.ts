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
  return pageDocument(await bundledPage(path.join(root, entry), folder), style);
}

/** The script of a page, with its style sheet beside it: where it is without the ending of its name. */
export async function bundledPage(entry: string, folder: string): Promise<string> {
  const name = path.basename(entry).replace(/\.tsx$/, '');
  await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    outdir: folder,
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  return path.join(folder, name);
}

/** Writes a document that shows a bundled page; says the address. Of documents of one page each has its own `name`. */
export function pageDocument(bundle: string, style: string, name = path.basename(bundle)): string {
  const icons = pathToFileURL(path.join(root, 'node_modules/@vscode/codicons/dist/codicon.css')).href;
  const document = path.join(path.dirname(bundle), `${name}.html`);
  const own = path.basename(bundle);
  writeFileSync(
    document,
    [
      '<!DOCTYPE html><html lang="en"><meta charset="utf-8">',
      `<title>${name}</title>`,
      `<link rel="stylesheet" id="vscode-codicon-stylesheet" href="${icons}">`,
      `<link rel="stylesheet" href="${own}.css">`,
      `<style>${style}</style>`,
      `<div id="page"></div><script src="${own}.js"></script>`,
    ].join('\n'),
  );
  return pathToFileURL(document).href;
}

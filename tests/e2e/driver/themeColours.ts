// The colours that the editor gives to pages, in each theme: kept with the report, whose pages have no editor either.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { root } from '../development.js';

const FILE = path.join(root, 'extension/webview/report/themes.json');

export type Colours = Readonly<Record<string, string>>;

/** Colours by the names of their variables, by theme. */
export function keptThemes(): Readonly<Record<string, Colours>> {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Colours>;
}

export function keepTheme(name: string, colours: Colours): void {
  writeFileSync(FILE, `${JSON.stringify({ ...keptThemes(), [name]: colours }, undefined, 2)}\n`);
}

/** The variables of the editor that scripts and style sheets of a folder name, but for those of fonts. */
function namedVariables(folder: string): ReadonlySet<string> {
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((each) => /\.(js|css)$/.test(each))
    .map((each) => readFileSync(path.join(folder, each), 'utf8'));
  const names = texts.flatMap((text) => text.match(/--vscode-[\w-]+/g) ?? []);
  return new Set(names.filter((name) => !name.includes('font')));
}

/** The colours that the editor gives to a page, of those that pages of the extension name. */
export async function givenColours(page: FrameLocator): Promise<Colours> {
  const given = await page
    .locator('html')
    .evaluate(({ style }) =>
      [...style].map((name): [string, string] => [name, style.getPropertyValue(name).trim()]).sort(),
    );
  const named = namedVariables(path.join(root, 'extension/dist'));
  return Object.fromEntries(given.filter(([name]) => named.has(name)));
}

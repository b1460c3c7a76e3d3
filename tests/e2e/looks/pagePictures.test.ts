import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { faultsOf } from '../driver/accessibility.js';
import { launchBrowser, small, wide, type Size } from '../driver/browser.js';
import { bundledPage, pageDocument } from '../driver/builtPage.js';
import { difference } from '../driver/comparison.js';
import { eventually } from '../driver/processes.js';
import { pageStyle } from '../driver/pageStyle.js';
import { keptThemes } from '../driver/themeColours.js';
import { root } from '../development.js';

// Pictures of every panel's page, with made data, against those in `baselines/`: `make baselines` takes them anew.
const BASELINES = path.join(root, 'tests/e2e/baselines');
const RESULTS = path.join(root, 'test-results/pages');
const panels = readdirSync(path.join(root, 'extension/webview/panels')).sort();
const themes = Object.entries(keptThemes());
/** After so many pictures without a change nothing is being drawn any more. */
const SAME_PICTURES = 3;
const isTakenAnew = process.env['SCOPELIGHT_BASELINES'] === 'update';

let browser: Browser;
/** By theme: the pictures of one panel are taken at the same time. */
const pages = new Map<string, Page>();
let folder: string;

beforeAll(async () => {
  const { packaged, temporaryFolder } = inject('prepared');
  folder = temporaryFolder;
  browser = await launchBrowser(packaged.installation.chrome, false, [
    '--font-render-hinting=none',
    '--disable-lcd-text',
  ]);
  for (const [theme] of themes) {
    pages.set(theme, await browser.newPage({ colorScheme: 'dark', reducedMotion: 'reduce' }));
  }
  mkdirSync(RESULTS, { recursive: true });
});

afterAll(() => browser.close());

function pictureName(panel: string, theme: string, { width }: Size): string {
  return `${panel}-${theme.toLowerCase().replaceAll(' ', '-')}-${String(width)}.png`;
}

/** The addresses of a panel's page, by theme. */
async function addresses(panel: string): Promise<ReadonlyMap<string, string>> {
  const entry = path.join(folder, `${panel}.tsx`);
  const module = (file: string) => JSON.stringify(path.join(root, file));
  writeFileSync(
    entry,
    `import { page } from ${module(`tests/extension/panels/${panel}/page`)};
     import { showPanel } from ${module('tests/e2e/pages/panelPage')};
     // Charts are drawn with the letters that are there.
     Promise.all(['13px Letters', '600 13px Letters', '12px Code', '13px Signs', '13px Arrows'].map((font) => document.fonts.load(font)))
       .then(() => showPanel(${JSON.stringify(panel)}, page));`,
  );
  const bundle = await bundledPage(entry, path.join(folder, 'pictures'));
  return new Map(
    themes.map(([theme, colours], index) => [theme, pageDocument(bundle, pageStyle(colours), `${panel}-${index}`)]),
  );
}

function pageOf(theme: string): Page {
  const page = pages.get(theme);
  if (page === undefined) {
    throw new Error(`There is no theme ${theme}.`);
  }
  return page;
}

async function show(page: Page, address: string, size: Size): Promise<void> {
  await page.setViewportSize(size);
  await page.goto(address);
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await page
    .locator('.status-line')
    .filter({ hasText: /read in/ })
    .waitFor();
}

/** A status says how long it took to read what is shown, which is another time in each picture. */
function sayAnyTime(lines: readonly Element[]): void {
  for (const line of lines) {
    const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() !== null) {
      const text = texts.currentNode;
      text.nodeValue = text.nodeValue?.replace(/read in [\d.,]+ \S+/, 'read in a while') ?? null;
    }
  }
}

/** A picture of the page once it stays as it is. */
async function taken(page: Page): Promise<Buffer> {
  let before: Buffer = Buffer.alloc(0);
  let count = 0;
  return eventually('picture that stays as it is', async () => {
    await page.locator('.status-line').evaluateAll(sayAnyTime);
    const now = await page.screenshot();
    count = now.equals(before) ? count + 1 : 0;
    before = now;
    return count === SAME_PICTURES ? now : undefined;
  });
}

test('every panel has a page with made data', () => {
  const without = panels.filter((panel) => !existsSync(path.join(root, 'tests/extension/panels', panel, 'page.tsx')));
  expect(without).toEqual([]);
});

describe.each(panels)('the page of %s', (panel) => {
  test('looks as it did, and is accessible', async () => {
    const problems: string[] = [];
    const compare = async (theme: string, address: string) => {
      const page = pageOf(theme);
      for (const size of theme === 'Dark Modern' ? [wide, small] : [wide]) {
        const name = pictureName(panel, theme, size);
        await show(page, address, size);
        const picture = await taken(page);
        if (size === wide) {
          problems.push(...(await faultsOf(page, true)).map((fault) => `${name}: ${fault}`));
        }
        const baseline = path.join(BASELINES, name);
        if (isTakenAnew) {
          writeFileSync(baseline, picture);
          continue;
        }
        writeFileSync(path.join(RESULTS, name), picture);
        const found = difference(readFileSync(baseline), picture);
        if (found.reason !== null) {
          problems.push(`${name}: ${found.reason}`);
          writeFileSync(path.join(RESULTS, `${name}.difference.png`), found.picture ?? '');
        }
      }
    };
    await Promise.all([...(await addresses(panel))].map(([theme, address]) => compare(theme, address)));
    expect(problems, 'see test-results/pages; `make baselines` where it is meant to look so').toEqual([]);
  });
});

describe('the comparison', () => {
  let page: Page;
  let address: string;
  let expected: Buffer;

  beforeAll(async () => {
    const [first] = await addresses('hotLines');
    if (first === undefined) {
      throw new Error('There is no theme.');
    }
    page = pageOf(first[0]);
    address = first[1];
    await show(page, address, wide);
    expected = await taken(page);
  });

  /** Why the page with more of a style sheet is not alike; null where it is. */
  async function withStyle(style: string): Promise<string | null> {
    await show(page, address, wide);
    await page.addStyleTag({ content: style });
    return difference(expected, await taken(page)).reason;
  }

  test('finds a page like itself', async () => {
    expect(await withStyle('/* nothing */')).toBeNull();
  });

  test('lets letters be smoothed in another way', async () => {
    expect(await withStyle('.row { transform: translateX(0.05px) }')).toBeNull();
  });

  test('finds a column that was moved', async () => {
    const moved = '.row > :nth-child(2), .row > :nth-child(3) { transform: translateX(6px) }';
    expect(await withStyle(moved)).toMatch(/pixels differ/);
  });

  test('finds a row that is gone, and one that is lower', async () => {
    expect(await withStyle('.row:last-child { visibility: hidden }')).toMatch(/pixels differ/);
    expect(await withStyle('.row { transform: translateY(2px) }')).toMatch(/pixels differ/);
  });

  test('finds letters in another colour', async () => {
    expect(await withStyle('.status-line { color: #d08030 !important }')).toMatch(/pixels differ/);
  });

  test('finds another background', async () => {
    expect(await withStyle('aside, main { background: #203040 !important }')).toMatch(/pixels differ/);
  });

  test('finds another size', () => {
    const picture = readFileSync(path.join(BASELINES, pictureName('hotLines', 'Dark Modern', small)));
    expect(difference(expected, picture).reason).toBe('900 × 600 pixels, not 1400 × 900');
  });
});

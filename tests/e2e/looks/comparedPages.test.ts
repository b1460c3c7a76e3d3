import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { root } from '../development.js';
import { launchBrowser } from '../driver/browser.js';
import { bundledPage, pageDocument } from '../driver/builtPage.js';
import { pageStyle } from '../driver/pageStyle.js';
import { keptThemes } from '../driver/themeColours.js';

// What stands in tables while a run is compared with another is whole, as narrow as pages usually are.
/** A name and the number of a line. */
const READABLE_PX = 80;

let browser: Browser;
let page: Page;
let address: string;

beforeAll(async () => {
  const { packaged, temporaryFolder } = inject('prepared');
  browser = await launchBrowser(packaged.installation.chrome, false, ['--font-render-hinting=none']);
  page = await browser.newPage();
  const [[, colours] = []] = Object.entries(keptThemes());
  if (colours === undefined) {
    throw new Error('There is no theme.');
  }
  const bundle = await bundledPage(
    path.join(root, 'tests/e2e/pages/compared.tsx'),
    path.join(temporaryFolder, 'looks'),
  );
  address = pageDocument(bundle, pageStyle(colours), 'compared');
});

afterAll(() => browser.close());

async function show(asked: Readonly<Record<string, string>>, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.goto('about:blank');
  await page.goto(`${address}#${new URLSearchParams(asked).toString()}`);
  await page.locator('.change').first().waitFor();
}

/** The texts of cells that are in sight and cut. */
function cutTexts(cells: readonly Element[]): readonly string[] {
  return cells
    .filter((cell) => cell.getBoundingClientRect().width > 0)
    .filter((cell) =>
      [cell, ...cell.children].some((each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0),
    )
    .map(({ textContent }) => textContent);
}

test.each(['1', '5'])('numbers of Hot Lines are whole in the side bar, of %s rounds', async (rounds) => {
  await show({ panel: 'hotLines', place: 'sideBar', rounds }, { width: 299, height: 600 });
  const table = page.locator('main .table');
  expect(await table.locator('.row .cell.end').evaluateAll(cutTexts)).toEqual([]);
  expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  const titles = await table.getByRole('columnheader').allInnerTexts();
  expect(titles.slice(0, 2)).toEqual(['Line', 'Step']);
  // The hottest line of the shown run comes first, and what is gone below them.
  expect(await table.locator('.row').first().getAttribute('class')).not.toContain('gone');
});

test.each([
  ['1', 640],
  ['1', 740],
  ['1', 900],
  ['1', 1060],
  ['5', 740],
  ['5', 1060],
  ['5', 1500],
])('names of Overview are readable, of %s rounds at %d px', async (rounds, width) => {
  await show({ panel: 'overview', rounds }, { width, height: 1000 });
  const names = page.locator('.tops tbody .name');
  const widths = await names.evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width));
  expect(Math.min(...widths)).toBeGreaterThan(READABLE_PX);
  expect(await page.locator('.tops tbody .end').evaluateAll(cutTexts)).toEqual([]);
});

import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { root } from '../development.js';
import { launchBrowser } from '../driver/browser.js';
import { builtPage } from '../driver/builtPage.js';
import { eventually } from '../driver/processes.js';

// The figures at the head of a panel, in a page of their own, at every width.
const EDITOR = 'body { --vscode-font-size: 13px; --vscode-font-family: system-ui, sans-serif }';
const HEIGHTS = [900, 560];
const WIDTHS = Array.from({ length: 33 }, (_, at) => 300 + 40 * at);

let browser: Browser;
let page: Page;
let address: string;

beforeAll(async () => {
  const { packaged, temporaryFolder } = inject('prepared');
  address = await builtPage('tests/e2e/pages/figuresHead.tsx', temporaryFolder, EDITOR);
  browser = await launchBrowser(packaged.installation.chrome);
  page = await browser.newPage();
});

afterAll(() => browser.close());

/** How many figures stand in each row as they are drawn, and how far the widest reaches beyond the page. */
async function drawn(): Promise<{ rows: number[]; beyond_px: number }> {
  return page.locator('.figures > div').evaluateAll((figures) => {
    const boxes = figures.map((figure) => figure.getBoundingClientRect());
    const tops = boxes.map(({ top }) => Math.round(top));
    const texts = figures.flatMap((figure) => [...figure.children].map((part) => part.getBoundingClientRect().right));
    return {
      rows: [...new Set(tops)].map((top) => tops.filter((each) => each === top).length),
      beyond_px: Math.max(...texts) - document.body.clientWidth,
    };
  });
}

test.each([2, 3, 4, 5, 6, 7, 8, 9])('%d figures leave none alone below a row of several', async (count) => {
  for (const long of ['', '&long']) {
    for (const height of HEIGHTS) {
      await page.setViewportSize({ width: 300, height });
      await page.goto(`${address}?count=${count}${long}`);
      await page.locator('.figures > div').first().waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height });
        const where = `${count} figures in ${width} × ${height}${long}`;
        // The page is laid out anew after it has its width.
        await eventually(`balanced rows of ${where}`, async () => {
          const { rows, beyond_px } = await drawn();
          const isBalanced = Math.max(...rows) - Math.min(...rows) <= 1;
          const hasOrphan = Math.min(...rows) === 1 && Math.max(...rows) > 1;
          return (isBalanced && !hasOrphan && beyond_px <= 0) || undefined;
        });
        if (width === 900 || width === 540 || width === 340) {
          const name = `${String(count)} at ${String(width)} ${String(height)}${long}.png`;
          await page.screenshot({ path: path.join(root, 'test-results/figures', name) });
        }
      }
    }
  }
  expect(await page.locator('.figures > div').count()).toBe(count);
});

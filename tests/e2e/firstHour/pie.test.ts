import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { root } from '../development.js';
import { launchBrowser, small } from '../driver/browser.js';
import { bundledPage, pageDocument } from '../driver/builtPage.js';
import { contrast } from '../driver/colours.js';
import { pageStyle } from '../driver/pageStyle.js';
import { keptThemes } from '../driver/themeColours.js';

// Op Statistics in a page of its own, with more types of ops than a pie has slices.
const SIZES = [{ width: 1372, height: 850 }, small, { width: 552, height: 508 }];

let browser: Browser;
let page: Page;
let bundle: string;

beforeAll(async () => {
  const { packaged, temporaryFolder } = inject('prepared');
  bundle = await bundledPage(path.join(root, 'tests/e2e/pages/opTypes.tsx'), path.join(temporaryFolder, 'types'));
  browser = await launchBrowser(packaged.installation.chrome);
  page = await browser.newPage();
});

afterAll(() => browser.close());

test.each(Object.entries(keptThemes()))('opens on the table, and the pie has names, in %s', async (theme, colours) => {
  const address = pageDocument(bundle, pageStyle(colours), theme.replaceAll(' ', ''));
  for (const size of SIZES) {
    const name = `${theme} ${String(size.width)}`;
    await page.setViewportSize(size);
    await page.goto(address);
    const rows = page.getByRole('grid', { name: 'Types of ops' }).getByRole('row');
    await rows.filter({ hasText: 'convolution fusion' }).waitFor();
    await page.screenshot({ path: path.join(root, `test-results/types/${name} table.png`) });
    await page.goto(`${address}?types=pie`);
    const names = page.getByRole('group', { name: /^Types of ops/ }).getByRole('button');
    await names.first().waitFor();
    await page.screenshot({ path: path.join(root, `test-results/types/${name} pie.png`) });
    expect(await names.count()).toBe(9);
    expect(await names.allInnerTexts()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^non-fusion elementwise/),
        expect.stringMatching(/^3 other types/),
      ]),
    );
    const drawn = await names.evaluateAll((buttons) =>
      buttons.map((button) => {
        const box = button.getBoundingClientRect();
        const text = button.querySelector('.type-name');
        const isWhole = text !== null && text.scrollWidth <= text.clientWidth;
        return { ...box.toJSON(), isWhole, colour: getComputedStyle(button).color } as {
          top: number;
          bottom: number;
          left: number;
          right: number;
          isWhole: boolean;
          colour: string;
        };
      }),
    );
    const pie = (await page.locator('svg.pie').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const surface = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
    drawn.forEach((one, at) => {
      expect(one.isWhole || size.width < small.width).toBe(true);
      expect(one.left).toBeGreaterThanOrEqual(0);
      expect(one.right <= pie.x || one.left >= pie.x + pie.width).toBe(true);
      expect(contrast(one.colour, surface)).toBeGreaterThanOrEqual(4.5);
      const over = drawn
        .slice(0, at)
        .filter(
          (other) =>
            one.left < other.right &&
            other.left < one.right &&
            one.top < other.bottom - 1 &&
            other.top < one.bottom - 1,
        );
      expect(over).toEqual([]);
    });
  }
});

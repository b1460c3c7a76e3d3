import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { launchBrowser } from '../driver/browser.js';
import { builtPage } from '../driver/builtPage.js';
import { root } from '../development.js';

// The panels of memory over made-up programs, in a page of their own: for what a page must be laid out for.
// As the editor has it.
const EDITOR = 'body { --vscode-font-size: 13px; --vscode-font-family: system-ui, sans-serif }';
/** What a window of 900 × 600 leaves to a panel beside the side bar. */
const LOW = { width: 552, height: 508 };

let browser: Browser;
let page: Page;
let address: string;

beforeAll(async () => {
  const { packaged, temporaryFolder } = inject('prepared');
  address = await builtPage('tests/e2e/pages/memoryPanel.tsx', temporaryFolder, EDITOR);
  browser = await launchBrowser(packaged.installation.chrome);
  page = await browser.newPage();
});

afterAll(() => browser.close());

async function open(size: typeof LOW, wishes: Readonly<Record<string, string>>): Promise<void> {
  await page.setViewportSize(size);
  await page.goto(`${address}?${new URLSearchParams(wishes).toString()}`);
  // Each is a page that was never opened before.
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await page.locator('.series-chart .over, .only-reading').waitFor();
  await page.locator('main > .table .row').first().waitFor();
}

async function picture(name: string): Promise<void> {
  await page.screenshot({ path: path.join(root, `test-results/memory/Page ${name}.png`) });
}

/** How many words over the chart cover another, or leave the chart. */
async function unreadable(): Promise<number> {
  return page.locator('.series-chart .over').evaluate((over) => {
    const area = over.getBoundingClientRect();
    const boxes = [...over.querySelectorAll('.mark-word')].map((word) => word.getBoundingClientRect());
    return boxes.filter(
      (one, at) =>
        one.left < area.left - 1 ||
        one.right > area.right + 1 ||
        boxes
          .slice(0, at)
          .some(
            (other) =>
              one.left < other.right - 1 &&
              other.left < one.right - 1 &&
              one.top < other.bottom - 1 &&
              other.top < one.bottom - 1,
          ),
    ).length;
  });
}

/** The part of what is there that is in sight, from 0 to 1: what scrolls or clips it leaves out nothing of it. */
async function inSight(found: Locator): Promise<number> {
  return found.evaluate((element) => {
    const box = element.getBoundingClientRect();
    let [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
    for (let around = element.parentElement; around !== null; around = around.parentElement) {
      if (getComputedStyle(around).overflowY !== 'visible') {
        const outer = around.getBoundingClientRect();
        [top, bottom] = [Math.max(top, outer.top), Math.min(bottom, outer.bottom)];
      }
    }
    return Math.max(0, bottom - top) / Math.max(1, box.height);
  });
}

/** How many rows of the list are in sight, and whether the one that is selected is; nothing else covers a row. */
async function rowsInSight(): Promise<{ readonly rows: number; readonly hasSelected: boolean }> {
  return page.locator('main > .table').evaluate((table) => {
    const isSeen = (row: Element): boolean => {
      const { left, top, bottom } = row.getBoundingClientRect();
      return [top + 2, bottom - 2].every((y) => row.contains(document.elementFromPoint(left + 8, y)));
    };
    const seen = [...table.querySelectorAll('.row')].filter(isSeen);
    return { rows: seen.length, hasSelected: seen.some((row) => row.getAttribute('aria-selected') === 'true') };
  });
}

describe('the words over the curve', () => {
  test.each(['1', '1.02', '1.1', '1.4'])('are apart where the capacity is %s times the peak', async (capacity) => {
    for (const size of [LOW, { width: 1060, height: 800 }]) {
      await open(size, { capacity });
      expect(await page.locator('.mark-word').count()).toBe(2);
      expect(await unreadable()).toBe(0);
      await page.getByRole('radio', { name: 'Order of Execution' }).click();
      await expect.poll(() => page.locator('.mark-word').count()).toBe(4);
      expect(await unreadable()).toBe(0);
      await open(size, { panel: 'memoryProfile', capacity });
      expect(await page.locator('.mark-word').count()).toBe(2);
      expect(await unreadable()).toBe(0);
    }
  });
});

describe('in a low window', () => {
  test('the table of buffers is in sight, and so is the card of one that is chosen there', async () => {
    await open(LOW, {});
    const rows = page.locator('main > .table .row');
    expect(await inSight(rows.nth(3))).toBe(1);
    await rows.nth(3).click();
    const card = page.locator('.buffer-card');
    await card.waitFor();
    for (const fact of ['size', 'unpadded size', 'expansion', 'extra memory', 'lifetime']) {
      expect(await inSight(card.getByText(fact, { exact: true })), fact).toBe(1);
    }
    expect(await inSight(rows.nth(3))).toBeGreaterThan(0.95);
    await picture('buffer chosen in the table');
  });

  test('the strip stays beside the card of a buffer that is chosen on it, by the keyboard too', async () => {
    await open(LOW, {});
    const strip = page.locator('.strip-place');
    await strip.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const card = page.locator('.buffer-card');
    await card.waitFor();
    expect(await inSight(strip)).toBeGreaterThan(0.95);
    expect(await inSight(page.locator('.memory-curve .series-chart'))).toBeGreaterThan(0.9);
    expect(await inSight(card.getByText('unpadded size', { exact: true }))).toBe(1);
    expect(await rowsInSight()).toEqual({ rows: 3, hasSelected: true });
    await picture('buffer chosen on the strip');
  });

  test.each([LOW, { width: 552, height: 420 }, { width: 552, height: 700 }])(
    'the list is walked in sight beside the card, which scrolls to its last field, in $width × $height',
    async (size) => {
      await open(size, {});
      await page.locator('main > .table .row').first().click();
      const card = page.locator('.buffer-card');
      await card.waitFor();
      for (let step = 0; step < 8; step += 1) {
        await page.keyboard.press('ArrowDown');
        const { rows, hasSelected } = await rowsInSight();
        expect(rows, `after ${String(step)} steps`).toBeGreaterThanOrEqual(3);
        expect(hasSelected, `after ${String(step)} steps`).toBe(true);
      }
      // The other ways to choose a buffer begin above the list.
      await page.locator('.strip-place').focus();
      await page.keyboard.press('End');
      const { rows, hasSelected } = await rowsInSight();
      expect(rows).toBeGreaterThanOrEqual(3);
      expect(hasSelected).toBe(true);
      for (const field of ['allocation', 'shape', 'framework op', 'What Is Alive at Its Start']) {
        const found = card.getByText(field, { exact: true });
        await found.scrollIntoViewIfNeeded();
        expect(await inSight(found), field).toBe(1);
      }
    },
  );

  test('the chosen row stays in sight where the window is made low, and as the card opens', async () => {
    await open({ width: 1060, height: 800 }, {});
    const rows = page.locator('main > .table .row');
    await rows.nth(5).click();
    expect(await rowsInSight()).toMatchObject({ hasSelected: true });
    await page.setViewportSize(LOW);
    // As the list was scrolled, the first and the last of its three rows may be cut.
    await expect.poll(async () => (await rowsInSight()).rows).toBeLessThanOrEqual(3);
    await expect.poll(rowsInSight).toMatchObject({ hasSelected: true });
    expect((await rowsInSight()).rows).toBeGreaterThanOrEqual(2);
    expect(await inSight(page.locator('.buffer-card').getByText('size', { exact: true }))).toBe(1);
  });

  test('the list of a snapshot is chosen and searched in sight beside the card', async () => {
    await open(LOW, { panel: 'memoryProfile' });
    await page.getByRole('radio', { name: 'Snapshots by Line' }).click();
    await page.locator('main > .table .row').first().click();
    expect(await inSight(page.locator('.details').getByText('of the snapshot', { exact: true }))).toBe(1);
    const select = page.locator('main > .tool-row select');
    const isCovered = await select.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return !element.contains(document.elementFromPoint(left + width / 2, top + height - 3));
    });
    expect(isCovered).toBe(false);
    // Its name is not cut.
    const missing_px = await select.evaluate((element) => {
      const words = element.querySelector('option:checked')?.textContent ?? '';
      const context = document.createElement('canvas').getContext('2d');
      if (context === null || !(element instanceof HTMLSelectElement)) {
        return Infinity;
      }
      context.font = getComputedStyle(element).font;
      return context.measureText(words).width - element.clientWidth;
    });
    expect(missing_px).toBeLessThan(0);
  });

  test('a sample that is picked has its card in sight, and so has a row of the table', async () => {
    await open(LOW, { panel: 'memoryProfile' });
    const chart = page.locator('.series-chart');
    expect(await inSight(page.locator('main > .table .row').nth(1))).toBe(1);
    await chart.focus();
    await page.keyboard.press('p');
    const details = page.locator('.details');
    expect(await inSight(details.getByText('in use', { exact: true }))).toBe(1);
    expect(await inSight(chart)).toBeGreaterThan(0.95);
    await page.locator('main > .table .row').first().click();
    expect(await inSight(details.getByText('of the peak', { exact: true }))).toBe(1);
    expect(await inSight(page.locator('main > .table .row').first())).toBeGreaterThan(0.95);
    await picture('row of the memory profile chosen');
  });

  test('the only sample is a row in sight, with what a curve would need', async () => {
    await open(LOW, { panel: 'memoryProfile', samples: '1' });
    expect(await inSight(page.locator('.only-reading'))).toBe(1);
    expect(await inSight(page.locator('.view-table .row').first())).toBe(1);
    expect(await inSight(page.locator('main > .table .row').first())).toBe(1);
    await picture('one sample');
  });
});

import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { launchBrowser } from '../driver/browser.js';
import { builtPage } from '../driver/builtPage.js';
import { root } from '../development.js';
import { opened } from '../../extension/features/openedRun';

// The whole panel over a made-up training, in a page of its own: for what a page must be laid out for.
// As the editor has it.
const EDITOR =
  'body { --vscode-font-size: 13px; --vscode-focusBorder: blue; --vscode-font-family: system-ui, sans-serif }';

let browser: Browser;
let page: Page;

beforeAll(async () => {
  const { packaged, temporaryFolder } = inject('prepared');
  const address = await builtPage('tests/e2e/pages/timelinePanel.tsx', temporaryFolder, EDITOR);
  browser = await launchBrowser(packaged.installation.chrome);
  page = await browser.newPage();
  await page.goto(address);
  await page.locator('.label.track').first().waitFor();
  // Beside the picture they would take their room from it; a page keeps that they are hidden.
  await page.setViewportSize({ width: 1900, height: 600 });
  await page.getByRole('button', { name: 'Hide Details' }).click();
});

afterAll(() => browser.close());

/** The rows of controls above the picture, each as its height's middle, and whether something is cut off. */
async function toolbar(): Promise<{ readonly rows: number; readonly isCut: boolean }> {
  return page.locator('.timeline-tools').evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    const boxes = [
      ...element.querySelectorAll('vscode-toolbar-button, vscode-textfield, select, button, .hits'),
    ].flatMap((each) => {
      const box = each.getBoundingClientRect();
      return box.width > 0 && !each.closest('vscode-textfield > *') ? [box] : [];
    });
    const middles = boxes.map((box) => (box.top + box.bottom) / 2).sort((one, other) => one - other);
    return {
      rows: middles.filter((middle, at) => at === 0 || middle - (middles[at - 1] ?? 0) > 8).length,
      isCut: boxes.some((box) => box.left < left - 1 || box.right > right + 1),
    };
  });
}

describe('the toolbar', () => {
  test.each([1900, 1400, 1100, 900, 745, 560, 480, 380, 300])(
    'takes two rows at most, %i pixels wide',
    async (width) => {
      await page.setViewportSize({ width, height: 600 });
      // A page is laid out anew after the window has its size.
      await expect.poll(async () => (await toolbar()).rows).toBeLessThanOrEqual(width >= 1400 ? 1 : 2);
      await expect.poll(async () => (await toolbar()).isCut).toBe(false);
      await page.screenshot({ path: path.join(root, `test-results/timeline/Toolbar ${String(width)}.png`) });
    },
  );

  test('has room for the hits of a search too', async () => {
    await page.setViewportSize({ width: 560, height: 600 });
    await page.locator('.search-box vscode-textfield').pressSequentially('dot');
    await page.locator('.hits').filter({ hasText: 'hits' }).waitFor();
    for (const width of [1400, 900, 560, 540, 480]) {
      await page.setViewportSize({ width, height: 600 });
      const isWhole = () => page.locator('.hits').evaluate((hits) => hits.scrollWidth <= hits.clientWidth);
      await expect.poll(isWhole, { message: `${String(width)} pixels: all of the hits is read` }).toBe(true);
      await expect.poll(async () => (await toolbar()).rows).toBeLessThanOrEqual(2);
      await expect.poll(async () => (await toolbar()).isCut).toBe(false);
      await page.screenshot({ path: path.join(root, `test-results/timeline/Toolbar with hits ${String(width)}.png`) });
    }
    await page.getByRole('button', { name: 'Clear Search' }).click();
  });

  test('has room for what a search says, also in a narrow page and where it says why it cannot search', async () => {
    const field = page.locator('.search-box vscode-textfield');
    const search = async (text: string): Promise<void> => {
      await page.setViewportSize({ width: 560, height: 600 });
      await field.pressSequentially(text);
    };
    await search('none');
    await page.locator('.hits').filter({ hasText: 'no hits' }).waitFor();
    for (const width of [560, 400, 320, 300, 277]) {
      await page.setViewportSize({ width, height: 600 });
      const isWhole = () => page.locator('.hits').evaluate((hits) => hits.scrollWidth <= hits.clientWidth);
      await expect.poll(isWhole, { message: `${String(width)} pixels: all of the answer is read` }).toBe(true);
      await expect.poll(async () => (await toolbar()).isCut).toBe(false);
    }
    await page.setViewportSize({ width: 560, height: 600 });
    await page.getByRole('button', { name: 'Clear Search' }).click();
    await search('(');
    const reason = page.getByRole('alert').filter({ hasText: 'unterminated subpattern' });
    await reason.waitFor();
    for (const width of [1400, 900, 560, 300]) {
      await page.setViewportSize({ width, height: 600 });
      const isRead = () =>
        reason.evaluate((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          const isWhole = element.scrollWidth <= element.clientWidth && left >= 0 && right <= innerWidth;
          const at = (x: number, y: number): boolean => document.elementFromPoint(x, y) === element;
          return isWhole && at(left + 2, top + 2) && at(right - 2, bottom - 2);
        });
      await page.screenshot({ path: path.join(root, `test-results/timeline/Reason ${String(width)}.png`) });
      await expect.poll(isRead, { message: `${String(width)} pixels: all of the reason is read` }).toBe(true);
      await page.screenshot({ path: path.join(root, `test-results/timeline/Reason ${String(width)}.png`) });
    }
    await page.setViewportSize({ width: 560, height: 600 });
    await page.getByRole('button', { name: 'Clear Search' }).click();
  });

  test('names its lists where their labels are not seen, and does the same by its menu', async () => {
    await page.setViewportSize({ width: 560, height: 600 });
    expect(await page.getByRole('combobox', { name: 'Colours' }).inputValue()).toBe('phase');
    await page.setViewportSize({ width: 300, height: 600 });
    await expect.poll(() => page.getByRole('combobox', { name: 'Colours' }).count()).toBe(0);
    await page.getByRole('button', { name: 'All Actions' }).click();
    await page.getByRole('menuitem', { name: 'Colour by name' }).click();
    await page.setViewportSize({ width: 560, height: 600 });
    await expect.poll(() => page.getByRole('combobox', { name: 'Colours' }).inputValue()).toBe('name');
  });
});

describe('the edge of the labels', () => {
  const widths = () =>
    page.evaluate(() =>
      ['.labels', '.minimap > *', '.step-ruler > *'].map((each) => document.querySelector(each)?.clientWidth),
    );

  test('is dragged, and all that stands beside the labels follows', async () => {
    await page.setViewportSize({ width: 900, height: 600 });
    const edge = page.getByRole('separator', { name: 'Width of the labels' });
    const box = await edge.boundingBox();
    const [before = 0] = await widths();
    await page.mouse.move((box?.x ?? 0) + 4, 300);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 64, 320, { steps: 4 });
    await page.mouse.up();
    const astray_px = async () => Math.max(...(await widths()).map((width) => Math.abs((width ?? 0) - before - 60)));
    await expect.poll(astray_px).toBeLessThanOrEqual(1);
  });

  test('leaves all of the picture to be pointed at', async () => {
    const under = await page.evaluate(() => {
      const drawn = document.querySelector('.tracks .drawn')?.getBoundingClientRect() ?? new DOMRect();
      const at = (x: number) => document.elementFromPoint(x, drawn.top + drawn.height / 2);
      return [at(drawn.left - 2)?.getAttribute('role'), at(drawn.left + 0.5)?.className, at(drawn.left + 3)?.className];
    });
    expect(under).toEqual(['separator', 'surface select', 'surface select']);
  });

  test('stays where it was put over a reload', async () => {
    const before = await widths();
    await page.reload();
    await page.locator('.label.track').first().waitFor();
    await expect.poll(widths).toEqual(before);
  });
});

describe('the picture', () => {
  const picture = () => page.locator('.tracks .drawn');

  test('has all its events in sight also while it has the focus, which is seen', async () => {
    await page.setViewportSize({ width: 900, height: 600 });
    await page.locator('.surface').focus();
    await page.keyboard.press('Escape');
    const [focused, around] = [await picture().screenshot(), await page.locator('.tracks').screenshot()];
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const [left, aroundLeft] = [await picture().screenshot(), await page.locator('.tracks').screenshot()];
    expect(focused.equals(left)).toBe(true);
    expect(around.equals(aroundLeft)).toBe(false);
  });

  test('has the button of an interval at its edge in sight', async () => {
    const box = (await picture().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const middle = box.y + box.height / 2;
    await page.keyboard.press('4');
    for (const [from, to] of [
      [box.width - 12, box.width + 200],
      [8, -200],
    ] as const) {
      await page.mouse.move(box.x + from, middle);
      await page.mouse.down();
      await page.mouse.move(box.x + to, middle, { steps: 3 });
      await page.screenshot({ path: path.join(root, 'test-results/timeline/Interval at the edge.png') });
      await page.mouse.up();
      const beyond_px = async (): Promise<number> => {
        const remove = await page.getByRole('button', { name: 'Remove Interval' }).boundingBox();
        const { x, width } = remove ?? { x: Infinity, width: 0 };
        return Math.max(box.x - x, x + width - box.x - box.width);
      };
      await expect.poll(beyond_px).toBeLessThanOrEqual(0);
      await page.getByRole('button', { name: 'Remove Interval' }).click({ timeout: 5000 });
      expect(await page.locator('.interval').count()).toBe(0);
    }
    await page.keyboard.press('1');
  });
});

test('names, times and shares of what is selected have room beside a picture 1400 pixels wide', async () => {
  await page.setViewportSize({ width: 1060, height: 900 });
  await page.getByRole('button', { name: 'Show Details' }).click();
  await page.locator('.surface').focus();
  await page.keyboard.press('v');
  const share = page.getByRole('gridcell', { name: '100.0 %' });
  await share.waitFor();
  const isWhole = () =>
    share.evaluate((cell) => {
      const table = cell.closest('.table')?.getBoundingClientRect() ?? new DOMRect();
      return cell.getBoundingClientRect().right <= table.right && cell.scrollWidth <= cell.clientWidth;
    });
  await page.screenshot({ path: path.join(root, 'test-results/timeline/Selection 1060.png') });
  await expect.poll(isWhole).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Hide Details' }).click();
});

test('a notice takes its room from the panel: the status line stays in sight', async () => {
  await page.setViewportSize({ width: 900, height: 600 });
  const bottom = () => page.locator('.status-line').evaluate((line) => line.getBoundingClientRect().bottom);
  expect(await bottom()).toBe(600);
  await page.evaluate((run) => {
    const daemonState = 'restarting';
    const facts = { shownRun: run, shownRunGeneration: 1, placesGeneration: 0, recordsGeneration: 0 };
    const more = {
      fileGeneration: 0,
      isFileGone: false,
      isReport: false,
      selection: null,
      selectionGeneration: 0,
      trusted: true,
    };
    postMessage({ type: 'facts', facts: { ...facts, ...more, daemonState }, heardSelections: 99 }, '*');
  }, opened('/runs/a'));
  await page.locator('.notice').waitFor();
  expect(await bottom()).toBe(600);
});

/**
 * How quick the Memory Viewer is with 10,000 buffers at the peak: `npm run --silent bench:memory-viewer`. The panel's own
 * page, over a made-up program. Prints one line of JSON: for each action the milliseconds that the page was at work, from
 * the person's key or mouse until it was idle, and the most elements that the page had.
 */
import type { Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../e2e/driver/browser.js';
import { builtPage } from '../../e2e/driver/builtPage.js';
import { installEditor } from '../../e2e/packaged.js';
import { median, SETTLED_MS, workAfter } from '../work.js';
import { inFolder } from '../measuring.js';

const BUFFERS = 10_000;
const REPETITIONS = 5;
/** What a window of 1400 × 900 leaves to a panel beside the side bar. */
const SIZE = { width: 1060, height: 800 };

interface Figures {
  readonly choose_ms: number;
  readonly walk_ms: number;
  readonly hover_row_ms: number;
  readonly hover_strip_ms: number;
  readonly hover_curve_ms: number;
  readonly hover_map_ms: number;
  readonly sort_ms: number;
  readonly search_ms: number;
  readonly list_ms: number;
  readonly map_ms: number;
  readonly elements: number;
  readonly rows: number;
}

async function measure(address: string): Promise<Figures> {
  const browser = await launchBrowser(installEditor().chrome);
  try {
    const page = await browser.newPage({ viewport: SIZE });
    await page.goto(`${address}?buffers=${String(BUFFERS)}`);
    const table = page.locator('main > .table');
    await table.locator('.row').nth(5).waitFor();
    await page.locator('.series-chart .over').waitFor();
    await page.waitForTimeout(SETTLED_MS);
    const rows = Number(await table.getAttribute('aria-rowcount')) - 1;
    let elements = 0;
    const measured = async (event: 'keydown' | 'mousemove' | 'click', act: () => Promise<void>): Promise<number> => {
      const work_ms = await workAfter(page, page.mainFrame(), event, act);
      elements = Math.max(elements, await page.evaluate(() => document.querySelectorAll('*').length));
      return work_ms;
    };
    const key = (name: string) => measured('keydown', () => page.keyboard.press(name));
    const times = async (act: (time: number) => Promise<number>): Promise<number> => {
      const all: number[] = [];
      for (let time = 0; time < REPETITIONS; time++) {
        all.push(await act(time));
      }
      return median(all);
    };
    const hovers = async (over: Locator): Promise<number> =>
      times(async (time) => {
        const { x_px, y_px } = await pointIn(page, over, (time + 1) / (REPETITIONS + 1));
        return measured('mousemove', () => page.mouse.move(x_px, y_px));
      });
    const choice = (name: string) =>
      measured('click', () => page.getByRole('radio', { name, exact: true }).first().click());

    const hover_row_ms = await hovers(table.locator('.rows'));
    const hover_curve_ms = await hovers(page.locator('.memory-curve .series-chart'));
    const hover_strip_ms = await hovers(page.locator('.strip-place'));
    await table.locator('.row').first().click();
    const choose_ms = await times(() => key('ArrowDown'));
    await page.locator('.strip-place').focus();
    const walk_ms = await times(() => key('ArrowRight'));
    await table.locator('[role="columnheader"]').nth(2).focus();
    const sort_ms = await times(() => key('Enter'));
    await page.locator('.memory-curve .series-chart').focus();
    await page.keyboard.press('Home');
    // What is alive at the peak is all of it.
    const list_ms = await times(async () => {
      const work_ms = await key('p');
      await page.keyboard.press('Escape');
      await page.waitForTimeout(SETTLED_MS);
      return work_ms;
    });
    const map_ms = await times(async () => {
      await choice('Order of Execution');
      return choice('Allocation Map');
    });
    const hover_map_ms = await hovers(page.locator('.memory-curve .series-chart'));
    await page.locator('vscode-textfield').click();
    let search_ms = 0;
    for (const letter of 'dot.12') {
      search_ms = Math.max(search_ms, await key(letter));
    }
    return {
      ...{ choose_ms, walk_ms, hover_row_ms, hover_strip_ms, hover_curve_ms, hover_map_ms },
      ...{ sort_ms, search_ms, list_ms, map_ms, elements, rows },
    };
  } finally {
    await browser.close();
  }
}

/** A place in what is drawn of an element, at a part of its width and of its height. */
async function pointIn(page: Page, found: Locator, part: number): Promise<{ x_px: number; y_px: number }> {
  const box = await found.boundingBox();
  if (box === null) {
    throw new Error('What is to be pointed at is not drawn.');
  }
  const bottom_px = Math.min(box.y + box.height, page.viewportSize()?.height ?? 0) - 32;
  return { x_px: box.x + part * box.width, y_px: box.y + part * Math.max(1, bottom_px - box.y) };
}

await inFolder(async (folder) => {
  console.log(JSON.stringify(await measure(await builtPage('tests/e2e/pages/memoryPanel.tsx', folder))));
});

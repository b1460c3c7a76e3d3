import type { FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Size } from '../driver/browser.js';

/** How many rows of the list are in sight as a whole. */
async function rowsInSight(list: FrameLocator): Promise<number> {
  return list.locator('body').evaluate((body) => {
    const box = (selector: string) => body.querySelector(selector)?.getBoundingClientRect();
    const top = box('.table .header')?.bottom ?? Infinity;
    const bottom = Math.min(box('.table')?.bottom ?? 0, box('.middle')?.bottom ?? 0, body.clientHeight);
    const rows = [...body.querySelectorAll('.table .row')].map((row) => row.getBoundingClientRect());
    return rows.filter((row) => row.top >= top - 1 && row.bottom <= bottom + 1).length;
  });
}

/** Expects rows of the list in sight in a window of that size, which it keeps. */
export async function expectRows(page: Page, list: FrameLocator, size: Size, least: number): Promise<void> {
  await page.setViewportSize(size);
  await expect.poll(() => rowsInSight(list)).toBeGreaterThanOrEqual(least);
}

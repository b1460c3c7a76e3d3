import path from 'node:path';
import type { Page } from 'playwright-core';
import { small, wide, type Size } from './browser.js';
import { eventually } from './processes.js';

/** What blinks never looks the same for long. */
const LONGEST_MS = 1_500;
const BETWEEN_MS = 150;

/** Whether tests show everything as it looks: in every theme, with pictures. */
export const looksAreTaken = process.env['SCOPELIGHT_TEST_LOOKS'] !== undefined;

/**
 * Takes pictures of the window in several sizes, each once nothing is being drawn any more, and leaves it in the first.
 * `pathOf` says where each goes.
 */
async function takePictures(page: Page, sizes: readonly Size[], pathOf: (size: Size) => string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    let before = '';
    await eventually(
      'picture that stays as it is',
      async () => {
        const now = (await page.screenshot({ path: pathOf(size) })).toString('base64');
        const isSame = now === before;
        before = now;
        if (!isSame) {
          await page.waitForTimeout(BETWEEN_MS);
        }
        return isSame || undefined;
      },
      LONGEST_MS,
    ).catch(() => undefined);
  }
  const [first] = sizes;
  if (first !== undefined && sizes.length > 1) {
    await page.setViewportSize(first);
  }
}

/**
 * Takes pictures by name, each in two sizes, into a folder of the results: for people to look at, so only by
 * `make test-looks`.
 */
export function picturesIn(folder: string, page: () => Page): (name: string, sizes?: readonly Size[]) => Promise<void> {
  return async (name, sizes = [wide, small]) => {
    if (looksAreTaken) {
      await takePictures(page(), sizes, ({ width }) => path.join(folder, `${name} ${String(width)}.png`));
    }
  };
}

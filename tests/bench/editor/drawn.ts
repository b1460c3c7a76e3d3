// How long the editor takes from a person's key to what it draws for it.

import type { Page } from 'playwright-core';

/** What has not been drawn after so long never will be. */
const LONGEST_MS = 60_000;

/**
 * From the next press of `key` until a frame has been drawn in which an element matches `selector` (and its text or
 * that of its `::after` contains `text`).
 */
export async function fromKeyUntilDrawn(page: Page, key: string, selector: string, text: string): Promise<number> {
  // The page listens before the key is pressed: the two go to it by different ways.
  const measured = await page.evaluateHandle(
    ([awaitedKey, awaitedSelector, awaitedText, awaitedMilliseconds]) => {
      const isDrawn = () =>
        [...document.querySelectorAll(awaitedSelector)].some(
          (each) =>
            each.textContent.includes(awaitedText) || getComputedStyle(each, '::after').content.includes(awaitedText),
        );
      return {
        took: new Promise<number>((resolve, reject) => {
          const listen = (event: KeyboardEvent) => {
            if (event.key !== awaitedKey) {
              return;
            }
            window.removeEventListener('keydown', listen, true);
            const pressed = performance.now();
            const look = () => {
              const took = performance.now() - pressed;
              if (isDrawn()) {
                resolve(took);
              } else if (took > awaitedMilliseconds) {
                reject(new Error(`After ${awaitedKey} no ${awaitedSelector} says “${awaitedText}”.`));
              } else {
                requestAnimationFrame(look);
              }
            };
            requestAnimationFrame(look);
          };
          window.addEventListener('keydown', listen, true);
        }),
      };
    },
    [key, selector, text, LONGEST_MS] as const,
  );
  await page.keyboard.press(key);
  return measured.evaluate(({ took }) => took);
}

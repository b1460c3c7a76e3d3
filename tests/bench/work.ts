// How long a page is at work after what a person does.

import type { Frame, Page } from 'playwright-core';

/** Longer than any action takes. */
export const SETTLED_MS = 600;

export function median(values: readonly number[]): number {
  const middle = [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
  if (middle === undefined) {
    throw new Error('Nothing was measured.');
  }
  return middle;
}

/**
 * Milliseconds that the page in `frame` was at work after `act`, which causes `event` there, until it was idle: from the
 * event to the end of the frame that it caused, and all long tasks after it.
 */
export async function workAfter(
  page: Page,
  frame: Pick<Frame, 'evaluate'>,
  event: 'keydown' | 'mousemove' | 'click',
  act: () => Promise<void>,
): Promise<number> {
  await frame.evaluate((name) => {
    const measured = { first: -1, drawn: -1, later: 0 };
    Object.assign(window, { measured });
    window.addEventListener(
      name,
      () => {
        measured.first = performance.now();
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => (measured.drawn = performance.now());
          channel.port2.postMessage(null);
        });
      },
      { capture: true, once: true },
    );
    new PerformanceObserver((list) => {
      for (const each of list.getEntries()) {
        if (measured.drawn >= 0 && each.startTime >= measured.drawn) {
          measured.later += each.duration;
        }
      }
    }).observe({ type: 'longtask' });
  }, event);
  await act();
  await page.waitForTimeout(SETTLED_MS);
  return frame.evaluate(() => {
    const { measured } = window as unknown as { measured: { first: number; drawn: number; later: number } };
    if (measured.first < 0 || measured.drawn < 0) {
      throw new Error('What was done did not reach the page.');
    }
    return measured.drawn - measured.first + measured.later;
  });
}

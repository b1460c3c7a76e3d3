// How long a page is at work after what a person does.

import type { Frame, Page } from 'playwright-core';
import { HOST_AT_WORK } from '../e2e/pages/hostAtWork.js';

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
 * event to the end of the frame that it caused, and all long tasks after it; without what a host took that is made in
 * the page.
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
  return frame.evaluate((hostAtWork) => {
    const { measured } = window as unknown as { measured: { first: number; drawn: number; later: number } };
    if (measured.first < 0 || measured.drawn < 0) {
      throw new Error('What was done did not reach the page.');
    }
    const host = performance.getEntriesByName(hostAtWork).filter(({ startTime }) => startTime >= measured.first);
    const host_ms = host.reduce((sum, { duration }) => sum + duration, 0);
    return measured.drawn - measured.first + measured.later - host_ms;
  }, HOST_AT_WORK);
}

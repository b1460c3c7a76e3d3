import type { FrameLocator, Locator, Page } from 'playwright-core';
import { eventually } from './processes.js';

/** Finds the pages of panels: two nested frames each, laid over the part of the window that they belong to. */
export class WebviewFinder {
  constructor(private readonly page: Page) {}

  /** The page that lies over the side bar or over the editors. */
  async over(part: 'sidebar' | 'editor'): Promise<FrameLocator> {
    const frames = this.page.locator('iframe.webview.ready');
    const index = await eventually(`page over the ${part}`, async () => {
      const whole = await this.page.locator(`.part.${part}`).boundingBox();
      for (let each = 0; each < (await frames.count()); each++) {
        const own = await boxOf(frames.nth(each));
        if (whole && own && own.width > 0 && contains(whole, own)) {
          return each;
        }
      }
      return undefined;
    });
    const name = await frames.nth(index).getAttribute('name');
    return this.page.frameLocator(`iframe.webview.ready[name="${name}"]`).frameLocator('iframe#active-frame');
  }
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function boxOf(frame: Locator): Promise<Box | null> {
  return (await frame.isVisible()) ? frame.boundingBox() : null;
}

function contains(whole: Box, own: Box): boolean {
  const x = own.x + own.width / 2;
  const y = own.y + own.height / 2;
  return x >= whole.x && x <= whole.x + whole.width && y >= whole.y && y <= whole.y + whole.height;
}

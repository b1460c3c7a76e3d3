import type { FrameLocator, Locator, Page } from 'playwright-core';
import { eventually } from './processes.js';

/** Finds the pages of panels: two nested frames each, laid over the part of the window that they belong to. */
export class WebviewFinder {
  constructor(private readonly page: Page) {}

  /**
   * The page that lies over the side bar or over the editors; where a title is given, the one of that title. While tabs
   * change the page of the tab that is left is there for a moment still.
   */
  async over(part: 'sidebar' | 'editor', title?: string): Promise<FrameLocator> {
    const frames = this.page.locator('iframe.webview.ready');
    const name = await eventually(`page over the ${part}`, async () => {
      const whole = await this.page.locator(`.part.${part}`).boundingBox();
      for (let each = 0; each < (await frames.count()); each++) {
        const own = await boxOf(frames.nth(each));
        if (whole && own && own.width > 0 && contains(whole, own) && (await isTitled(frames.nth(each), title))) {
          return (await frames.nth(each).getAttribute('name')) ?? undefined;
        }
      }
      return undefined;
    });
    return this.page.frameLocator(`iframe.webview.ready[name="${name}"]`).frameLocator('iframe#active-frame');
  }
}

async function isTitled(frame: Locator, title: string | undefined): Promise<boolean> {
  if (title === undefined) {
    return true;
  }
  const own = frame.contentFrame().frameLocator('iframe#active-frame').locator('head > title');
  return (await own.textContent({ timeout: 5000 }).catch(() => null)) === title;
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

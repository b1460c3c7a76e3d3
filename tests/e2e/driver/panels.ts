import type { FrameLocator, Locator } from 'playwright-core';
import { eventually } from './processes.js';
import type { Workbench } from './workbench.js';

/** For a page to get the keyboard that the palette had, before it is asked for again. */
const KEYBOARD_MS = 10_000;
/** Two rounds through the window. */
const MOST_TABS = 120;

/** The panels in tabs, and how they are gone through by the keyboard. */
export class Panels {
  constructor(private readonly workbench: Workbench) {}

  /** Opens a panel from the palette; its page once it has rows, and the keyboard. */
  async open(title: string): Promise<FrameLocator> {
    const page = await this.openPage(title);
    await page.getByRole('treegrid').or(page.getByRole('grid')).getByRole('row').nth(1).waitFor();
    return page;
  }

  /** The same for a panel without rows. Keys before its page has the keyboard go elsewhere. */
  async openPage(title: string): Promise<FrameLocator> {
    const { workbench } = this;
    return eventually(
      `panel ${title} with the keyboard`,
      async () => {
        await workbench.run(`Scopelight: Open ${title}`);
        await workbench.activeTab(title).waitFor();
        const opened = await workbench.webviews.over('editor', title);
        return (await hasKeyboard(opened)) ? opened : undefined;
      },
      120_000,
    );
  }

  /** Presses keys, one after the other. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.workbench.page.keyboard.press(key);
    }
  }

  /** Presses Tab, or another key, until what is looked for is there, such as a row with the focus. */
  async tabTo(target: Locator, key = 'Tab'): Promise<void> {
    for (let presses = 0; presses < MOST_TABS && (await target.count()) === 0; presses++) {
      await this.press(key);
    }
    await target.waitFor();
  }
}

/** One of the choices of a group in a page. */
export function choice(page: FrameLocator, group: string, name: string): Locator {
  return page.getByRole('radiogroup', { name: group, exact: true }).getByRole('radio', { name, exact: true });
}

/** The row of a table in a page that has the keyboard. */
export function focusedRow(page: FrameLocator): Locator {
  return page.locator('[role="row"]:focus');
}

/** The row of a table in a page that is selected. */
export function selectedRow(page: FrameLocator): Locator {
  return page.locator('[role="row"][aria-selected="true"]');
}

async function hasKeyboard(page: FrameLocator): Promise<boolean> {
  const body = page.locator('body');
  return eventually(
    'keyboard in the page',
    async () => (await body.evaluate(() => document.hasFocus())) || undefined,
    KEYBOARD_MS,
  ).catch(() => false);
}

import type { Locator, Page } from 'playwright-core';

/** After so long the editor has asked for fixes by itself. */
const AUTOMATIC_MS = 500;

/** The menu of quick fixes at the cursor, and the preview in which one is confirmed. */
export class QuickFixes {
  readonly preview: Locator;
  private readonly menu: Locator;
  private readonly none: Locator;

  constructor(private readonly page: Page) {
    this.menu = page.locator('.action-widget');
    this.none = page.locator('.monaco-editor-overlaymessage').filter({ hasText: /No .*available/ });
    this.preview = page.locator('.bulk-edit-panel');
  }

  /**
   * Asks for the fixes at the cursor; what they are called, none where there are none.
   *
   * The editor itself asks a quarter of a second after the cursor came to a line, drops what a person has asked for just
   * then, and says that there are none: that is asked again.
   */
  async ask(): Promise<string[]> {
    const titles = await this.askOnce();
    if (titles.length > 0) {
      return titles;
    }
    await this.page.keyboard.press('Escape');
    await this.none.waitFor({ state: 'hidden' });
    await this.page.waitForTimeout(AUTOMATIC_MS);
    return this.askOnce();
  }

  private async askOnce(): Promise<string[]> {
    await this.page.keyboard.press('Control+.');
    const titled = this.menu.locator('.monaco-list-row.action .title');
    // The menu is there before what it lists.
    await titled.or(this.none).first().waitFor();
    const titles = await titled.allInnerTexts();
    return titles.map((each) => each.replaceAll('\u00a0', ' ').trim());
  }

  /** Leaves the menu. */
  async dismiss(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.menu.waitFor({ state: 'hidden' });
  }

  /** Chooses a fix of the open menu by the keyboard. */
  async choose(title: RegExp): Promise<void> {
    const chosen = this.menu.locator('.monaco-list-row.focused').filter({ hasText: title });
    for (let presses = 0; presses < 20 && (await chosen.count()) === 0; presses++) {
      await this.page.keyboard.press('ArrowDown');
    }
    await chosen.waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** Waits for the preview; what it lists. */
  async previewed(): Promise<string> {
    const rows = this.preview.locator('.monaco-list-row');
    await rows.first().waitFor();
    return (await rows.allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
  }

  /** Leaves the preview without a change. */
  async discard(): Promise<void> {
    await this.preview.getByRole('button', { name: 'Discard' }).press('Enter');
    await this.preview.locator('.monaco-list-row').first().waitFor({ state: 'hidden' });
  }

  /** Confirms the change in the preview, and applies it. */
  async apply(): Promise<void> {
    await this.page.keyboard.press('Home');
    await this.page.keyboard.press('Space');
    await this.preview.locator('input[type="checkbox"]:checked').first().waitFor();
    await this.page.keyboard.press('Control+Enter');
    await this.preview.locator('.monaco-list-row').first().waitFor({ state: 'hidden' });
  }
}

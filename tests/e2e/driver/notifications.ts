import type { Locator, Page } from 'playwright-core';
import { eventually, LONGEST_MS } from './processes.js';

/** The messages at the lower right. */
export class Notifications {
  readonly all: Locator;

  constructor(private readonly page: Page) {
    this.all = page.locator('.notifications-toasts .notification-list-item');
  }

  /** The message that says `text`, once it is there. */
  async saying(text: RegExp, timeout = LONGEST_MS): Promise<Notification> {
    const item = this.all.filter({ hasText: text }).first();
    await item.waitFor({ timeout });
    return new Notification(item);
  }

  /** Notes from now on every text that a message shows, however briefly; the function tells those so far. */
  async note(): Promise<() => Promise<string[]>> {
    const noted = await this.page.evaluateHandle(() => {
      const texts = new Set<string>();
      const look = () => {
        for (const each of document.querySelectorAll('.notification-list-item-message')) {
          texts.add(each.textContent.replaceAll('\u00a0', ' '));
        }
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
      look();
      return texts;
    });
    return () => noted.evaluate((texts) => [...texts]);
  }

  /** Hides them all, as Escape does; those too that come meanwhile. */
  async clear(): Promise<void> {
    await eventually('end of all messages', async () => {
      await this.page.keyboard.press('Escape');
      return this.all
        .first()
        .waitFor({ state: 'hidden', timeout: 3_000 })
        .then(
          () => true,
          () => undefined,
        );
    });
  }
}

/** One message. */
export class Notification {
  constructor(private readonly item: Locator) {}

  async text(): Promise<string> {
    return this.item.locator('.notification-list-item-message').innerText();
  }

  async buttons(): Promise<string[]> {
    return this.item.locator('.notification-list-item-buttons-container .monaco-button').allInnerTexts();
  }

  async press(button: string): Promise<void> {
    await this.item.getByRole('button', { name: button, exact: true }).click();
  }

  /** Follows a link in what it says. */
  async follow(link: string): Promise<void> {
    await this.item.locator('.notification-list-item-message a').filter({ hasText: link }).click();
  }

  async gone(timeout = 60_000): Promise<void> {
    await this.item.waitFor({ state: 'hidden', timeout });
  }
}

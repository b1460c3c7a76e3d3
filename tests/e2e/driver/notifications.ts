import type { Locator, Page } from 'playwright-core';

/** The messages at the lower right. */
export class Notifications {
  readonly all: Locator;

  constructor(private readonly page: Page) {
    this.all = page.locator('.notifications-toasts .notification-list-item');
  }

  /** The message that says `text`, once it is there. */
  async saying(text: RegExp, timeout = 30_000): Promise<Notification> {
    const item = this.all.filter({ hasText: text }).first();
    await item.waitFor({ timeout });
    return new Notification(item);
  }

  /** The texts of all that are shown. */
  async texts(): Promise<string[]> {
    return this.all.locator('.notification-list-item-message').allInnerTexts();
  }

  /** Hides them all, as Escape does. */
  async clear(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.all.first().waitFor({ state: 'hidden' });
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

  async gone(timeout = 60_000): Promise<void> {
    await this.item.waitFor({ state: 'hidden', timeout });
  }
}

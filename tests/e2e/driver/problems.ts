import type { Locator } from 'playwright-core';
import { eventually } from './processes.js';
import type { Workbench } from './workbench.js';

/** The list of problems below the editors. */
export class Problems {
  readonly panel: Locator;
  private readonly rows: Locator;

  constructor(private readonly workbench: Workbench) {
    this.panel = workbench.page.locator('.part.panel .markers-panel');
    this.rows = this.panel.locator('.monaco-list-row');
  }

  /** Shows the list, with the keyboard in it. */
  async open(): Promise<void> {
    await this.workbench.run('Problems: Focus on Problems View');
    await this.panel.and(this.workbench.page.locator(':focus-within')).waitFor();
  }

  /** The problems that are listed, each with its whole message. */
  async messages(): Promise<string[]> {
    const texts = await this.rows.locator('.marker-message-details-container').allInnerTexts();
    return texts.map((each) => each.replaceAll('\u00a0', ' ').replace(/\s+/g, ' '));
  }

  /** Waits for a problem that says `text`. */
  async saying(text: RegExp): Promise<string> {
    return eventually(`problem saying ${text}`, async () => (await this.messages()).find((each) => text.test(each)));
  }

  /** Waits until the problem that says `text` stands on a line: the list is drawn anew with every edit. */
  async standsOn(text: RegExp, line: number): Promise<void> {
    await this.rows
      .filter({ hasText: text })
      .filter({ hasText: `[Ln ${line},` })
      .waitFor();
  }

  /** Goes by the keyboard, from the top, to the problem that says `text`, and opens its place. */
  async goTo(text: RegExp): Promise<void> {
    const chosen = this.panel.locator('.monaco-list:focus .monaco-list-row.focused').filter({ hasText: text });
    // What is drawn anew loses the keyboard: it is asked for again then.
    await eventually(`problem to go to, saying ${text}`, async () => {
      await this.open();
      await this.workbench.page.keyboard.press('Home');
      for (let presses = 0; presses < 30 && (await chosen.count()) === 0; presses++) {
        await this.workbench.page.keyboard.press('ArrowDown');
      }
      return (await chosen.count()) > 0 || undefined;
    });
    await this.workbench.page.keyboard.press('Enter');
  }
}

import type { Locator, Page } from 'playwright-core';

/** For a file dialog to look up what was entered: it draws nothing when it has. */
const DIALOG_MS = 1000;

/** The box at the top of the window: command palette, file picker, questions with text or a list. */
export class QuickInput {
  readonly box: Locator;
  readonly input: Locator;
  readonly rows: Locator;

  constructor(private readonly page: Page) {
    this.box = page.locator('.quick-input-widget:visible');
    this.input = this.box.locator('.quick-input-box input');
    this.rows = this.box.locator('.quick-input-list .monaco-list-row');
  }

  /** The question is there: in the title, the text below the input, or its placeholder. */
  async asked(question: RegExp): Promise<void> {
    const said = this.box
      .filter({ hasText: question })
      .or(this.box.filter({ has: this.page.getByPlaceholder(question) }));
    await said.first().waitFor({ timeout: 30_000 });
  }

  /** What the rows of the list say, as they are drawn. */
  async choices(): Promise<string[]> {
    await this.rows.first().waitFor();
    return this.rows.locator('.monaco-highlighted-label').allInnerTexts();
  }

  /** Whether the box has the keyboard, or gets it soon. */
  async hasKeyboard(): Promise<boolean> {
    const focused = this.box.locator('.quick-input-box input:focus');
    return focused.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
  }

  /** Enters text in place of what is there, once the box has the keyboard: before, the text would go elsewhere. */
  async enter(text: string): Promise<void> {
    await this.box.locator('.quick-input-box input:focus').waitFor();
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.insertText(text);
  }

  /** Types an answer in place of what is there, and confirms it. */
  async answer(question: RegExp, text: string): Promise<void> {
    await this.asked(question);
    await this.enter(text);
    await this.page.keyboard.press('Enter');
  }

  /** Enters a path into a file dialog, which writes its folder into the box once it has listed it. */
  async enterPath(question: RegExp, file: string): Promise<void> {
    await this.asked(question);
    await this.rows.nth(1).waitFor();
    await this.enter(file);
    await this.page.waitForTimeout(DIALOG_MS);
  }

  /** Confirms what the box proposes. */
  async accept(question: RegExp): Promise<void> {
    await this.asked(question);
    await this.page.keyboard.press('Enter');
  }

  /** Chooses a row by the keyboard: types what it says until it is the one in focus. */
  async choose(question: RegExp, choice: string): Promise<void> {
    await this.asked(question);
    await this.enter(choice);
    await this.box.locator('.monaco-list-row.focused').filter({ hasText: choice }).waitFor();
    await this.page.keyboard.press('Enter');
  }

  async dismiss(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.box.waitFor({ state: 'hidden' });
  }
}

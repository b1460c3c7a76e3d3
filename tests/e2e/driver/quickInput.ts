import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { eventually } from './processes.js';

/** The box at the top of the window: command palette, file picker, questions with text or a list. */
export class QuickInput {
  readonly box: Locator;
  readonly input: Locator;
  readonly rows: Locator;
  /** The input while it has the keyboard. */
  private readonly focused: Locator;

  constructor(private readonly page: Page) {
    this.box = page.locator('.quick-input-widget:visible');
    this.input = this.box.locator('.quick-input-box input');
    this.focused = this.box.locator('.quick-input-box input:focus');
    this.rows = this.box.locator('.quick-input-list .monaco-list-row');
  }

  /** The question is there: in the title, the text below the input, or its placeholder. */
  async asked(question: RegExp, timeout = 60_000): Promise<void> {
    const said = this.box
      .filter({ hasText: question })
      .or(this.box.filter({ has: this.page.getByPlaceholder(question) }));
    await said.first().waitFor({ timeout });
  }

  /** What the rows of the list say, as they are drawn. */
  async choices(): Promise<string[]> {
    await this.rows.first().waitFor();
    return this.rows.locator('.monaco-highlighted-label').allInnerTexts();
  }

  /** Whether the box has the keyboard, or gets it soon. */
  async hasKeyboard(): Promise<boolean> {
    return this.focused.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
  }

  /** Enters text in place of what is there; resolves with whether the box had the keyboard all the while. */
  private async tryEnter(text: string): Promise<boolean> {
    const hadKeyboard = await this.enter(text, 1000).then(
      () => true,
      () => false,
    );
    // It may lose the keyboard at any moment: what has it no more says nothing.
    const said = hadKeyboard ? await this.focused.inputValue({ timeout: 1000 }).catch(() => undefined) : undefined;
    return said === text;
  }

  /**
   * Opens the box by a key and enters text: again where the page or the command that had the keyboard before takes it
   * back, which closes the box.
   */
  async open(key: string, text: string): Promise<void> {
    await eventually(`box that ${key} opens`, async () => {
      await this.page.keyboard.press(key);
      return ((await this.hasKeyboard()) && (await this.tryEnter(text))) || undefined;
    });
  }

  /**
   * Confirms what was entered, once the list answers it with a row that has `choice` in the focus, and beside it a
   * text that ends with `beside`: files of one name are told apart by their folders.
   */
  async confirm(choice: string, beside = ''): Promise<boolean> {
    const named = this.box.locator('.monaco-list-row.focused').filter({ hasText: choice });
    const text = this.page.locator('.label-description', { hasText: new RegExp(`(^|/)${literal(beside)}$`) });
    const row = beside === '' ? named : named.filter({ has: text });
    const isThere = await row.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
    if (isThere) {
      await this.page.keyboard.press('Enter');
    }
    return isThere;
  }

  /** Waits until the box does not say any more what was entered. */
  async hasLeft(text: string): Promise<void> {
    await eventually(`box without ${text}`, async () => {
      // A command may also leave the whole page.
      const said = await this.input
        .evaluateAll((inputs) => inputs.map((each) => (each as HTMLInputElement).value))
        .catch((): string[] => []);
      const isThere = said.includes(text);
      return !isThere || undefined;
    });
  }

  /**
   * Enters text in place of what is there, once the box has the keyboard. The page does so in one go: keys that are
   * pressed after a look at the box may find that an editor has the keyboard, and replace what stands in it.
   */
  async enter(text: string, milliseconds?: number): Promise<void> {
    await this.focused.evaluate(
      (input: HTMLInputElement, entered) => {
        input.value = entered;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      },
      text,
      milliseconds === undefined ? {} : { timeout: milliseconds },
    );
  }

  /** Types an answer in place of what is there, and confirms it. */
  async answer(question: RegExp, text: string): Promise<void> {
    await this.asked(question);
    await this.enter(text);
    await this.page.keyboard.press('Enter');
  }

  /** Enters a path into a file dialog, which writes its folder into the box once it has listed it, then lists that of the path. */
  async enterPath(question: RegExp, file: string): Promise<void> {
    await this.asked(question);
    await this.rows.nth(1).waitFor();
    await this.enter(file);
    await this.rows
      .filter({ hasText: path.basename(file) })
      .first()
      .waitFor();
  }

  /** Opens a file by a file dialog: confirmed again where the dialog has not looked up the path yet. */
  async openPath(question: RegExp, file: string): Promise<void> {
    await this.enterPath(question, file);
    await eventually(`end of the dialog that was asked for ${file}`, async () => {
      await this.page.keyboard.press('Enter');
      return this.box
        .filter({ hasText: question })
        .waitFor({ state: 'hidden', timeout: 5_000 })
        .then(
          () => true,
          () => undefined,
        );
    });
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

  /** Ticks rows by the keyboard, in the order in which they stand; nothing is confirmed. */
  async tick(question: RegExp, ...choices: readonly string[]): Promise<void> {
    await this.asked(question);
    await this.rows.first().waitFor();
    for (const choice of choices) {
      const row = this.box.locator('.monaco-list-row.focused').filter({ hasText: choice });
      await eventually(`${choice} with the focus`, async () => {
        await this.page.keyboard.press('ArrowDown');
        return (await row.count()) === 1 || undefined;
      });
      const ticked = row.getByRole('checkbox', { checked: true });
      if ((await ticked.count()) === 0) {
        await this.page.keyboard.press('Space');
        await ticked.waitFor();
      }
    }
  }

  async dismiss(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.box.waitFor({ state: 'hidden' });
  }
}

/** The pattern of a text as it stands. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

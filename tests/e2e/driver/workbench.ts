import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { eventually } from './processes.js';
import { Notifications } from './notifications.js';
import { looksAreTaken } from './pictures.js';
import { literal, QuickInput } from './quickInput.js';
import { TextEditor } from './textEditor.js';
import { WebviewFinder } from './webviews.js';

export interface Theme {
  readonly name: string;
  readonly cssClass: string;
}

export const darkModern: Theme = { name: 'Dark Modern', cssClass: 'vscode-theme-defaults-themes-dark_modern-json' };

export const lightModern: Theme = {
  name: 'Light Modern',
  cssClass: 'vscode-theme-defaults-themes-light_modern-json',
};

/** The themes in which people must be able to read everything. */
export const everyTheme: readonly Theme[] = [
  darkModern,
  lightModern,
  { name: 'Dark High Contrast', cssClass: 'vscode-theme-defaults-themes-hc_black-json' },
];

/** Those that tests go through: all by `make test-looks`, else one, as pages are compared in all by tests of theirs. */
export const themes = looksAreTaken ? everyTheme : [darkModern];

/** VS Code's window as a person sees it: only what is drawn is read, and only the keyboard and the mouse act. */
export class Workbench {
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;
  readonly editor: TextEditor;
  readonly webviews: WebviewFinder;
  readonly sideBar: Locator;

  constructor(readonly page: Page) {
    this.quickInput = new QuickInput(page);
    this.notifications = new Notifications(page);
    this.editor = new TextEditor(page);
    this.webviews = new WebviewFinder(page);
    this.sideBar = page.locator('.part.sidebar');
  }

  /** Enters a command into the palette; resolves with whether a row of exactly that name is offered. */
  async isOffered(command: string): Promise<boolean> {
    await this.enterIntoPalette(command);
    const offered = await this.paletteRow(command).count();
    await this.quickInput.dismiss();
    return offered > 0;
  }

  /** Runs a command from the palette, by its full title (`Scopelight: Clear`), with the keyboard. */
  async run(command: string): Promise<void> {
    const row = this.paletteRow(command);
    // The palette lists what was known when it was opened: extensions may come later.
    await eventually(`command ${command} in the palette`, async () => {
      await this.enterIntoPalette(command);
      if ((await row.count()) > 0) {
        return true;
      }
      await this.quickInput.dismiss();
      return undefined;
    });
    while (!((await row.getAttribute('class')) ?? '').includes('focused')) {
      await this.page.keyboard.press('ArrowDown');
    }
    await this.page.keyboard.press('Enter');
    // What a command asks is asked in the same box: an answer that comes before would be searched for in the palette.
    await this.quickInput.hasLeft(`>${command}`);
  }

  private async enterIntoPalette(command: string): Promise<void> {
    await this.quickInput.open('F1', `>${command}`);
    // The list answers the whole text once what it shows, if only that nothing matches, contains it.
    await this.quickInput.box
      .locator('.quick-input-list')
      .getByText(new RegExp(`${literal(command)}|No matching|similar commands`))
      .filter({ visible: true })
      .first()
      .waitFor();
  }

  private paletteRow(command: string): Locator {
    return this.quickInput.rows
      .filter({ has: this.page.locator('.label-name', { hasText: new RegExp(`^${literal(command)}$`) }) })
      .first();
  }

  /** Opens a file of the workspace by its name, or by the end of its path. */
  async open(file: string): Promise<void> {
    const name = file.split('/').at(-1) ?? file;
    await this.openAny(file);
    await this.activeTab(name).waitFor();
    await this.editor.lines.first().waitFor();
    await this.focusEditor();
  }

  /** Puts the focus into the text in front: a page that VS Code restores may have taken it meanwhile. */
  private async focusEditor(): Promise<void> {
    await eventually('focus in the editor', async () => {
      const isFocused = await this.editor.focused.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
      if (!isFocused) {
        await this.run('View: Focus Active Editor Group');
      }
      return isFocused || undefined;
    });
  }

  /** Opens a file of the workspace in the editor that is made for it, which need not be one of text. */
  async openAny(file: string): Promise<void> {
    const { base, dir } = path.posix.parse(file);
    await eventually(`file ${file} in the list`, async () => {
      await this.quickInput.open('Control+P', file);
      if (await this.quickInput.confirm(base, dir)) {
        return true;
      }
      // The list may be from before the file was written.
      await this.quickInput.dismiss();
      return undefined;
    });
  }

  /** The tab of the editor that is in front. */
  activeTab(name: string): Locator {
    return this.page.locator('.editor-group-container.active .tab.active').filter({ hasText: name });
  }

  /** The item of the status bar that says `text`. */
  statusItem(text: RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text });
  }

  /** A view of the side bar, by the name in its header. */
  view(name: string): Locator {
    return this.sideBar.locator('.pane').filter({ has: this.page.locator('.pane-header', { hasText: name }) });
  }

  /** The rows of a tree in the side bar. */
  rows(view: string): Locator {
    return this.view(view).locator('.monaco-list-row[role="treeitem"]');
  }

  /** Moves the keyboard to the first row of a view of the extension, as a person does who looks where it is. */
  async focusFirstRow(view: string): Promise<void> {
    await this.rows(view).first().waitFor();
    const focused = this.view(view).locator('.monaco-list:focus-within .monaco-list-row.focused');
    // Pages that appear in the side bar with the view take the keyboard when they are loaded.
    await eventually(`a row of ${view} with the keyboard`, async () => {
      if ((await focused.count()) === 0) {
        await this.run(`Scopelight: Focus on ${view} View`);
        await this.page.keyboard.press('ArrowDown');
      }
      return (await focused.count()) > 0 || undefined;
    });
  }

  /** Chooses a run of the Runs view, and leaves it: its tooltip would cover what is looked at. */
  async chooseRun(title: string | RegExp): Promise<Locator> {
    await this.run('Scopelight: Focus on Runs View');
    const row = this.rows('Runs').filter({ hasText: title });
    await row.click();
    await this.leave();
    return row;
  }

  /** Chooses a run until it is what is shown: the editor loses a click where a script's end makes its row anew. */
  async showRun(title: string | RegExp): Promise<void> {
    await eventually(`${title} shown`, async () => {
      const row = await this.chooseRun(title);
      const isShown = row.filter({ hasText: 'shown' }).waitFor({ timeout: 15_000 });
      return isShown.then(
        () => true,
        () => undefined,
      );
    });
  }

  /** Puts the mouse where nothing answers to it. */
  async leave(): Promise<void> {
    await this.page.mouse.move(200, 17);
  }

  /** What the terminal in front shows. */
  async terminalText(): Promise<string> {
    const rows = await this.page.locator('.terminal-wrapper.active .xterm-rows > div').allInnerTexts();
    return rows.join('\n').replaceAll('\u00a0', ' ');
  }

  /** Waits until the terminal in front shows `text`. */
  async terminalShows(text: RegExp, milliseconds = 150_000): Promise<void> {
    await eventually(
      `${text} in the terminal`,
      async () => text.test(await this.terminalText()) || undefined,
      milliseconds,
    );
  }

  /** Picks a colour theme by the name that the list of themes has for it. */
  async useTheme(theme: Theme): Promise<void> {
    // A list that is opened while the editor starts may lack the themes, and stays so.
    await eventually(`list of themes with ${theme.name}`, async () => {
      await this.run('Preferences: Color Theme');
      await this.quickInput.asked(/Color Theme/i);
      await this.quickInput.enter(theme.name);
      const isChosen = await this.quickInput.confirm(theme.name);
      if (!isChosen) {
        await this.quickInput.dismiss();
      }
      return isChosen || undefined;
    });
    await this.page.locator(`.monaco-workbench.${theme.cssClass}`).waitFor();
    await this.quickInput.box.waitFor({ state: 'hidden' });
  }

  /** Picks what the texts are annotated with. */
  async useAnnotations(mode: string): Promise<void> {
    await this.run('Scopelight: Annotation Mode');
    await this.quickInput.choose(/./, mode);
  }

  /** Reloads the window, as its user would. */
  async reload(): Promise<void> {
    // The browser's own reload leaves the editor no time to save which tab is in front.
    const loaded = this.page.waitForEvent('load', { timeout: 60_000 });
    await this.run('Developer: Reload Window');
    await loaded;
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
  }
}

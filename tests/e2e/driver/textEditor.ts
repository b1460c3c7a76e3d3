import type { Locator, Page } from 'playwright-core';
import { eventually, LONGEST_MS } from './processes.js';
import { QuickInput } from './quickInput.js';

/** The editor draws its ruler several times a second at least. */
const RULER_MS = 300;

/** A line as it is drawn: its text, and what the product wrote after it. */
export interface DrawnLine {
  readonly line: number;
  readonly text: string;
  /** The text of decorations after the line; empty where it has none. */
  readonly annotation: string;
  /** The text of decorations left of it, with all its spaces; empty where it has none. */
  readonly left: string;
  /** The colour of the last of these texts. */
  readonly colour: string;
}

/** The text editor in front. */
export class TextEditor {
  readonly element: Locator;
  readonly lines: Locator;
  /** The editor while it has the keyboard. */
  readonly focused: Locator;
  private readonly quickInput: QuickInput;

  constructor(private readonly page: Page) {
    this.element = page.locator('.editor-group-container.active .editor-instance .monaco-editor').first();
    this.lines = this.element.locator('.view-line');
    this.focused = page.locator('.editor-group-container.active .editor-instance .monaco-editor.focused').first();
    this.quickInput = new QuickInput(page);
  }

  /** The lines that are scrolled into view, from the top. */
  async drawnLines(): Promise<DrawnLine[]> {
    return this.element.evaluate((editor) => {
      const numbers = new Map<string, number>();
      for (const row of editor.querySelectorAll<HTMLElement>('.margin-view-overlays > div')) {
        const number = Number(row.querySelector('.line-numbers')?.textContent);
        if (number > 0) {
          numbers.set(row.style.top, number);
        }
      }
      const rows = [...editor.querySelectorAll<HTMLElement>('.view-lines > .view-line')];
      return rows
        .flatMap((row) => {
          const line = numbers.get(row.style.top);
          if (line === undefined) {
            return [];
          }
          const drawn = { '::before': '', '::after': '' };
          let colour = '';
          for (const span of row.querySelectorAll('span > span')) {
            for (const place of ['::before', '::after'] as const) {
              const style = getComputedStyle(span, place);
              if (style.content.startsWith('"')) {
                drawn[place] += (JSON.parse(style.content) as string).replaceAll('\u00a0', ' ');
                colour = style.color;
              }
            }
          }
          const text = row.textContent.replaceAll('\u00a0', ' ');
          return [{ line, text, annotation: drawn['::after'].trim(), left: drawn['::before'], colour }];
        })
        .sort((one, other) => one.line - other.line);
    });
  }

  /** The annotated lines in view. */
  async annotated(): Promise<DrawnLine[]> {
    return (await this.drawnLines()).filter((each) => each.annotation !== '');
  }

  /** The annotated line whose text contains `text`, once it is annotated as `like` says. */
  async annotationOf(text: string, like = /./, milliseconds = LONGEST_MS): Promise<DrawnLine> {
    return eventually(
      `annotation like ${like} after the line «${text}»`,
      async () => (await this.annotated()).find((each) => each.text.includes(text) && like.test(each.annotation)),
      milliseconds,
    );
  }

  /** Puts the cursor on a line by its number, with the keyboard. */
  async goTo(line: number): Promise<void> {
    await this.quickInput.open('Control+G', `:${line}`);
    await this.page.keyboard.press('Enter');
    await this.cursorIsOn(line);
    await this.focused.waitFor();
  }

  /** Waits until the status bar says that the cursor is on one of the lines. */
  async cursorIsOn(...lines: readonly number[]): Promise<void> {
    await this.page
      .locator('.part.statusbar .statusbar-item')
      .filter({ hasText: new RegExp(`^Ln (?:${lines.join('|')}), `) })
      .waitFor();
  }

  /** The colour behind the text. */
  async background(): Promise<string> {
    return this.element
      .locator('.monaco-editor-background')
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  }

  /** The card of the line under the cursor, asked for with the keyboard until there is one. */
  async hoverCard(): Promise<Locator> {
    const card = this.page.locator('.monaco-resizable-hover .monaco-hover:visible');
    await eventually('hover card', async () => {
      await this.page.keyboard.press('Control+K');
      await this.page.keyboard.press('Control+I');
      return card
        .filter({ hasNotText: 'Loading...' })
        .locator('.hover-contents')
        .first()
        .waitFor({ timeout: 3_000 })
        .then(
          () => true,
          () => undefined,
        );
    });
    // It fades in.
    await card.evaluate((element) =>
      Promise.allSettled(element.getAnimations({ subtree: true }).map((each) => each.finished)),
    );
    return card;
  }

  /**
   * The colours of the marks in the overview ruler, right of the text, with the share of its height that each takes. It
   * is drawn after the text that it is of: told once it stays the same.
   */
  async rulerColours(): Promise<Map<string, number>> {
    let before = '';
    return eventually('overview ruler that stays the same', async () => {
      const colours = await this.presentRulerColours();
      const now = JSON.stringify([...colours]);
      const isSame = now === before;
      before = now;
      if (!isSame) {
        await this.page.waitForTimeout(RULER_MS);
      }
      return isSame ? colours : undefined;
    });
  }

  private async presentRulerColours(): Promise<Map<string, number>> {
    const counted = await this.element.locator('canvas.decorationsOverviewRuler').evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const context = canvas.getContext('2d');
      if (context === null || canvas.width === 0) {
        return [];
      }
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const rows = new Map<string, Set<number>>();
      for (let pixel = 0; pixel < data.length; pixel += 4) {
        if ((data[pixel + 3] ?? 0) > 0) {
          const colour = `${data[pixel]},${data[pixel + 1]},${data[pixel + 2]}`;
          const row = Math.floor(pixel / 4 / canvas.width);
          rows.set(colour, (rows.get(colour) ?? new Set()).add(row));
        }
      }
      return [...rows].map(([colour, all]) => [colour, all.size / canvas.height] as const);
    });
    return new Map(counted);
  }
}

import path from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { picturesIn } from '../driver/pictures.js';
import { eventually } from '../driver/processes.js';
import { darkModern, lightModern, type Theme } from '../driver/workbench.js';
import { root } from '../development.js';
import { useEditor } from '../editor.js';
import { lineOf } from '../workspace.js';

const editor = useEditor({ withRun: true });
const picture = picturesIn(path.join(root, 'test-results/text'), () => editor().workbench.page);
const UP = 'layer["up"]';
const COLUMN = 100;

function useSettings(settings: Readonly<Record<string, unknown>>): void {
  editor().workspace.write('.vscode/settings.json', JSON.stringify(settings));
}

async function inBothThemes(look: (theme: Theme) => Promise<void>): Promise<void> {
  for (const theme of [lightModern, darkModern]) {
    await editor().workbench.useTheme(theme);
    await look(theme);
  }
}

/** Where the text of lines begins, in columns from the left edge of the text, without what is drawn before it. */
async function codeStarts(): Promise<Map<number, number>> {
  const { element } = editor().workbench.editor;
  const starts = await element.evaluate((drawn) => {
    const numbers = new Map<string, number>();
    for (const row of drawn.querySelectorAll<HTMLElement>('.margin-view-overlays > div')) {
      numbers.set(row.style.top, Number(row.querySelector('.line-numbers')?.textContent));
    }
    return [...drawn.querySelectorAll<HTMLElement>('.view-lines > .view-line')].flatMap((row) => {
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      const first = walker.nextNode();
      const line = numbers.get(row.style.top) ?? 0;
      if (first === null || line === 0) {
        return [];
      }
      const range = document.createRange();
      range.selectNodeContents(first);
      return [[line, range.getBoundingClientRect().left - row.getBoundingClientRect().left] as const];
    });
  });
  return new Map(starts);
}

async function lineWithLeft(text: string, like: RegExp) {
  return eventually(`column left of «${text}» like ${like}`, async () =>
    (await editor().workbench.editor.drawnLines()).find((each) => each.text.includes(text) && like.test(each.left)),
  );
}

/** What a card says of ops, line by line, and whether any of it is out of sight to the right. */
async function opLines(card: Locator): Promise<{ readonly lines: readonly string[]; readonly isCut: boolean }> {
  const lines = (await card.locator('.monaco-tokenized-source').last().innerText()).split('\n');
  const isCut = await card.evaluate((element) =>
    [element, ...element.querySelectorAll('*')].some((each) => each.scrollWidth > each.clientWidth + 1),
  );
  return { lines: lines.map((each) => each.replaceAll('\u00a0', ' ')), isCut };
}

test('a card begins with a sentence, and no line of its ops is broken or cut', async () => {
  const { workbench, workspace } = editor();
  await workbench.open('decoder.py');
  await workbench.showRun('transformer.py');
  const source = workspace.read('decoder.py');
  await inBothThemes(async (theme) => {
    for (const text of [UP, 'log_probability = ', 'query, key, value = ', 'weights = jax.nn.softmax']) {
      await workbench.editor.goTo(lineOf(source, text));
      await workbench.editor.annotationOf(text);
      const card = await workbench.editor.hoverCard();
      const first = await card.locator('.hover-contents p').first().innerText();
      expect(first).toMatch(/^≈?[\d.]+ % of the step: [\d.]+ [mµ]?s[^·]*\.$/);
      const { lines, isCut } = await opLines(card);
      expect(lines.length).toBeGreaterThan(1);
      expect(lines.length).toBeLessThanOrEqual(4);
      expect(Math.max(...lines.map((each) => each.length))).toBeLessThanOrEqual(80);
      expect(lines[0]).toMatch(/^op .*of line/);
      expect(isCut).toBe(false);
      if (text === UP) {
        await picture(`${theme.name} card`);
      }
      await workbench.page.keyboard.press('Escape');
    }
  });
});

test('a call has a bar of its own form, as long as its share', async () => {
  const { workbench, workspace } = editor();
  await workbench.open('transformer.py');
  await workbench.editor.goTo(lineOf(workspace.read('transformer.py'), 'value_and_grad(next_token_loss)'));
  const call = await workbench.editor.annotationOf('value_and_grad(next_token_loss)', /inclusive$/);
  expect(call.annotation).toMatch(/^╍{4,5}·? [\d.]+ % inclusive$/);
  const card = await workbench.editor.hoverCard();
  expect(await card.locator('.hover-contents p').first().innerText()).toMatch(
    /^[\d.]+ % of the step is in what it calls: [\d.]+ [mµ]?s\.$/,
  );
  await workbench.page.keyboard.press('Escape');
  await workbench.editor.goTo(lineOf(workspace.read('transformer.py'), 'def main'));
  await inBothThemes((theme) => picture(`${theme.name} inclusive`));
});

test('annotations can stand at one column of the file', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(45);
  useSettings({ 'scopelight.annotations.position': 'column', 'scopelight.annotations.column': COLUMN });
  await inBothThemes(async (theme) => {
    await workbench.editor.annotationOf(UP);
    await picture(`${theme.name} column`);
  });
});

test('annotations can stand left of the code, which keeps its shape', async () => {
  const { workbench, workspace } = editor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(45);
  const before = await codeStarts();
  useSettings({ 'scopelight.annotations.position': 'beforeLine' });
  const figure = /^ [▰▱○]{5} +≈?[\d.]+ %$/;
  const hot = await lineWithLeft(UP, figure);
  expect(hot.annotation).toBe('');
  await inBothThemes(async (theme) => {
    await lineWithLeft(UP, figure);
    await picture(`${theme.name} left`);
  });
  const after = await codeStarts();
  const shifts = [...after].flatMap(([line, start]) => (before.has(line) ? [start - (before.get(line) ?? 0)] : []));
  expect(shifts.length).toBeGreaterThan(20);
  expect(Math.max(...shifts) - Math.min(...shifts)).toBeLessThan(1);
  expect(Math.min(...shifts)).toBeGreaterThan(80);
  // What is typed has the column at once: a line that is new, the one it came from, and one that is edited.
  const number = lineOf(workspace.read('decoder.py'), UP);
  await workbench.editor.goTo(number);
  await workbench.page.keyboard.press('Home');
  await workbench.page.keyboard.type('# 学習率\n');
  await workbench.page.keyboard.press('End');
  await workbench.page.keyboard.type('  # edited');
  const edited = await lineWithLeft('# edited', figure);
  expect(edited.line).toBe(number + 1);
  const starts = await eventually('lines that all have the column', async () => {
    const drawn = await workbench.editor.drawnLines();
    return drawn.every((each) => each.left !== '') ? codeStarts() : undefined;
  });
  expect(Math.abs((starts.get(number) ?? 0) - (starts.get(number + 2) ?? 1))).toBeLessThan(1);
  await picture('left, edited');
  await workbench.run('File: Revert File');
  await lineWithLeft(UP, figure);
});

test('annotations left of the code tell phases apart, and figures of FLOPs end in one column', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(45);
  useSettings({ 'scopelight.annotations.position': 'beforeLine', 'scopelight.annotations.mode': 'phases' });
  await lineWithLeft(UP, /% (fwd|bwd)$/);
  await inBothThemes((theme) => picture(`${theme.name} left, phases`));
  useSettings({ 'scopelight.annotations.position': 'beforeLine', 'scopelight.annotations.mode': 'flops' });
  await lineWithLeft(UP, /FLOP\/s$|^ [▰▱]{5} +[≈≥]?\d+ %$/);
  await inBothThemes((theme) => picture(`${theme.name} left, FLOPs`));
  const figures = (await workbench.editor.drawnLines()).map(({ left }) => left).filter((left) => /\d/.test(left));
  expect(new Set(figures.map((left) => left.length)).size).toBe(1);
});

test('annotations stay after their lines where lines are wrapped', async () => {
  const { workbench } = editor();
  useSettings({ 'scopelight.annotations.position': 'beforeLine', 'editor.wordWrap': 'on' });
  expect((await workbench.editor.annotationOf(UP)).left).toBe('');
  await picture('wrapped');
});

import path from 'node:path';
import { expect, test } from 'vitest';
import { small, wide } from '../driver/browser.js';
import { focusedRow, Panels, selectedRow } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { Problems } from '../driver/problems.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { useEditor } from '../editor.js';

// The mouse stays still in this file but for the charts.
const editor = useEditor({ withRun: true, settings: { ...developmentDaemon, 'editor.fontSize': 13 } });

const LINE = 48;
const TEXT = 'layer["up"]';

const panels = () => new Panels(editor().workbench);

const picture = picturesIn(path.join(root, 'test-results/ops'), () => editor().workbench.page);

/** How a page is laid out: how much there is of its table, and whether the row with the focus is in sight. */
function laidOut(frame: Element) {
  const element = (selector: string): Element => {
    const one = frame.querySelector(selector);
    if (one === null) {
      throw new Error(`The page has no ${selector}.`);
    }
    return one;
  };
  const main = element('main');
  const seen = main.getBoundingClientRect();
  const row = element('.row:focus').getBoundingClientRect();
  return {
    rows: Math.floor(element('main > .table').clientHeight / row.height) - 1,
    isRowInSight: row.top >= seen.top - 1 && row.bottom <= Math.min(seen.bottom, innerHeight) + 1,
    // As high as their row, or what they hold would be elsewhere.
    cellsAstray: [...frame.querySelectorAll('main > .table .row > .cell')].filter(
      (cell) => cell.getBoundingClientRect().height > row.height + 1,
    ).length,
    isOverprinted: getComputedStyle(main).overflowY === 'visible' && main.scrollHeight > main.clientHeight,
  };
}

const percentOf = (text: string | null) => Number(/(\d+(\.\d+)?) %/.exec(text ?? '')?.[1] ?? Number.NaN);

test('shows the run', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.showRun('transformer.py');
  await workbench.statusItem(/% busy/).waitFor();
});

test.each(themes)('walks from a line to its op and back, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  await workbench.open('decoder.py');
  await workbench.editor.goTo(LINE);
  await workbench.editor.annotationOf(TEXT);

  // From the line to its op, with the card of it.
  const page = await panels().open('Op Profile');
  const op = selectedRow(page);
  await op.waitFor();
  await expect.poll(() => op.getAttribute('aria-level')).toBe('3');
  const name = (await op.locator('.op-in-xla').innerText()).trim();
  const card = page.locator('.op-card');
  await card.getByText(name).first().waitFor();
  await card.getByText(`decoder.py:${LINE}`).first().waitFor();
  await card.getByText('f32[').first().waitFor();
  await expect.poll(() => card.innerText()).toMatch(/FLOP\/s/);
  await picture(`Op Profile ${theme.name}`);

  // And back to the line.
  await panels().tabTo(focusedRow(page));
  await panels().press('Enter');
  await workbench.activeTab('decoder.py').waitFor();
  await workbench.editor.cursorIsOn(LINE);
});

test.each(themes)('expands and folds what is selected, in $name', async (theme) => {
  await editor().workbench.useTheme(theme);
  const page = await panels().open('Op Profile');
  await panels().tabTo(focusedRow(page));
  // The page draws what a key did after it has taken the key: what it shows then is waited for.
  const row = focusedRow(page);
  const rowCount = async () => Number(await page.getByRole('treegrid').getAttribute('aria-rowcount'));
  await panels().press('Home');
  await row.filter({ hasText: '100.0 %' }).waitFor();
  const total = await row.innerText();
  await panels().press('ArrowDown');
  await expect.poll(() => row.innerText()).not.toBe(total);
  if ((await row.getAttribute('aria-expanded')) === 'true') {
    await panels().press('ArrowLeft');
  }
  await expect.poll(() => row.getAttribute('aria-expanded')).toBe('false');
  const folded = await rowCount();
  const category = await row.innerText();
  await panels().press('ArrowRight');
  await expect.poll(() => row.getAttribute('aria-expanded')).toBe('true');
  await expect.poll(rowCount).toBeGreaterThan(folded);
  await panels().press('ArrowRight');
  await expect.poll(() => row.getAttribute('aria-level')).toBe('3');
  expect(percentOf(await row.innerText())).toBeLessThanOrEqual(percentOf(category));
  await picture(`Op Profile expanded ${theme.name}`);
  await panels().press('ArrowLeft');
  await expect.poll(() => row.getAttribute('aria-level')).toBe('2');
  await panels().press('ArrowLeft');
  await expect.poll(rowCount).toBe(folded);
});

test.each(themes)('sorts by time, and finds ops by name, in $name', async (theme) => {
  await editor().workbench.useTheme(theme);
  const page = await panels().open('Op Profile');
  const wasted = page.getByRole('radio', { name: 'Wasted Time' }).or(page.getByRole('button', { name: 'Wasted Time' }));
  await panels().tabTo(focusedRow(page));
  await panels().tabTo(page.locator('[role="columnheader"]:focus'), 'Shift+Tab');
  const header = page.locator('[role="columnheader"]:focus');
  // The header that was reached before is reached again: to the first one, and from there.
  await panels().press(...Array.from({ length: 12 }, () => 'ArrowLeft'), 'ArrowRight', 'ArrowRight');
  await header.filter({ hasText: 'Self' }).waitFor();
  const order = () => header.getAttribute('aria-sort');
  for (let presses = 0; presses < 2 || (await order()) !== 'descending'; presses++) {
    const before = await order();
    await panels().press('Enter');
    await expect.poll(order).not.toBe(before);
  }
  await expect.poll(() => wasted.count()).toBe(1);

  const search = page.locator('vscode-textfield[focused]');
  await panels().tabTo(search, 'Shift+Tab');
  await editor().workbench.page.keyboard.type('dot');
  await page.getByRole('row').filter({ hasText: 'dot' }).nth(2).waitFor();
  const names = await page.getByRole('row').locator('[role="gridcell"]:first-child').allInnerTexts();
  expect(names.filter((each) => each.includes('dot')).length).toBeGreaterThan(1);
  await picture(`Op Profile found ${theme.name}`);
  await panels().press('Control+A', 'Delete');
});

test('draws every view of ops', async () => {
  const { workbench } = editor();
  for (const theme of themes) {
    await workbench.useTheme(theme);
    for (const title of ['Op Statistics', 'FLOPs', 'Roofline']) {
      const page = await panels().open(title);
      await panels().tabTo(focusedRow(page));
      await panels().press('Home', 'ArrowDown');
      await page.locator('.details').getByText(/./).first().waitFor();
      await expect.poll(() => page.locator('body').innerText()).toMatch(/FLOP/);
      await picture(`${title} ${theme.name}`);
    }
  }
});

test.each([
  ['beside problems', small],
  ['tiny', { width: 640, height: 480 }],
])('has rows to go through in a short editor: %s', async (name, size) => {
  const { workbench } = editor();
  await new Problems(workbench).open();
  for (const title of ['Op Profile', 'Op Statistics', 'FLOPs', 'Roofline']) {
    const page = await panels().open(title);
    await workbench.page.setViewportSize(size);
    await panels().tabTo(focusedRow(page));
    await panels().press('Home', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    // A page is laid out anew after the window has its size.
    const laid = () => page.locator('.frame').evaluate(laidOut);
    await expect
      .poll(laid, { message: title })
      .toMatchObject({ isRowInSight: true, isOverprinted: false, cellsAstray: 0 });
    await expect.poll(async () => (await laid()).rows, { message: title }).toBeGreaterThanOrEqual(4);
    await workbench.page.screenshot({ path: path.join(root, 'test-results/ops', `${title} ${name}.png`) });
    await workbench.page.setViewportSize(wide);
  }
  await workbench.run('View: Hide Panel');
});

test('says rates on the lines', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(LINE);
  await workbench.useAnnotations('FLOPs');
  const { annotation } = await workbench.editor.annotationOf(TEXT, /FLOP\/s/);
  expect(annotation).toMatch(/^[▰▱]{5} ≈?[\d.]+ [GM]FLOP\/s {2}[\d.]+ % of peak$/);
  await workbench.useAnnotations('Time');
  await workbench.editor.annotationOf(TEXT, /\/step/);
});

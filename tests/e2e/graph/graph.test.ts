import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { developmentDaemon, root } from '../development.js';
import { choice, Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { useEditor } from '../editor.js';

const editor = useEditor({ withRun: true, settings: { ...developmentDaemon, 'editor.fontSize': 13 } });

/** In `block` of decoder.py. */
const LINE = 48;

const panels = () => new Panels(editor().workbench);
const pictures = picturesIn(path.join(root, 'test-results/graph'), () => editor().workbench.page);
const readout = (page: FrameLocator) => page.locator('.graph-picture .readout').innerText();
const status = (page: FrameLocator) => page.locator('.status-line').innerText();

/** The panel with its picture, which has the keyboard. */
async function open(): Promise<FrameLocator> {
  const page = await panels().openPage('Graph');
  await page.getByRole('application').waitFor();
  await panels().tabTo(page.locator('[role="application"]:focus'));
  return page;
}

test('shows the run', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.showRun('transformer.py');
  await workbench.statusItem(/% busy/).waitFor();
});

test.each(themes)('goes from a line to its node, to ops, and back to the line by keys, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  await workbench.open('decoder.py');
  await workbench.editor.goTo(LINE);
  const page = await open();
  await panels().press('Home');
  await expect.poll(() => readout(page)).toContain(`decoder.py:${LINE}`);
  await expect.poll(() => status(page)).toMatch(/\d+ nodes, \d+ edges · .* of op time over \d+ complete steps/);
  await pictures(`${theme.name} lines`);

  await choice(page, 'Level', 'Scopes').click();
  await expect.poll(() => page.locator('.details').innerText()).toContain('jit_train_step');
  await pictures(`${theme.name} scopes`);

  await choice(page, 'Level', 'Ops').click();
  await page.locator('.select', { hasText: 'Radius' }).waitFor();
  await panels().tabTo(page.locator('[role="application"]:focus'));
  await panels().press('ArrowDown');
  await expect.poll(() => readout(page)).toMatch(/\d+ in, /);
  await pictures(`${theme.name} ops`);

  await panels().press('Home');
  await page.locator('.select', { hasText: 'Radius' }).waitFor({ state: 'hidden' });
  await panels().press('Escape', 'ArrowDown');
  await expect.poll(() => readout(page)).toMatch(/\.py:\d+/);
  const [, file = '', line = ''] = /(\w+\.py):(\d+)/.exec(await readout(page)) ?? [];
  await panels().press('Enter');
  await workbench.activeTab(file).waitFor();
  await workbench.editor.cursorIsOn(Number(line));
});

test('opens scopes in place and closes them, by keys', async () => {
  const page = await open();
  await choice(page, 'Level', 'Scopes').click();
  await expect.poll(() => status(page)).toMatch(/\d+ nodes/);
  await panels().tabTo(page.locator('[role="application"]:focus'));
  await panels().press('Escape', 'ArrowDown');
  await expect.poll(() => readout(page)).toContain('ops');
  const before = await status(page);
  await panels().press('o');
  await expect.poll(() => readout(page)).toMatch(/· open$/);
  expect(await status(page)).not.toBe(before);
  await pictures('Opened scope');
  await panels().press('o');
  await expect.poll(() => readout(page)).not.toMatch(/· open$/);
});

test('finds ops in fusions and loops, and opens the way to each', async () => {
  const page = await open();
  await panels().tabTo(page.locator('vscode-textfield[focused]'), 'Shift+Tab');
  await editor().workbench.page.keyboard.type('dot');
  await expect.poll(() => page.locator('.graph-hits').innerText()).toMatch(/^\d+ hits$/);
  await panels().press('Enter');
  await expect.poll(() => page.locator('.graph-hits').innerText()).toMatch(/^1 of \d+$/);
  await expect.poll(() => readout(page)).toContain('dot');
  const first = await readout(page);
  await panels().press('Enter');
  await expect.poll(() => readout(page)).not.toBe(first);
  await pictures('Found');
  await panels().press('Control+A', 'Delete');
  await page.locator('.graph-hits').waitFor({ state: 'hidden' });
});

test('leads from a line to its ops', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(LINE);
  const page = await open();
  await panels().press('Home');
  await expect.poll(() => readout(page)).toContain(`decoder.py:${LINE}`);
  await panels().press('n');
  await expect.poll(() => page.locator('.graph-hits').innerText()).toMatch(/^\d+ of \d+$/);
  await expect.poll(() => readout(page)).toMatch(new RegExp(`decoder\\.py:${LINE}.* in, `));
  await choice(page, 'Level', 'Ops').and(page.locator('[aria-checked="true"]')).waitFor();
  await expect.poll(() => page.locator('.graph-hits').innerText()).toMatch(/^\d+ of \d+$/);
  await pictures('Ops of a line');
  await panels().tabTo(page.locator('vscode-textfield[focused]'), 'Shift+Tab');
  await panels().press('Control+A', 'Delete');
});

test('widens neighbourhoods, and shows the way to another op', async () => {
  const { workbench } = editor();
  const page = await open();
  await choice(page, 'Level', 'Ops').click();
  const radius = page.locator('.select', { hasText: 'Radius' }).locator('select');
  await radius.waitFor();
  await panels().tabTo(page.locator('[role="application"]:focus'));
  await panels().press('+');
  await expect.poll(() => radius.inputValue()).toBe('3');
  await panels().press('-');
  await expect.poll(() => radius.inputValue()).toBe('2');
  await panels().press('ArrowDown', 'ArrowDown', 'Shift+F10');
  await page.getByRole('menuitem', { name: /Show the Way from/ }).click();
  await expect.poll(() => status(page)).toMatch(/nodes/);
  await pictures('Way');
  await panels().press('Home');
  await expect.poll(() => status(page)).toContain('without a line');
  await workbench.page.screenshot({ path: path.join(root, 'test-results/graph/Home.png') });
});

test('tells of a node under the mouse, and zooms by the wheel', async () => {
  const { workbench } = editor();
  const page = await open();
  const box = await page.getByRole('application').boundingBox();
  if (box === null) {
    throw new Error('There is no picture.');
  }
  await panels().press('Home', 'Escape', 'ArrowDown');
  await expect.poll(() => page.locator('.outline.chosen').count()).toBe(1);
  const chosen = await page.locator('.outline.chosen').boundingBox();
  await page.getByRole('application').hover({
    position: { x: (chosen?.x ?? 0) - box.x + 20, y: (chosen?.y ?? 0) - box.y + 12 },
  });
  await page.locator('.pointer-card').waitFor();
  await workbench.page.screenshot({ path: path.join(root, 'test-results/graph/Card.png') });
  await workbench.page.mouse.wheel(0, -400);
  await expect
    .poll(async () => (await page.locator('.outline.chosen').boundingBox())?.width ?? 0)
    .toBeGreaterThan((chosen?.width ?? 0) * 1.2);
});

test('has the same in a table', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Show as Table' }).click();
  await page.getByRole('row').nth(1).waitFor();
  await choice(page, 'Rows', 'Edges').click();
  await page.getByRole('columnheader', { name: 'From' }).waitFor();
  await pictures('Edges');
  await page.getByRole('button', { name: 'Show as Chart' }).click();
  await page.getByRole('application').waitFor();
});

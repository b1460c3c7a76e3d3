import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { wide } from '../driver/browser.js';
import { focusedRow, Panels, selectedRow } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { useEditor } from '../editor.js';

const editor = useEditor({ withRun: true, settings: { ...developmentDaemon, 'editor.fontSize': 13 } });

/** In `block` of decoder.py. */
const LINE = 48;

const panels = () => new Panels(editor().workbench);
const picture = (page: FrameLocator) => page.getByRole('application');
const readout = (page: FrameLocator) => page.locator('.icicle .readout').innerText();

const pictures = picturesIn(path.join(root, 'test-results/flame'), () => editor().workbench.page);

test('shows the run', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.showRun('transformer.py');
  await workbench.statusItem(/% busy/).waitFor();
});

test.each(themes)('walks from a line to its frame, its callers and back, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  await workbench.open('decoder.py');
  await workbench.editor.goTo(LINE);
  const page = await panels().open('Flame Graph');
  await selectedRow(page)
    .filter({ hasText: `decoder.py:${LINE}` })
    .waitFor();
  await expect.poll(() => readout(page)).toContain(`decoder.py:${LINE}`);
  await expect.poll(() => page.locator('.details').innerText()).toMatch(/Called by[\s\S]*next_token_loss/);
  await pictures(`Flame Graph ${theme.name}`);

  await panels().tabTo(focusedRow(page));
  await panels().press('Enter');
  await workbench.activeTab('decoder.py').waitFor();
  await workbench.editor.cursorIsOn(LINE);
});

test('is gone through, zoomed and left by the keyboard alone', async () => {
  const { workbench } = editor();
  const page = await panels().open('Flame Graph');
  await panels().tabTo(page.locator('[role="application"]:focus'));
  await panels().press('Home');
  await expect.poll(() => readout(page)).toContain('All');
  await panels().press('ArrowUp');
  await expect.poll(() => readout(page)).toContain('transformer.py');
  await panels().press('Space');
  await page.getByRole('navigation', { name: 'Zoomed to' }).waitFor();
  await panels().press('Escape');
  await page.getByRole('navigation', { name: 'Zoomed to' }).waitFor({ state: 'hidden' });
  await panels().press('ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp');
  await expect.poll(() => readout(page)).toContain('decoder.py');
  const line = Number(/decoder\.py:(\d+)/.exec(await readout(page))?.[1]);
  await panels().press('Enter');
  await workbench.activeTab('decoder.py').waitFor();
  await workbench.editor.cursorIsOn(line);
});

test('tells of a frame under the mouse, zooms by a click, and goes to the line by a double click', async () => {
  const { workbench } = editor();
  const page = await panels().open('Flame Graph');
  const box = await picture(page).boundingBox();
  if (box === null) {
    throw new Error('There is no picture.');
  }
  // The root is at the bottom, and what it calls above.
  const at = { x: 40, y: box.height - 24 * 2.5 };
  await picture(page).hover({ position: at });
  const card = page.locator('.icicle-card');
  await card.getByText('main').waitFor();
  await expect.poll(() => card.innerText()).toMatch(/% of all/);
  await workbench.page.screenshot({ path: path.join(root, 'test-results/flame/Card.png') });
  await picture(page).click({ position: at });
  await expect.poll(() => page.locator('.icicle-path').innerText()).toContain('main');
  await page.locator('.icicle-path .link').first().click();
  await page.locator('.icicle-path').waitFor({ state: 'hidden' });
  await picture(page).dblclick({ position: at });
  await workbench.activeTab('transformer.py').waitFor();
});

test('finds frames, and says what all of them have', async () => {
  const page = await panels().open('Flame Graph');
  await panels().tabTo(page.locator('vscode-textfield[focused]'), 'Shift+Tab');
  await editor().workbench.page.keyboard.type('attention');
  await expect.poll(() => page.locator('.found').innerText()).toMatch(/^\d+ frames found: [\d.]+ m?s, [\d.]+ %$/);
  await page.getByRole('row').filter({ hasText: 'attention' }).first().waitFor();
  await pictures('Found');
  await panels().press('Control+A', 'Delete');
  await page.locator('.found').waitFor({ state: 'hidden' });
});

test('has lines in place of stacks, an icicle and another measure', async () => {
  const page = await panels().open('Flame Graph');
  await page.getByRole('radio', { name: 'Lines' }).click();
  await page
    .getByRole('row')
    .filter({ hasText: `decoder.py:${LINE}` })
    .first()
    .waitFor();
  await page.getByRole('radio', { name: 'Icicle' }).click();
  await page.getByRole('radio', { name: 'First run' }).click();
  await page.getByText(/over \d+ complete steps/).waitFor();
  await page.locator('.select', { hasText: 'Width' }).locator('select').selectOption({ label: 'FLOPs' });
  await expect.poll(() => page.locator('.status-line').innerText()).toContain('FLOP');
  await pictures('Lines by FLOPs');
  await page.locator('.select', { hasText: 'Width' }).locator('select').selectOption({ label: 'Memory at the peak' });
  await expect.poll(() => page.locator('.status-line').innerText()).toMatch(/[KMG]iB/);
  await pictures('Lines by memory');
});

test('has rows to go through in a short editor', async () => {
  const { workbench } = editor();
  const page = await panels().open('Flame Graph');
  await page.getByRole('radio', { name: 'Stacks' }).click();
  await workbench.page.setViewportSize({ width: 640, height: 480 });
  await panels().tabTo(focusedRow(page));
  await panels().press('Home', 'ArrowDown');
  const rows = () =>
    page
      .locator('main > .table')
      .evaluate((table) => Math.floor(table.clientHeight / (table.querySelector('.row')?.clientHeight ?? 1)) - 1);
  await expect.poll(rows).toBeGreaterThanOrEqual(4);
  await workbench.page.screenshot({ path: path.join(root, 'test-results/flame/Tiny.png') });
  await workbench.page.setViewportSize(wide);
});

import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from './driver/processes.js';
import { useEditor, type Editor } from './editor.js';

// The mouse stays still in this file.
const editor = useEditor({ withRun: true });

/** Presses Tab until the focus is on a row of the table. */
async function tabToTable({ workbench }: Editor, page: FrameLocator): Promise<void> {
  const focused = page.locator('[role="row"]:focus');
  for (let presses = 0; presses < 20 && (await focused.count()) === 0; presses++) {
    await workbench.page.keyboard.press('Tab');
  }
  await focused.waitFor();
}

test('shows a run from the tree', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.run('Scopelight: Focus on Runs View');
  const row = workbench.rows('Runs').filter({ hasText: 'transformer.py' });
  await row.waitFor();
  await workbench.page.keyboard.press('ArrowDown');
  await workbench.page.keyboard.press('Enter');
  await row.filter({ hasText: 'shown' }).waitFor();
});

test('opens the context menu of a run, and pins it', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Focus on Runs View');
  await workbench.page.keyboard.press('ArrowDown');
  await workbench.page.keyboard.press('Shift+F10');
  const menu = workbench.page.locator('.context-view .monaco-menu');
  await menu.waitFor();
  const items = await menu.locator('.action-label').allInnerTexts();
  for (const item of ['Reveal Run', 'Pin Run', 'Delete Run']) {
    expect(items).toContain(item);
  }
  const pin = menu.locator('.action-item.focused').filter({ hasText: 'Pin Run' });
  for (let presses = 0; presses < 10 && (await pin.count()) === 0; presses++) {
    await workbench.page.keyboard.press('ArrowDown');
  }
  await workbench.page.keyboard.press('Enter');
  await menu.waitFor({ state: 'hidden' });
  await eventually(
    'command to unpin the run',
    async () => (await workbench.isOffered('Scopelight: Unpin Run')) || undefined,
  );
});

test('reads, searches, copies and follows Hot Lines', async () => {
  const { workbench, context } = editor();
  await workbench.run('Scopelight: Open Hot Lines');
  await workbench.activeTab('Hot Lines').waitFor();
  const page = await workbench.webviews.over('editor');
  await page.getByRole('row').filter({ hasText: 'decoder.py:48' }).waitFor();
  await tabToTable(editor(), page);

  await workbench.page.keyboard.press('End');
  await workbench.page.keyboard.press('Home');
  const first = page.locator('[role="row"]:focus');
  const hottest = (await first.textContent()) ?? '';
  await workbench.page.keyboard.press('ArrowDown');
  expect(await first.textContent()).not.toBe(hottest);
  await workbench.page.keyboard.press('ArrowUp');
  expect(await first.textContent()).toBe(hottest);

  await workbench.page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: /Copy Row/ }).waitFor();
  expect(await page.locator('[role="menuitem"]:focus').innerText()).toMatch(/Go to Line/);
  await workbench.page.keyboard.press('Escape');
  await workbench.page.keyboard.press('Control+C');
  const place = /\w+\.py:(\d+)/.exec(hottest)?.[0] ?? 'no place';
  await expect.poll(() => context.pages()[0]?.evaluate(() => navigator.clipboard.readText())).toContain(place);

  await workbench.page.keyboard.press('Enter');
  const [file = '', line = ''] = place.split(':');
  await workbench.activeTab(file).waitFor();
  await workbench.editor.cursorIsOn(Number(line));
});

test('sorts and searches the table', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Open Hot Lines');
  await workbench.activeTab('Hot Lines').waitFor();
  const page = await workbench.webviews.over('editor');
  const search = page.getByRole('textbox').or(page.getByRole('searchbox')).first();
  const focused = () => search.evaluate((element) => element.matches(':focus, :focus-within'));
  for (let presses = 0; presses < 20 && !(await focused()); presses++) {
    await workbench.page.keyboard.press('Shift+Tab');
  }
  await workbench.page.keyboard.type('optimizer.py');
  await page.getByRole('row').filter({ hasText: 'decoder.py' }).first().waitFor({ state: 'detached' });
  expect(await page.getByRole('row').filter({ hasText: 'optimizer.py' }).count()).toBeGreaterThan(1);
  await workbench.page.keyboard.press('Control+A');
  await workbench.page.keyboard.press('Delete');
  await page.getByRole('row').filter({ hasText: 'decoder.py' }).first().waitFor();
});

test('switches what annotations say, and switches them off', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(48);
  await workbench.editor.annotationOf('layer["up"]', /\/step$/);
  await workbench.run('Scopelight: Annotation Mode');
  await workbench.quickInput.choose(/./, 'Phases');
  await workbench.editor.annotationOf('layer["up"]', /fwd \d+ bwd \d+/);
  await workbench.run('Scopelight: Annotation Mode');
  await workbench.quickInput.choose(/./, 'Time');
  await workbench.editor.annotationOf('layer["up"]', /\/step$/);
});

test('copies a line as Markdown', async () => {
  const { workbench, context } = editor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(48);
  await workbench.run('Scopelight: Copy as Markdown');
  await expect
    .poll(() => context.pages()[0]?.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/decoder\.py:48[\s\S]* %/);
});

test('clears what is shown', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Clear');
  await expect.poll(async () => (await workbench.editor.annotated()).length).toBe(0);
  expect(await workbench.isOffered('Scopelight: Clear')).toBe(false);
});

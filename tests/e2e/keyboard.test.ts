import { expect, test } from 'vitest';
import { Panels } from './driver/panels.js';
import { eventually } from './driver/processes.js';
import { useEditor } from './editor.js';

// The mouse stays still in this file.
const editor = useEditor({ withRun: true });

const panels = () => new Panels(editor().workbench);

test('shows a run from the tree', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.run('Scopelight: Focus on Runs View');
  const row = workbench.rows('Runs').filter({ hasText: 'transformer.py' });
  await row.waitFor();
  await workbench.focusFirstRow('Runs');
  await workbench.page.keyboard.press('Enter');
  await row.filter({ hasText: 'shown' }).waitFor();
});

test('opens the context menu of a run, and pins it', async () => {
  const { workbench } = editor();
  await workbench.focusFirstRow('Runs');
  await workbench.page.keyboard.press('Shift+F10');
  const menu = workbench.page.locator('.context-view .monaco-menu');
  await menu.waitFor();
  const items = await menu.locator('.action-label').allInnerTexts();
  for (const item of ['Reveal Run', 'Pin Run', 'Delete Run']) {
    expect(items).toContain(item);
  }
  const pin = menu.locator('.action-item.focused').filter({ hasText: 'Pin Run' });
  // The menu is drawn before it has the keyboard.
  await eventually('Pin Run with the keyboard', async () => {
    if ((await pin.count()) === 0) {
      await workbench.page.keyboard.press('ArrowDown');
    }
    return (await pin.count()) > 0 || undefined;
  });
  await workbench.page.keyboard.press('Enter');
  await menu.waitFor({ state: 'hidden' });
  await eventually(
    'command to unpin the run',
    async () => (await workbench.isOffered('Scopelight: Unpin Run')) || undefined,
  );
});

test('reads, searches, copies and follows Hot Lines', async () => {
  const { workbench, context } = editor();
  const page = await panels().open('Hot Lines');
  await page.getByRole('row').filter({ hasText: 'decoder.py:48' }).waitFor();
  const focused = page.locator('[role="row"]:focus');
  await panels().tabTo(focused);

  const at = (position: number) => page.locator(`[role="row"][data-position="${String(position)}"]:focus`);
  await panels().press('End');
  await at(0).waitFor({ state: 'detached' });
  await panels().press('Home');
  await at(0).waitFor();
  const hottest = (await focused.textContent()) ?? '';
  await panels().press('ArrowDown');
  await at(1).waitFor();
  expect(await focused.textContent()).not.toBe(hottest);
  await panels().press('ArrowUp');
  await at(0).waitFor();
  expect(await focused.textContent()).toBe(hottest);

  await workbench.page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: /Copy Row/ }).waitFor();
  await page.locator('[role="menuitem"]:focus').filter({ hasText: 'Go to Line' }).waitFor();
  await workbench.page.keyboard.press('Escape');
  await at(0).waitFor();
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
  const page = await panels().open('Hot Lines');
  const search = page.getByRole('textbox').or(page.getByRole('searchbox')).first();
  const focused = () => search.evaluate((element) => element.matches(':focus, :focus-within'));
  for (let presses = 0; presses < 20 && !(await focused()); presses++) {
    await workbench.page.keyboard.press('Shift+Tab');
  }
  await workbench.page.keyboard.type('optimizer.py');
  await page.getByRole('row').filter({ hasText: 'decoder.py' }).first().waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'optimizer.py' }).count()).toBeGreaterThan(1);
  await workbench.page.keyboard.press('Control+A');
  await workbench.page.keyboard.press('Delete');
  await page.getByRole('row').filter({ hasText: 'decoder.py' }).first().waitFor();
});

test('switches what annotations say, and switches them off', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(48);
  await workbench.editor.annotationOf('layer["up"]', /\/step$/);
  await workbench.useAnnotations('Phases');
  await workbench.editor.annotationOf('layer["up"]', /fwd \d+ bwd \d+/);
  await workbench.useAnnotations('Time');
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
  await expect.poll(() => workbench.isOffered('Scopelight: Clear')).toBe(false);
});

import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { wide } from './driver/browser.js';
import { focusedRow, Panels } from './driver/panels.js';
import { picturesIn } from './driver/pictures.js';
import { themes } from './driver/workbench.js';
import { developmentDaemon, root } from './development.js';
import { useEditor } from './editor.js';

const editor = useEditor({ withRun: true, settings: { ...developmentDaemon, 'editor.fontSize': 13 } });

const LINES = 'select path, line, sum(self_ms) as self_ms from lines_ms group by all order by self_ms desc limit 5';
const STEPS = 'select step, duration_ms, busy_ms from steps_ms order by step';

const panels = () => new Panels(editor().workbench);
const picture = picturesIn(path.join(root, 'test-results/query'), () => editor().workbench.page);
const field = (page: FrameLocator) => page.getByRole('textbox', { name: 'Query in SQL' });
const rows = (page: FrameLocator) => page.getByRole('grid', { name: 'Answer' }).getByRole('row');

/** Writes a query in place of the one before, and asks it. */
async function ask(page: FrameLocator, query: string): Promise<void> {
  const { keyboard } = editor().workbench.page;
  await field(page).focus();
  await keyboard.press('Control+a');
  await keyboard.insertText(query);
  await keyboard.press('Control+Enter');
}

test('shows the run', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.showRun('transformer.py');
  await workbench.statusItem(/% busy/).waitFor();
});

test.each(themes)('answers by keyboard with rows that lead to lines, and their chart, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  const page = await panels().openPage('Query');
  await ask(page, LINES);
  await rows(page).nth(1).waitFor();
  await expect.poll(() => rows(page).count()).toBe(6);
  await expect.poll(() => page.getByRole('status').last().innerText()).toMatch(/5 rows · answered in /);
  await picture(`Answer ${theme.name}`);

  const toggle = page.getByRole('button', { name: 'Show as Chart' });
  await toggle.click();
  await expect.poll(() => page.locator('.answer-bars li').count()).toBe(5);
  await picture(`Bars ${theme.name}`);

  await ask(page, STEPS);
  await page.locator('.answer-curve canvas').waitFor();
  await panels().tabTo(page.locator('[role="application"]:focus'));
  await panels().press('Home', 'ArrowRight');
  await expect.poll(() => page.locator('.answer-curve .readout').innerText()).toMatch(/step 2 · duration_ms .*s/);
  await picture(`Curve ${theme.name}`);
  await page.getByRole('button', { name: 'Show as Table' }).click();
});

test('goes from a row to its line', async () => {
  const { workbench } = editor();
  const page = await panels().openPage('Query');
  await ask(page, "select path, line from lines where path like '%decoder.py' order by self_ps desc limit 1");
  await expect.poll(() => rows(page).count()).toBe(2);
  await panels().tabTo(focusedRow(page));
  await panels().press('Enter');
  await workbench.activeTab('decoder.py').waitFor();
});

test('says in a sentence what is wrong and what is refused, and ends what has no end', async () => {
  const page = await panels().openPage('Query');
  await ask(page, 'select nope from lines');
  await page.getByRole('alert').filter({ hasText: '"nope" not found' }).waitFor();
  await picture('Wrong');
  await ask(page, "copy lines to '/tmp/lines.csv'");
  await page.getByRole('alert').filter({ hasText: 'COPY is refused' }).waitFor();
  await ask(page, "select * from read_csv('/etc/passwd')");
  await page.getByRole('alert').filter({ hasText: 'no files, no addresses' }).waitFor();
  await picture('Refused');
  await ask(page, 'select count(*) from range(1000000000000)');
  await page.getByText('Asking…').waitFor();
  await panels().press('Escape');
  await page.getByText('The query was ended before it had an answer.').waitFor();
  await ask(page, 'select * from executions where false');
  await page.getByText('The query has no rows.').waitFor();
});

test('keeps what was asked, and has the tables beside it', async () => {
  const page = await panels().openPage('Query');
  const history = page.getByRole('combobox', { name: 'History' });
  await expect.poll(() => history.innerText()).toContain('select nope from lines');
  const tables = page.getByRole('region', { name: 'Tables' });
  await tables.locator('summary', { hasText: 'executions' }).click();
  await tables.getByText('The time that lanes worked for it itself').waitFor();
  await page.getByRole('combobox', { name: 'Examples' }).selectOption({ label: 'Memory at the peak, by line' });
  await expect.poll(() => rows(page).count()).toBeGreaterThan(1);
  await picture('Schema and example');
  await editor().workbench.page.setViewportSize({ width: 900, height: 600 });
  await picture('Narrow');
  await editor().workbench.page.setViewportSize(wide);
});

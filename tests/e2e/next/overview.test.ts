import { copyFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { choice, Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { captureInto } from '../capturedRun.js';
import { useEditor } from '../editor.js';
import { lineOf } from '../workspace.js';
import { readFileSync } from 'node:fs';

const ADVICE = path.join(root, 'tests/workloads/advice');
const LOADER = 'slow_loader.py';
const CHANGING = 'changing_batch.py';
const sourceOf = (script: string): string => readFileSync(path.join(ADVICE, script), 'utf8');

const editor = useEditor({
  withRun: true,
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  prepare: (workspace) => {
    copyFileSync(path.join(ADVICE, 'stand_in.py'), workspace.path('stand_in.py'));
    for (const script of [LOADER, CHANGING]) {
      captureInto(workspace, script, sourceOf(script));
    }
    return undefined;
  },
});

const panels = () => new Panels(editor().workbench);
const picture = picturesIn(path.join(root, 'test-results/next'), () => editor().workbench.page);
const firstOf = (page: FrameLocator) =>
  page.getByRole('region', { name: 'What to do next' }).getByRole('listitem').first();

async function openOverview(): Promise<FrameLocator> {
  const page = await panels().openPage('Overview');
  await page.locator('.steps-chart .uplot').waitFor();
  return page;
}

test('says first what holds a run up, on its line', async () => {
  const { workbench } = editor();
  await workbench.showRun(LOADER);
  const page = await openOverview();
  const first = firstOf(page);
  await first.getByText(/Devices wait for input/).waitFor();
  await first.getByRole('button', { name: `${LOADER}:${String(lineOf(sourceOf(LOADER), '# line: load'))}` }).click();
  await workbench.activeTab(LOADER).waitFor();
});

test('leads from a step to the timeline by the keyboard alone', async () => {
  const page = await openOverview();
  const chart = page.getByRole('application', { name: 'Time of each step by what it went to' });
  await chart.focus();
  await panels().press('Home', 'ArrowRight');
  await page
    .locator('.readout')
    .filter({ hasText: /step 2 · .* · waiting for input/ })
    .waitFor();
  await page.getByRole('complementary').getByText('It went to').waitFor();
  await panels().press('Enter');
  await editor().workbench.activeTab('Timeline').waitFor();
  const timeline = await editor().workbench.webviews.over('editor', 'Timeline');
  await timeline.getByRole('button', { name: /Step 2 of/ }).waitFor();
});

test('has every number of its chart as a table', async () => {
  const page = await openOverview();
  await page.getByRole('button', { name: 'Show as Table' }).click();
  const table = page.getByRole('grid', { name: 'Steps' });
  await table.getByRole('row').nth(3).waitFor();
  expect(await table.getByRole('row').first().innerText()).toContain('waiting for input');
  await page.getByRole('button', { name: 'Show as Chart' }).click();
});

test('divides the steps where a person says', async () => {
  const { workbench } = editor();
  await workbench.showRun(LOADER);
  const page = await panels().openPage('Step Trace');
  await page.locator('.step-chart .uplot').waitFor();
  await page.getByText('found by the phases of ops').first().waitFor();
  const start = page.getByRole('textbox', { name: 'Forward begins at' });
  await start.fill('pure_callback');
  await start.press('Enter');
  await page.getByText('as you say').waitFor();
  await page.getByRole('button', { name: 'Find by Itself' }).click();
  await page.getByText('as you say').waitFor({ state: 'detached' });
  // A line that is chosen in another panel.
  const lines = await panels().open('Hot Lines');
  await lines.getByRole('row').filter({ hasText: 'stand_in.py:40' }).click();
  const again = await panels().openPage('Step Trace');
  await again.getByRole('button', { name: 'Forward Begins There' }).click();
  await again.getByText(/stand_in.py:40 · .* as you say/).waitFor();
  await picture('step trace divided');
  await again.getByRole('button', { name: 'Find by Itself' }).click();
});

test('shows what was compiled again and for which shapes', async () => {
  const { workbench } = editor();
  await workbench.showRun(CHANGING);
  const overview = await openOverview();
  await firstOf(overview)
    .getByText(/was compiled again/)
    .waitFor();
  await picture('overview of changing shapes');
  const programs = await panels().open('Programs');
  await programs
    .getByRole('row')
    .filter({ hasText: /x: f32\[\d+,64\] → f32\[\d+,64\]/ })
    .first()
    .waitFor();
  await picture('programs');
  await choice(programs, 'List', 'Compilations').click();
  await programs.getByRole('row').filter({ hasText: 'an argument changed' }).first().waitFor();
  await picture('compilations');
  const shapes = await panels().openPage('Shapes');
  const chart = shapes.getByRole('application', { name: 'Op time of each run' });
  await chart.focus();
  await panels().press('Home', 'ArrowRight', 'Enter');
  await shapes.getByRole('complementary').getByText('Its shapes').waitFor();
  await picture('shapes');
});

test.each(themes)('can be read in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  await workbench.showRun('transformer.py');
  await openOverview();
  await picture(`${theme.name} overview`);
  const trace = await panels().openPage('Step Trace');
  for (const chart of ['Step', 'Phases', 'Interval']) {
    await choice(trace, 'Chart', chart).click();
    await trace.locator('.step-chart .uplot').waitFor();
    if (theme.name === themes[0]?.name || chart === 'Phases') {
      await picture(`${theme.name} step trace ${chart}`);
    }
  }
  await panels().open('Programs');
  await picture(`${theme.name} programs`);
});

test('is sent to somebody as one file, or as text', async () => {
  const { workbench, workspace } = editor();
  const { quickInput, notifications, page } = workbench;
  await workbench.showRun(CHANGING);
  await workbench.run('Scopelight: Share Report…');
  await quickInput.choose(/What to share/, 'Pages with the Source');
  const file = workspace.path('shared.html');
  await quickInput.asked(/Share Report/);
  await quickInput.rows.nth(1).waitFor();
  await quickInput.enter(file);
  await page.keyboard.press('Enter');
  const said = await notifications.saying(/The report is in .*shared\.html/);
  expect(await said.buttons()).toEqual(expect.arrayContaining(['Reveal File', 'Copy Path']));
  await picture('share report');
  expect(readFileSync(file, 'utf8')).toContain(`<title>${CHANGING} · Scopelight report</title>`);
  await notifications.clear();

  await workbench.run('Scopelight: Share Report…');
  await quickInput.choose(/What to share/, 'Markdown in the Clipboard');
  const line = String(lineOf(sourceOf(CHANGING), '# line: step'));
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()), { timeout: 30_000 })
    .toMatch(new RegExp(`^# changing\\\\_batch.py\\n[\\s\\S]*1\\. \`${CHANGING}:${line}\` .* was compiled again`));
});

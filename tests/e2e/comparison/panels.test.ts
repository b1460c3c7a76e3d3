import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { developmentDaemon, root } from '../development.js';
import { choice, Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { useEditor } from '../editor.js';
import type { Workspace } from '../workspace.js';

/** Predictions of one step: its layers in a scan, and one after the other. What they say is exact. */
const SIDES = { before: 'scan', after: 'unrolled' } as const;

const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  prepare: (workspace) => {
    addRun(workspace, 'before', '2026-03-01T12:03:00+00:00');
    addRun(workspace, 'after', '2026-03-01T12:05:00+00:00');
    return undefined;
  },
});

/** A run that is told by the name of its script. */
function addRun(workspace: Workspace, side: keyof typeof SIDES, created: string): void {
  const run = workspace.path(`.scopelight/${side}`);
  cpSync(path.join(root, 'tests/python/made/predicted_runs', SIDES[side]), run, { recursive: true });
  const file = path.join(run, 'run.json');
  const information = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...information, script: `${side}.py`, created }));
}

const panels = () => new Panels(editor().workbench);
const pictures = picturesIn(path.join(root, 'test-results/comparison'), () => editor().workbench.page);
const changes = (page: FrameLocator) => page.locator('.table .row .change');
const before = (page: FrameLocator) => page.getByRole('columnheader', { name: /^Before/ });
const SIGNED = /^(=|(new |gone )?≈?[+−]≈?[\d.]+ .s( ±)?)$/;
/** At the end of what is read of a node. */
const MARKED = /([▲▼=] (new )?≈?[+−]≈?[\d.]+ .s| ±| =)$/;

/** What cells of a row have of sums, in nanoseconds. */
function amount(text: string): number {
  const [, sign = '', digits = '0', unit = ''] = /([+−]?)≈?\s?([\d.]+) (.?s)/.exec(text) ?? [];
  return (sign === '−' ? -1 : 1) * Number(digits) * ({ ns: 1, µs: 1e3, ms: 1e6, s: 1e9 }[unit] ?? 0);
}

test('compares the shown run with another', async () => {
  const { workbench } = editor();
  await workbench.showRun('after.py');
  await workbench.run('Scopelight: Compare with…');
  await workbench.quickInput.choose(/What was before it/, 'before.py');
  await workbench.activeTab('Comparison').waitFor();
});

test.each(themes)('has what the rows of the op profile were, and colours their bars, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  const page = await panels().open('Op Profile');
  await before(page).waitFor();
  await changes(page).first().waitFor();
  for (const text of await changes(page).allInnerTexts()) {
    expect(text).toMatch(SIGNED);
  }
  await expect.poll(() => page.locator('.table .cell.metered.tinted').count()).toBeGreaterThan(2);
  await pictures(`${theme.name} op profile`);
  await choice(page, 'Colour by', 'Plain').click();
  await expect.poll(() => page.locator('.table .cell.metered.tinted').count()).toBe(0);
  await choice(page, 'Colour by', 'Change').click();
  await choice(page, 'Group by', 'Source Line').click();
  await expect.poll(() => changes(page).count()).toBeGreaterThan(2);
  await pictures(`${theme.name} op profile by line`);
  await choice(page, 'Group by', 'Category').click();
  await expect.poll(() => page.locator('.table .row.category').count()).toBeGreaterThan(2);
});

test('sums before and change to what there is after, row by row', async () => {
  const page = await panels().open('Op Profile');
  const total = page.locator('.table .row.total');
  await total.locator('.change').waitFor();
  const rows = page.locator('.table .row[aria-level="2"]');
  const titles = await page.getByRole('columnheader').allInnerTexts();
  const at = titles.findIndex((title) => title.startsWith('Before')) + 1;
  const texts = async (column: number): Promise<readonly string[]> =>
    rows.locator(`[aria-colindex="${String(column)}"]`).allInnerTexts();
  const sum = (values: readonly string[]): number => values.map(amount).reduce((all, value) => all + value, 0);
  const [was, change] = [await texts(at), await texts(at + 1)];
  // What is written has three digits.
  const whole = amount(await total.locator(`[aria-colindex="${String(at)}"]`).innerText());
  expect(Math.abs(sum(was) - whole)).toBeLessThan(whole / 100);
  expect(Math.abs(sum(change) - amount(await total.locator('.change').innerText()))).toBeLessThan(whole / 1000);
});

test.each(themes)('colours the flame graph by change, with signs, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  const page = await panels().open('Flame Graph');
  const legend = page.locator('.icicle .legend');
  await legend.getByText('▲ more since').waitFor();
  await panels().tabTo(page.locator('[role="application"]:focus'));
  await panels().press('Home', 'ArrowUp');
  await expect.poll(() => page.locator('.icicle .readout').innerText()).toMatch(MARKED);
  await changes(page).first().waitFor();
  await pictures(`${theme.name} flame graph`);
  await choice(page, 'Colour by', 'Phase').click();
  await legend.getByText('forward', { exact: false }).waitFor();
  await choice(page, 'Colour by', 'Change').click();
  await legend.getByText('▼ less').waitFor();
});

test.each(themes)('colours the graph by change, with signs, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  const page = await panels().openPage('Graph');
  await page.getByRole('application').waitFor();
  await panels().tabTo(page.locator('[role="application"]:focus'));
  await page.locator('.legend').getByText('▲ more since').waitFor();
  await panels().press('Home', 'ArrowDown');
  await expect.poll(() => page.locator('.graph-picture .readout').innerText()).toMatch(MARKED);
  await pictures(`${theme.name} graph of lines`);
  await choice(page, 'Level', 'Scopes').click();
  await pictures(`${theme.name} graph of scopes`);
  await page.getByRole('button', { name: 'Show as Table' }).click();
  await changes(page).first().waitFor();
  await pictures(`${theme.name} graph as a table`);
  await page.getByRole('button', { name: 'Show as Chart' }).click();
  await choice(page, 'Level', 'Lines').click();
});

test('shows whole numbers in the side bar, those of the shown run first', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Focus on Hot Lines View');
  const side = await workbench.webviews.over('sidebar');
  await changes(side).first().waitFor();
  const cut = () =>
    side
      .locator('main .table .row .cell.end')
      .evaluateAll((cells) =>
        cells
          .filter((cell) => [cell, ...cell.children].some((each) => each.scrollWidth > each.clientWidth + 1))
          .map(({ textContent }) => textContent),
      );
  await expect.poll(cut).toEqual([]);
  const beyond_px = () => side.locator('main .table').evaluate((table) => table.scrollWidth - table.clientWidth);
  await expect.poll(beyond_px).toBe(0);
  expect(await side.locator('main .table .row').first().getAttribute('class')).not.toContain('gone');
  await pictures('side bar');
  await panels().openPage('Overview');
  await pictures('overview');
  await panels().open('FLOPs');
  await pictures('flops');
  await panels().open('Op Statistics');
  await pictures('op statistics');
});

test.each(themes)('has what buffers at the peak were, to the byte, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  const page = await panels().open('Memory Viewer');
  await before(page).waitFor();
  await changes(page).first().waitFor();
  for (const text of await changes(page).allInnerTexts()) {
    expect(text).toMatch(/^(=|(new |gone )?[+−][\d.]+ .?i?B)$/);
  }
  await pictures(`${theme.name} memory viewer`);
  // Of what is there at another position there is nothing to compare.
  await panels().tabTo(page.locator('.memory-curve [role="application"]:focus'));
  await panels().press('Home', 'Enter');
  await before(page).waitFor({ state: 'hidden' });
  await page.getByTitle('Back to the buffers at the peak').click();
  await before(page).waitFor();
});

test('has nothing of it once nothing is compared', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Stop Comparing');
  const side = await workbench.webviews.over('sidebar');
  await expect.poll(() => side.locator('main .table').evaluate((table) => table.scrollTop)).toBe(0);
  const page = await panels().open('Op Profile');
  await before(page).waitFor({ state: 'hidden' });
  expect(await page.getByRole('radiogroup', { name: 'Colour by' }).count()).toBe(0);
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { small, wide } from '../driver/browser.js';
import { choice, focusedRow, Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, developmentPython, root } from '../development.js';
import { useEditor } from '../editor.js';
import { lineOf } from '../workspace.js';

const SCRIPT = 'pod.py';
const SOURCE = readFileSync(path.join(root, 'tests/workloads/hosts', SCRIPT), 'utf8');
/** What the devices of host2 take longer for. */
const WORK = 'jax.pure_callback(';
const WORKS = lineOf(SOURCE, WORK);
const HOSTS = ['host0', 'host1', 'host2', 'host3'];
const STEPS = 12;

const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  prepare: (workspace) => {
    // Its lines are the user's own, as a script of the workspace has them.
    workspace.write(SCRIPT, SOURCE);
    const how = ['--hosts', '4', '--devices', '2', '--steps', String(STEPS), '--slow', '2', '--ms', '16'];
    execFileSync(developmentPython, [SCRIPT, 'logs', ...how], { cwd: workspace.folder, stdio: 'ignore' });
    return undefined;
  },
});

const panels = () => new Panels(editor().workbench);
const picture = picturesIn(path.join(root, 'test-results/hosts'), () => editor().workbench.page);

const section = (page: FrameLocator, title: string): Locator => page.getByRole('region', { name: title, exact: true });
const map = (page: FrameLocator): Locator => page.getByRole('application', { name: /^Cores by/ });
const readout = (page: FrameLocator): Promise<string> => section(page, 'Cores').locator('.readout').innerText();
const details = (page: FrameLocator): Locator => page.getByRole('complementary');
const named = (page: FrameLocator): Promise<string> => details(page).locator('.details-title').innerText();
const fact = (page: FrameLocator, name: string): Locator =>
  details(page).locator('.facts-list > div').filter({ hasText: name }).locator('dd');

async function openHosts(): Promise<FrameLocator> {
  const page = await panels().openPage('Hosts');
  await section(page, 'Ranking').getByRole('row').nth(HOSTS.length).waitFor();
  return page;
}

/** Tab by tab into the map, and to its first cell. */
async function walkIntoMap(page: FrameLocator): Promise<void> {
  await panels().tabTo(page.locator('.heat-place:focus'));
  await panels().press('Home');
  await expect.poll(() => named(page)).toBe('host0 CPU:0');
}

async function isAtWork(): Promise<void> {
  const { workbench } = editor();
  await workbench.activeTab(SCRIPT).waitFor();
  await workbench.editor.cursorIsOn(WORKS);
}

/** What the core of the details took, and what its parts add up to, as exactly as tooltips say. */
async function sums(
  page: FrameLocator,
): Promise<{ readonly whole: string; readonly parts_ps: number; readonly whole_ps: number }> {
  const whole = (await fact(page, 'Takes').getAttribute('title')) ?? '';
  const parts = await details(page)
    .locator('.plain tbody tr > td:nth-child(2)')
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title') ?? ''));
  return { whole, whole_ps: picoseconds(whole), parts_ps: parts.reduce((sum, part) => sum + picoseconds(part), 0) };
}

/** `1.234 567 ms` in picoseconds. */
function picoseconds(exact: string): number {
  const [unit = '', ...digits] = exact.split(/\s/).reverse();
  const decimals = { s: 12, ms: 9, µs: 6, ns: 3, ps: 0 }[unit];
  if (decimals === undefined) {
    throw new Error(`“${exact}” is no time.`);
  }
  return Math.round(Number(digits.reverse().join('')) * 10 ** decimals);
}

test('opens a log directory of several hosts', async () => {
  const { workbench, workspace } = editor();
  await workbench.run('Scopelight: Open Profile…');
  await workbench.quickInput.openPath(/Open Profile/, workspace.path('logs'));
  await workbench.statusItem(/ms\/step/).waitFor();
});

test('says first which host costs most, and goes to what it works on', async () => {
  const page = await openHosts();
  const sentence = page.locator('.headline');
  expect(await sentence.textContent()).toMatch(
    new RegExp(`^host2 costs [\\d.]+ ms of [\\d.]+ ms per step: it works longer, ${SCRIPT}:${String(WORKS)}$`),
  );
  await sentence.getByRole('button').or(sentence.getByRole('link')).click();
  await isAtWork();
});

test('walks through the map by the keyboard', async () => {
  const page = await openHosts();
  await walkIntoMap(page);
  for (const [key, core] of [
    ['ArrowRight', 'host1 CPU:2048'],
    ['ArrowDown', 'host1 CPU:2049'],
    ['ArrowRight', 'host2 CPU:4097'],
    ['ArrowUp', 'host2 CPU:4096'],
    ['End', 'host3 CPU:6145'],
    ['ArrowLeft', 'host2 CPU:4097'],
  ] as const) {
    await panels().press(key);
    await expect.poll(() => named(page)).toBe(core);
    expect(await readout(page)).toContain(`${core} · `);
  }
  await panels().press('Enter');
  await isAtWork();
});

test('reads the cell that the mouse is over', async () => {
  const page = await openHosts();
  await map(page).hover({ position: { x: 60, y: 40 } });
  await expect.poll(() => readout(page)).toMatch(/^host0 CPU:0 · .* · cost per step /);
  await expect.poll(() => map(page).getAttribute('title')).toMatch(/^host0 CPU:0\n/);
  await editor().workbench.leave();
});

test('shows one step instead of the mean of all', async () => {
  const page = await openHosts();
  await walkIntoMap(page);
  await expect.poll(() => fact(page, 'Steps').innerText()).toBe(`mean of ${String(STEPS)}`);
  const mean = await sums(page);
  await panels().tabTo(page.locator('.step-slider input:focus'), 'Shift+Tab');
  await panels().press('ArrowRight', 'ArrowRight');
  await page
    .locator('.shown-step')
    .getByText(/^step 2, /)
    .waitFor();
  await expect.poll(() => fact(page, 'Steps').innerText()).toBe('2');
  const one = await sums(page);
  expect(one.whole).not.toBe(mean.whole);
  expect(one.parts_ps).toBe(one.whole_ps);
  await picture('one step');
  await panels().press('Home');
  await page
    .locator('.shown-step')
    .getByText(`mean of ${String(STEPS)} steps`)
    .waitFor();
  expect(await sums(page)).toEqual(mean);
});

test('lays cores out by the mesh and by hosts', async () => {
  const page = await openHosts();
  expect(await choice(page, 'Layout', 'Mesh').getAttribute('aria-checked')).toBe('true');
  await choice(page, 'Layout', 'Mesh').focus();
  await panels().press('ArrowRight');
  await expect.poll(() => choice(page, 'Layout', 'Hosts').getAttribute('aria-checked')).toBe('true');
  await walkIntoMap(page);
  await panels().press('ArrowRight');
  await expect.poll(() => named(page)).toBe('host0 CPU:1');
  await panels().press('ArrowDown');
  await expect.poll(() => named(page)).toBe('host1 CPU:2049');
  expect(await readout(page)).toContain('device 1, host 1');
  await choice(page, 'Layout', 'Hosts').focus();
  await panels().press('ArrowLeft');
  await expect.poll(() => choice(page, 'Layout', 'Mesh').getAttribute('aria-checked')).toBe('true');
});

test('has what the map shows as a table', async () => {
  const page = await openHosts();
  const cores = section(page, 'Cores');
  await walkIntoMap(page);
  const cost = /cost per step ([\d.]+ \S+)/.exec(await readout(page))?.[1] ?? 'no cost';
  await cores.getByRole('button', { name: 'Show as Table' }).click();
  const rows = cores.getByRole('grid', { name: 'Cores' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(9);
  const first = rows.filter({ hasText: 'host0 CPU:0' });
  expect(await first.innerText()).toContain(cost);
  await first.click();
  await panels().press('ArrowDown');
  await expect.poll(() => named(page)).not.toBe('host0 CPU:0');
  const slow = rows.filter({ hasText: 'host2 CPU:4097' });
  await slow.click();
  await expect.poll(() => named(page)).toBe('host2 CPU:4097');
  await picture('table');
  await panels().press('Enter');
  await isAtWork();
  const again = await openHosts();
  await section(again, 'Cores').getByRole('button', { name: 'Show as Chart' }).click();
  await map(again).waitFor();
});

test.each(themes)('goes from a host to its line, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  const page = await openHosts();
  await section(page, 'Ranking').getByRole('row').filter({ hasText: 'host2' }).click();
  await picture(theme.name, theme === themes[0] ? [wide, small] : [wide]);
  await panels().tabTo(focusedRow(page));
  await panels().press('Enter');
  await isAtWork();
});

test('shows a link beside the others of its op', async () => {
  const page = await openHosts();
  const links = section(page, 'Links');
  await links.getByRole('row').filter({ hasText: '→' }).first().click();
  await links.getByText('Latency of the links of ppermute').waitFor();
  await picture('links', [wide]);
  await panels().press('Enter');
  await editor().workbench.activeTab(SCRIPT).waitFor();
  await editor().workbench.editor.cursorIsOn(lineOf(SOURCE, 'jax.lax.ppermute('));
  const again = await openHosts();
  await again.locator('.link-arrow').waitFor();
  await section(again, 'Clocks').getByRole('row').nth(2).click();
  await picture('clocks', [wide]);
});

test('says on lines what they take, wait and move', async () => {
  const { workbench } = editor();
  await workbench.open(SCRIPT);
  await workbench.editor.goTo(WORKS);
  const work = await workbench.editor.annotationOf(WORK, / ms/);
  expect(work.line).toBe(WORKS);
  for (const collective of ['jax.lax.all_gather(', 'jax.lax.psum_scatter(']) {
    await workbench.editor.annotationOf(collective, /waits [\d.]+ [mµ]s · moves [\d.]+ [mµ]s/);
  }
  await picture('lines');
});

test('says on the card of a collective how hosts differ', async () => {
  const { workbench } = editor();
  await workbench.open(SCRIPT);
  await workbench.editor.goTo(lineOf(SOURCE, 'jax.lax.ppermute('));
  const card = await workbench.editor.hoverCard();
  expect(await card.innerText()).toMatch(
    /waits .* · moves .* · hosts: [\d.]+ [mµ]s on host\d to [\d.]+ [mµ]s on host\d/,
  );
  await picture('card');
  await workbench.page.keyboard.press('Escape');
});

test('has a section for each host in the timeline', async () => {
  const page = await panels().openPage('Timeline');
  await page
    .locator('.status-line')
    .filter({ hasNotText: /still being/ })
    .waitFor();
  // The op that was selected in another panel comes into sight, among those of all hosts.
  await page.getByText(/^execution \d+ of \d+/).waitFor();
  const shown = page.getByRole('combobox', { name: 'Show' });
  for (const host of HOSTS) {
    await shown.selectOption(`Host ${host}`);
    await page.locator('.labels .label.section').getByText(`Host ${host}`).waitFor();
    await shown.selectOption({
      label: (await shown.locator('option').allInnerTexts()).find((name) => name.endsWith(` · ${host}`)) ?? '',
    });
    await page.locator('.labels .label.section').getByText(` · ${host}`).waitFor();
  }
  await picture('timeline', [wide]);
});

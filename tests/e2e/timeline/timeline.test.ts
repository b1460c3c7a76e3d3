import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { small, wide } from '../driver/browser.js';
import { Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { useEditor } from '../editor.js';

const FILE = 'recorded.xplane.pb';

const editor = useEditor({
  withRun: true,
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  prepare: (workspace) => {
    const files = readdirSync(workspace.path('.scopelight'), { recursive: true, encoding: 'utf8' });
    const profile = files.find((file) => file.endsWith('.xplane.pb'));
    if (profile !== undefined) {
      cpSync(workspace.path(path.join('.scopelight', profile)), workspace.path(FILE));
    }
    return undefined;
  },
});

const LINE = 48;

const press = (...keys: readonly string[]) => new Panels(editor().workbench).press(...keys);

const timeline = (): Promise<FrameLocator> => new Panels(editor().workbench).openPage('Timeline');

/** Waits until the picture stands for all it should: steps and ops are worked out, and nothing is being read. */
async function drawn(page: FrameLocator): Promise<void> {
  await page
    .locator('.status-line')
    .filter({ hasText: /events in [\d\u202f]+ boxes/ })
    .waitFor();
  await page
    .locator('.status-line')
    .filter({ hasNotText: /still being/ })
    .waitFor({ timeout: 60_000 });
}

const surface = (page: FrameLocator): Locator => page.locator('.surface');
const status = (page: FrameLocator): Promise<string> => page.locator('.status-line').innerText();

const picture = picturesIn(path.join(root, 'test-results/timeline'), () => editor().workbench.page);

const hits = (page: FrameLocator, execution: number): Locator =>
  page.locator('.hits').filter({ hasText: new RegExp(`execution ${String(execution)} of`) });
const ownLine = (page: FrameLocator, line: number): Locator =>
  page
    .locator('.event-details .frames')
    .getByText(`decoder.py:${String(line)}`)
    .first();

/**
 * Goes on to the first execution whose stack has the line, and says its place: what is highlighted are also executions
 * that are of the line in part, and which of them come first depends on where in a step the capture began.
 */
async function executionOfLine(page: FrameLocator, line: number): Promise<number> {
  await hits(page, 1).waitFor({ timeout: 60_000 });
  await page.locator('.event-details').waitFor();
  for (let execution = 1; ; execution += 1) {
    await hits(page, execution).waitFor();
    const isOwn = ownLine(page, line)
      .waitFor({ timeout: 1500 })
      .then(() => true);
    if (await isOwn.catch(() => false)) {
      return execution;
    }
    await surface(page).focus();
    await press('n');
  }
}

/** Drags over the picture, between places that are given as parts of it. */
async function drag(page: FrameLocator, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const box = await surface(page).boundingBox();
  if (box === null) {
    throw new Error('The picture is not there.');
  }
  const { mouse } = editor().workbench.page;
  const place = ([x, y]: readonly [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const;
  await mouse.move(...place(from));
  await mouse.down();
  await mouse.move(...place(to), { steps: 8 });
  await mouse.up();
}

test('shows the run', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.showRun('transformer.py');
  await workbench.statusItem(/% busy/).waitFor();
});

test('draws every event of the run', async () => {
  const page = await timeline();
  await drawn(page);
  expect(await page.locator('.labels').innerText()).toMatch(/Steps|Ops/);
  await page
    .getByText(/Step .* of \d+/)
    .first()
    .waitFor();
});

test('zooms by keys, by the wheel and to a step', async () => {
  const page = await timeline();
  await surface(page).focus();
  const before = await status(page);
  await press('w');
  await expect.poll(() => status(page)).not.toBe(before);
  await press('0');
  // Keys and clicks go to the page by different ways: one waits for the other.
  const [whole = ''] = before.split(' · ');
  await expect.poll(() => status(page)).toContain(whole);
  await page.getByRole('button', { name: /^Step/ }).click();
  await expect.poll(() => status(page)).not.toContain(whole);
  await drawn(page);
  await press(']');
  await page.getByText(/Step \d+ of/).waitFor();
});

test('finds events by name, and steps through them', async () => {
  const { page: window } = editor().workbench;
  const page = await timeline();
  await surface(page).focus();
  await press('/');
  const field = page.locator('.search-box vscode-textfield[focused]');
  await field.waitFor();
  await window.keyboard.type('dot');
  await expect.poll(() => field.evaluate((element: HTMLInputElement) => element.value)).toBe('dot');
  await page
    .locator('.hits')
    .filter({ hasText: /\d hits/ })
    .waitFor();
  await press('Enter');
  await page
    .locator('.hits')
    .filter({ hasText: /^[\d\u202f]+ of/ })
    .waitFor();
  await page.locator('.event-details').getByText('dot').first().waitFor();
  await press('Escape', 'Escape');
  await expect.poll(() => page.locator('.hits').count()).toBe(0);
});

test('adds up what is in a box', async () => {
  const page = await timeline();
  await press('1');
  // Over nearly all that is in sight: some tracks may have nothing for a while.
  await drag(page, [0.02, 0.02], [0.98, 0.98]);
  const table = page.getByRole('grid', { name: 'Selected events by name' });
  await table.getByRole('row').nth(1).waitFor();
  expect(await page.locator('.selection-details').innerText()).toMatch(/events/);
});

test('marks an interval that stays with every tool', async () => {
  const page = await timeline();
  await surface(page).focus();
  await press('4');
  await drag(page, [0.2, 0.3], [0.45, 0.3]);
  await page
    .locator('.interval-label')
    .filter({ hasText: /\d [mµ]?s/ })
    .waitFor();
  await press('1');
  expect(await page.locator('.interval').count()).toBe(1);
  const edge = page.getByRole('slider', { name: 'End of the interval' });
  await edge.focus();
  const before = await page.locator('.interval-label').innerText();
  await press('Shift+ArrowRight', 'Shift+ArrowRight');
  expect(await page.locator('.interval-label').innerText()).not.toBe(before);
});

test.each(themes)('goes to a line and comes back, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  await workbench.open('decoder.py');
  await workbench.editor.goTo(LINE);
  const page = await timeline();
  const execution = await executionOfLine(page, LINE);
  await surface(page).focus();
  await press('f');
  await press('s', 's', 's');
  await drawn(page);
  await picture(`Timeline ${theme.name}`);
  await surface(page).focus();
  await press('n');
  await hits(page, execution + 1).waitFor();
  await press('p');
  await hits(page, execution).waitFor();
  await ownLine(page, LINE).waitFor();
  await press('Enter');
  await workbench.activeTab('decoder.py').waitFor();
  await workbench.editor.cursorIsOn(LINE);
});

test('lists the events in sight as a table', async () => {
  const page = await timeline();
  await surface(page).focus();
  await press('t');
  const table = page.getByRole('grid', { name: 'Events in sight, by start' });
  await table.locator('[role="row"][data-position="0"]').filter({ hasNotText: '…' }).waitFor();
  await table.locator('[role="row"][data-position="0"]').click();
  await press('ArrowDown');
  await table.locator('[role="row"][data-position="1"][aria-selected="true"]').waitFor();
  await picture('Table');
  await surface(page).focus();
  await press('t', '?');
  await page.getByRole('dialog').waitFor();
  await picture('Help');
  await press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('has its controls in two rows at most where there is little room', async () => {
  const { page: window } = editor().workbench;
  const page = await timeline();
  await window.setViewportSize(small);
  const tall = () => page.locator('.timeline-tools').evaluate((element) => element.getBoundingClientRect().height);
  await expect.poll(tall).toBeLessThanOrEqual(72);
  await window.setViewportSize(wide);
  await expect.poll(tall).toBeLessThanOrEqual(72);
});

test('opens a profile file as a timeline', async () => {
  const { workbench } = editor();
  await workbench.openAny(FILE);
  await workbench.activeTab(FILE).waitFor();
  const page = await workbench.webviews.over('editor');
  await drawn(page);
  expect(await page.locator('.facts').innerText()).toContain(FILE);
});

/** A profile of one event of 100 ps, all of its bytes below 128. */
function tinyProfile(): string {
  const number = (field: number, value: number): string => String.fromCharCode(8 * field, value);
  const message = (field: number, ...parts: readonly string[]): string => {
    const body = parts.join('');
    return String.fromCharCode(8 * field + 2, body.length) + body;
  };
  const event = message(4, number(1, 1), number(2, 0), number(3, 100));
  const name = message(4, number(1, 1), message(2, number(1, 1), message(2, 'only')));
  return message(1, message(2, '/host:CPU'), message(3, number(1, 1), message(2, 'python'), event), name);
}

test('shows what a profile file has become while it is open', async () => {
  const { workbench, workspace } = editor();
  // In place, as who captures to the same path does: what was mapped of the former file is cut off.
  workspace.write(FILE, tinyProfile());
  const page = await workbench.webviews.over('editor');
  await page.locator('.status-line').filter({ hasText: 'of 100 ps' }).waitFor({ timeout: 60_000 });
  await page.locator('.status-line').filter({ hasText: '1 event in 1 box, of 1 in all rows' }).waitFor();
  expect(await page.locator('.notice').count()).toBe(0);
});

test('says what is wrong with a file that is no profile', async () => {
  const { workbench, workspace } = editor();
  workspace.write('broken.xplane.pb', 'This is no profile.\n'.repeat(20));
  await workbench.openAny('broken.xplane.pb');
  await workbench.activeTab('broken.xplane.pb').waitFor();
  // The page of the tab that was left is there for a moment still.
  const says = async () =>
    (await workbench.webviews.over('editor'))
      .getByText(/broken\.xplane\.pb is not a readable profile: it is a text file\./)
      .isVisible();
  await expect.poll(says, { timeout: 30_000 }).toBe(true);
});

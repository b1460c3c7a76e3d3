import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { choice, Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { captureInto } from '../capturedRun.js';
import { useEditor } from '../editor.js';
import { lineOf } from '../workspace.js';

const SCRIPT = 'outgrown.py';
const GREEDY = 'jnp.broadcast_to(small, (300_000_000_000,))';
/** It asks for more than any machine has. */
const SOURCE = `import jax
import jax.numpy as jnp


def outgrow(small):
    return ${GREEDY}


print(jax.block_until_ready(outgrow(jnp.ones((), jnp.float32))))
`;

const editor = useEditor({
  withRun: true,
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  prepare: (workspace) => {
    try {
      captureInto(workspace, SCRIPT, SOURCE);
    } catch {
      // It fails: that is what it is for.
    }
    return undefined;
  },
});

const LINE = 48;
const TEXT = 'layer["up"]';

const panels = () => new Panels(editor().workbench);

const picture = picturesIn(path.join(root, 'test-results/memory'), () => editor().workbench.page);

const buffers = (page: FrameLocator) => page.getByRole('grid', { name: 'Buffers at the peak' });
const chart = (page: FrameLocator, name: string) => page.getByRole('application', { name });
const card = (page: FrameLocator) => page.locator('.buffer-card');
const lifetimes = (page: FrameLocator) => page.locator('.lifetime');

/** The height of what is there, in pixels. */
async function heightOf(found: Locator): Promise<number> {
  return (await found.first().boundingBox())?.height ?? 0;
}

test('shows the run', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.showRun('transformer.py');
  await workbench.statusItem(/% busy/).waitFor();
});

test.each(themes)('links buffers, lifetimes, cards and lines, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  await workbench.open('decoder.py');
  await workbench.editor.goTo(LINE);
  await workbench.editor.annotationOf(TEXT);
  const page = await panels().open('Memory Viewer');
  const rows = buffers(page).getByRole('row');

  // A buffer that is pointed at: when it lives, as thick as it is large, and its card.
  const first = rows.nth(1);
  const name = (await first.locator('.category-mark + .text').innerText()).trim();
  await first.hover();
  await lifetimes(page).and(page.locator('.hovered')).first().waitFor();
  await card(page).getByRole('heading', { name }).waitFor();
  for (const fact of ['category', 'size', 'unpadded size', 'expansion', 'extra memory', 'allocation type']) {
    await card(page).getByText(fact, { exact: true }).waitFor();
  }
  const thick = await heightOf(lifetimes(page).and(page.locator('.hovered')));
  const smallest = (await rows.last().locator('.category-mark + .text').innerText()).trim();
  await rows.last().hover();
  await card(page).getByRole('heading', { name: smallest }).waitFor();
  expect(await heightOf(lifetimes(page).and(page.locator('.hovered')))).toBeLessThanOrEqual(thick);
  await workbench.leave();

  // One that is chosen keeps its card, and its line is one key away.
  const ofLine = rows.filter({ hasText: /\.py:\d+/ }).first();
  const place = /^(\w+\.py):(\d+)$/.exec((await ofLine.locator('.place').getAttribute('aria-label')) ?? '');
  expect(place).not.toBeNull();
  await ofLine.click();
  await workbench.leave();
  await lifetimes(page).and(page.locator('.pinned')).first().waitFor();
  await card(page)
    .getByRole('button', { name: place?.[0] ?? '', exact: true })
    .first()
    .waitFor();
  await picture(`Memory Viewer ${theme.name}`);
  await panels().press('Enter');
  await workbench.activeTab(place?.[1] ?? '').waitFor();
  await workbench.editor.cursorIsOn(Number(place?.[2]));
});

test('is used by the keyboard alone: the peak, what is alive there, and back', async () => {
  const page = await panels().open('Memory Viewer');
  await panels().tabTo(page.locator('.memory-curve .series-chart:focus'));
  await panels().press('p');
  const live = page.getByRole('grid', { name: /Buffers in memory at position/ });
  await live.getByRole('row').nth(1).waitFor();
  const readout = () => page.locator('.memory-curve .readout').innerText();
  await expect.poll(readout).toMatch(/in memory/);
  const atPeak = await readout();
  await panels().press('ArrowRight');
  await expect.poll(readout).not.toBe(atPeak);
  expect(await readout()).toMatch(/from the position before/);
  await picture('Live at the Peak');
  await panels().press('Escape');
  await buffers(page).waitFor();
  await panels().tabTo(page.locator('.strip-place:focus'));
  await panels().press('Home', 'ArrowRight');
  await card(page).waitFor();
  await panels().press('Escape');
});

test('orders buffers, searches them, and shows every view of memory', async () => {
  const { workbench } = editor();
  const page = await panels().open('Memory Viewer');
  await choice(page, 'Order of buffers', 'Padding').click();
  await choice(page, 'Order of buffers', 'Program Order').click();
  await choice(page, 'Order of buffers', 'Size').click();
  const sizes = async () =>
    buffers(page)
      .locator('[role="gridcell"].metered')
      .evaluateAll((cells) =>
        cells.map((cell) => Number.parseInt((cell as HTMLElement).title.replaceAll(/\D/g, ''), 10)),
      );
  await expect.poll(async () => (await sizes()).length).toBeGreaterThan(2);
  await expect
    .poll(async () => (await sizes()).every((each, at, all) => at === 0 || each <= (all[at - 1] ?? 0)))
    .toBe(true);
  for (const theme of themes) {
    await workbench.useTheme(theme);
    await choice(page, 'Memory over', 'Order of Execution').click();
    await chart(page, 'Memory over the order of execution').waitFor();
    await page.getByText('forward starts').waitFor();
    await picture(`Order of Execution ${theme.name}`);
    await choice(page, 'Memory over', 'Allocation Map').click();
    await chart(page, 'Allocation map').focus();
    await panels().press('ArrowRight', 'ArrowRight', 'ArrowUp');
    await page.locator('.series-chart .outline.chosen').waitFor();
    await picture(`Allocation Map ${theme.name}`);
  }
  await page.getByRole('button', { name: 'Show as Table' }).click();
  await page.getByRole('grid', { name: 'Buffers of the memory space' }).getByRole('row').nth(2).waitFor();
  await page.getByRole('button', { name: 'Show as Chart' }).click();
  await choice(page, 'Memory over', 'Program Order').click();
});

test('chooses another program', async () => {
  const page = await panels().open('Memory Viewer');
  const select = page.locator('label.select').filter({ hasText: 'Program' }).locator('select');
  const before = await page.locator('.figures').innerText();
  await select.selectOption({ index: 1 });
  await expect.poll(() => page.locator('.figures').innerText()).not.toBe(before);
  await select.selectOption({ index: 0 });
  await expect.poll(() => page.locator('.figures').innerText()).toBe(before);
});

test('shows memory while the script ran', async () => {
  const { workbench } = editor();
  for (const theme of themes) {
    await workbench.useTheme(theme);
    const page = await panels().open('Memory Profile');
    await chart(page, 'Memory over time').focus();
    await panels().press('p');
    await page.locator('.details').getByText('in use', { exact: true }).waitFor();
    await picture(`Memory Profile ${theme.name}`);
    await choice(page, 'List', 'Snapshots by Line').click();
    await page.getByRole('grid', { name: 'Snapshot by line' }).getByRole('row').nth(1).click();
    await page.locator('.details').getByText('of the snapshot').waitFor();
    await picture(`Snapshots ${theme.name}`);
    await choice(page, 'List', 'At the Peak').click();
  }
});

test('says on the lines what they keep in memory', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(LINE);
  await workbench.useAnnotations('Memory');
  const { annotation } = await workbench.editor.annotationOf(TEXT, /at the peak/);
  expect(annotation).toMatch(/[\d.]+ [KMG]i?B at the peak/);
  await picture('Annotations');
  await workbench.useAnnotations('Time');
  await workbench.editor.annotationOf(TEXT, /\/step/);
});

test('names the line that memory ran out at', async () => {
  const { workbench } = editor();
  await workbench.chooseRun(SCRIPT);
  const said = await workbench.notifications.saying(/memory/);
  // A slow machine has no trace of a script that ends so soon: the panel then opens by itself.
  if ((await said.buttons()).includes('Show Memory Profile')) {
    await said.press('Show Memory Profile');
  }
  await workbench.activeTab('Memory Profile').waitFor();
  const page = await workbench.webviews.over('editor', 'Memory Profile');
  const culprits = page.getByRole('grid', { name: 'Lines that took the memory' });
  const culprit = culprits.getByRole('row').nth(1);
  await culprit.waitFor();
  const line = lineOf(SOURCE, GREEDY);
  await culprit.getByRole('button', { name: `${SCRIPT}:${String(line)}`, exact: true }).waitFor();
  for (const theme of themes) {
    await workbench.useTheme(theme);
    await picture(`Out of Memory ${theme.name}`);
  }
  await culprit.dblclick();
  await workbench.activeTab(SCRIPT).waitFor();
  await workbench.editor.cursorIsOn(line);
});

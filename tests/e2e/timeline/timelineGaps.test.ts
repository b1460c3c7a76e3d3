import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { eventually } from '../driver/processes.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { captureInto } from '../capturedRun.js';
import { useEditor } from '../editor.js';
import { lineOf } from '../workspace.js';

const SCRIPT = 'training.py';
/** The device waits for the loader longer than it computes, and the loss of each step is read. */
const SOURCE = `import time

import jax
import jax.numpy as jnp


def load():
    time.sleep(0.1)
    return jnp.ones((256, 256))


@jax.jit
def step(weights, x):
    y = jnp.tanh(x @ weights)
    return weights - 0.01 * (x.T @ y), jnp.mean(y)


def train():
    weights = jnp.ones((256, 256))
    for number in range(25):
        x = load()
        weights, loss = step(weights, x)
        print(number, float(loss))


train()
`;
const LOADS = lineOf(SOURCE, 'time.sleep');

const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  prepare: (workspace) => {
    captureInto(workspace, SCRIPT, SOURCE);
    return undefined;
  },
});

const panels = () => new Panels(editor().workbench);
const details = (page: FrameLocator) => page.locator('.event-details');
const hottestLine = (page: FrameLocator) => details(page).locator('.gap tbody tr').first();
const announced = (page: FrameLocator): Promise<string> => page.locator('.announcer').innerText();

async function openTimeline(): Promise<FrameLocator> {
  const page = await panels().openPage('Timeline');
  await page
    .locator('.status-line')
    .filter({ hasNotText: /still being/ })
    .waitFor({ timeout: 60_000 });
  return page;
}

const picture = picturesIn(path.join(root, 'test-results/timeline-gaps'), () => editor().workbench.page);

test('shows on which lines the thread stood that launches', async () => {
  const { workbench } = editor();
  await workbench.open(SCRIPT);
  await workbench.showRun(SCRIPT);
  const page = await openTimeline();
  await page.locator('.labels .track.lines').filter({ hasText: 'Lines of MainThread' }).waitFor();
});

test('goes from gap to gap by keys, and tells why each was', async () => {
  const page = await openTimeline();
  await page.locator('.surface').focus();
  await panels().press('g');
  await details(page).locator('.gap').waitFor();
  const first = await announced(page);
  expect(first).toMatch(/^idle, /);
  await panels().press('g');
  await expect.poll(() => announced(page)).not.toBe(first);
  const second = await announced(page);
  const rows = details(page).locator('.gap tbody tr');
  await rows
    .filter({ hasText: `${SCRIPT}:${String(LOADS)}` })
    .first()
    .waitFor();
  expect(await rows.first().innerText()).toMatch(/\d.*%/s);
  await details(page).getByText('What ended it').waitFor();
  await panels().press('b');
  await expect.poll(() => announced(page)).toBe(first);
  await page.getByRole('button', { name: /^Next Gap/ }).click();
  await expect.poll(() => announced(page)).toBe(second);
});

test.each(themes)('draws gaps and lines in $name', async (theme) => {
  await editor().workbench.useTheme(theme);
  const page = await openTimeline();
  await page.locator('.surface').focus();
  await panels().press('g');
  await details(page).locator('.gap').waitFor();
  await picture(theme.name);
});

test('goes to the line of a gap', async () => {
  const { workbench } = editor();
  const page = await openTimeline();
  await page.locator('.surface').focus();
  // On a busy machine the thread that launches is now and then held up on another line for longer.
  await eventually('gap that the loader made', async () => {
    await panels().press('g');
    await hottestLine(page).waitFor();
    return (await hottestLine(page).innerText()).includes(`${SCRIPT}:${String(LOADS)}`) || undefined;
  });
  await panels().press('Enter');
  await workbench.activeTab(SCRIPT).waitFor();
  await workbench.editor.cursorIsOn(LOADS);
});

test('leads from a line that the device waits for to a gap of it', async () => {
  const { workbench } = editor();
  await workbench.open(SCRIPT);
  await workbench.editor.goTo(LOADS);
  const page = await openTimeline();
  await page
    .locator('.hits')
    .filter({ hasText: /^gap \d+ of \d+/ })
    .waitFor({ timeout: 60_000 });
  await details(page).locator('.gap').waitFor();
  expect(await hottestLine(page).innerText()).toContain(`${SCRIPT}:${String(LOADS)}`);
  await picture('Led from a line');
});

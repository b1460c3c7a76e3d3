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

const LOADING = 'loading.py';
/** A thread decodes and augments into a queue, slower than the steps take from it. */
const SOURCE = `import queue
import threading
import time

import jax
import jax.numpy as jnp
import numpy as np

ready = queue.Queue(4)


def decode():
    time.sleep(0.009)
    return np.ones((256, 256), np.float32)


def augment(pixels):
    time.sleep(0.011)
    return pixels[:, ::-1].copy()


def read_ahead():
    while True:
        ready.put(augment(decode()))


step = jax.jit(lambda w, x: jnp.tanh(w @ x))
threading.Thread(target=read_ahead, name="reader", daemon=True).start()
w = jnp.ones((256, 256))
for number in range(60):
    x = ready.get()
    w = step(w, x).block_until_ready()
`;

const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  prepare: (workspace) => {
    captureInto(workspace, LOADING, SOURCE, '--steps', '20');
    return undefined;
  },
});

const panels = () => new Panels(editor().workbench);
const operation = (page: FrameLocator, name: string | RegExp) => page.locator('.operation').filter({ hasText: name });

async function openInput(): Promise<FrameLocator> {
  const page = await panels().openPage('Input Pipeline');
  await page.locator('.series-chart .uplot').first().waitFor();
  return page;
}

const picture = picturesIn(path.join(root, 'test-results/inputPipeline'), () => editor().workbench.page);

test('says that the steps wait, for whom, and at which line', async () => {
  await editor().workbench.open(LOADING);
  await editor().workbench.showRun(LOADING);
  const page = await openInput();
  await page.getByText('of the steps: highly input-bound').waitFor();
  const lines = page.getByRole('region', { name: 'Lines that wait for input' });
  await lines.getByRole('button', { name: `${LOADING}:${String(lineOf(SOURCE, 'ready.get()'))}` }).waitFor();
  await operation(page, 'reader').filter({ hasText: 'threads · 1 thread' }).waitFor();
  expect(await operation(page, 'reader').getAttribute('class')).toContain('suspected');
  await page
    .getByRole('complementary')
    .getByText(/Devices wait for input for/)
    .waitFor();
  const stages = page.getByRole('grid', { name: 'Stages' });
  const longest = stages.getByRole('row').nth(1);
  expect(await longest.innerText()).toContain(`:${String(lineOf(SOURCE, 'time.sleep(0.011)'))}`);
});

test('leads from the line of the verdict and of the stage into the editor', async () => {
  const { workbench } = editor();
  const page = await openInput();
  await page.getByRole('region', { name: 'Lines that wait for input' }).getByRole('button').first().click();
  await workbench.page
    .getByRole('button', { name: new RegExp(`Ln ${String(lineOf(SOURCE, 'ready.get()'))},`) })
    .waitFor();
});

test('is read by the keyboard alone', async () => {
  const page = await openInput();
  await panels().tabTo(page.locator('.operation:focus'));
  await panels().press('ArrowRight');
  await page.getByRole('complementary').getByText('loop of the steps').waitFor();
  await panels().press('ArrowLeft');
  await page.getByRole('complementary').getByText('Its queue').waitFor();
  await panels().tabTo(page.locator('.series-chart:focus'));
  await panels().press('Home', 'Enter');
  await page.getByRole('complementary').getByText('step 1', { exact: true }).waitFor();
  await panels().tabTo(page.locator('[role="row"]:focus'));
});

test('has every number of its charts as a table', async () => {
  const page = await openInput();
  await page.getByRole('button', { name: 'Show as Table' }).click();
  const table = page.getByRole('grid', { name: 'Steps: time, idle, waiting for input' });
  await table.getByRole('row').nth(3).waitFor();
  await page.getByRole('button', { name: 'Show as Chart' }).click();
  await page.locator('.series-chart .uplot').first().waitFor();
});

test.each(themes)('can be read in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  const page = await openInput();
  for (const name of ['Steps', 'Queue', 'At Gets']) {
    await choice(page, 'Chart', name).click();
    await page.locator('.series-chart .uplot').first().waitFor();
    if (theme.name === themes[0]?.name || name === 'Steps') {
      await picture(`${theme.name} ${name}`);
    }
  }
});

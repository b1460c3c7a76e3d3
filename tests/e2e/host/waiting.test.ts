import path from 'node:path';
import { expect, test } from 'vitest';
import { Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { captureInto } from '../capturedRun.js';
import { useEditor } from '../editor.js';
import { lineOf } from '../workspace.js';

/**
 * A small CNN whose loader takes most of every step, on two lines: it reads for longer than it augments. The device works
 * for long enough that the host waits for its result on a busy machine too.
 */
const SOURCE = `import time

import jax
import jax.numpy as jnp
import numpy as np

generator = np.random.default_rng(0)


def batches(steps):
    for _ in range(steps):
        images = generator.standard_normal((32, 16, 16, 3), dtype=np.float32)
        time.sleep(0.06)  # stands for a disk
        yield np.sort(images, axis=1)


def loss_of(kernel, images):
    x = jax.lax.conv_general_dilated(images, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jnp.mean(jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"))


@jax.jit
def train_step(kernel, images):
    loss, gradient = jax.value_and_grad(loss_of)(kernel, images)
    return kernel - 0.01 * gradient, loss


def train():
    kernel = jnp.full((3, 3, 3, 128), 0.1)
    for images in batches(80):
        kernel, loss = train_step(kernel, images)
        print(float(loss))


train()
`;
const SCRIPT = 'cnn.py';
const LOADS = 'time.sleep(0.06)';
const LINE = lineOf(SOURCE, LOADS);

const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  prepare: (workspace) => {
    captureInto(workspace, SCRIPT, SOURCE);
    return undefined;
  },
});

const panels = () => new Panels(editor().workbench);

const picture = picturesIn(path.join(root, 'test-results/waiting'), () => editor().workbench.page);

test('says after the line of the loader that the device waits for it, before anything else', async () => {
  const { workbench } = editor();
  await workbench.showRun(SCRIPT);
  await workbench.open(SCRIPT);
  await workbench.editor.goTo(LINE);
  const { annotation } = await workbench.editor.annotationOf(LOADS);
  expect(annotation).toMatch(/^○{4,5}·? ≈?\d\d\.\d % of the step {2}device waits \d\d\.\d ms\/step/);
  await picture('annotations');
});

test('leads from the status bar to the line in two clicks', async () => {
  const { workbench } = editor();
  await workbench.editor.goTo(1);
  const item = workbench.page
    .locator('.statusbar-item')
    .filter({ hasText: /ms\/step · \d+ % busy · \d+ % idle: input/ });
  await item.click();
  const page = await panels().openPage('Hot Lines');
  const first = page.getByRole('row').filter({ hasText: 'cnn.py:' }).first();
  expect(await first.textContent()).toContain(`cnn.py:${String(LINE)}`);
  await first.getByRole('button', { name: `cnn.py:${String(LINE)}` }).click();
  await workbench.activeTab(SCRIPT).waitFor();
  await workbench.editor.cursorIsOn(LINE);
});

test.each(themes)('lists what waits in another form than what runs, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  const page = await panels().open('Hot Lines');
  const first = page.getByRole('row').filter({ hasText: `cnn.py:${String(LINE)}` });
  await first.click();
  await page.getByRole('heading', { name: /Devices wait for it/ }).waitFor();
  await page.getByText('comes after the wait for a result at').first().waitFor();
  await picture(`hot lines, ${theme.name}`);
  await page.getByRole('button', { name: /idle: input/ }).click();
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'max' }).count()).toBe(0);
  await picture(`hot lines of input, ${theme.name}`);
  await page.getByRole('button', { name: /idle: input/ }).click();
});

test('says on the card why and since which wait, and leads from it to the stage', async () => {
  const { workbench } = editor();
  await workbench.open(SCRIPT);
  await workbench.editor.goTo(LINE);
  await workbench.run('Show or Focus Hover');
  const hover = await workbench.editor.hoverCard();
  const card = await hover.innerText();
  expect(card).toContain('of the step');
  expect(card).toMatch(/device waits: input \d+ %/);
  expect(card).toMatch(/comes after the wait for a result at line \d+\. Without that wait a step takes .* at best/);
  await picture('card');
  await hover.getByText('Input Pipeline').click();
  await workbench.activeTab('Input Pipeline').waitFor();
  const page = await workbench.webviews.over('editor', 'Input Pipeline');
  await page
    .locator('[aria-selected="true"]')
    .filter({ hasText: `${SCRIPT}:${String(LINE)}` })
    .waitFor();
  await picture('stage');
});

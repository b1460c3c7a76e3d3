import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { small, wide } from '../driver/browser.js';
import { Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { useEditor } from '../editor.js';
import { lineOf } from '../workspace.js';
import { expectRows } from './rowsInSight.js';

/** A small CNN whose loader takes most of every step. */
const SOURCE = `import time

import jax
import jax.numpy as jnp
import numpy as np

generator = np.random.default_rng(0)


def batches():
    while True:
        images = generator.standard_normal((32, 16, 16, 3), dtype=np.float32)
        time.sleep(0.05)  # stands for a disk
        yield np.sort(images, axis=1)


def features(kernel, images):
    x = jax.lax.conv_general_dilated(images, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    x = jnp.maximum(x, 0)
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def loss_of(parameters, images):
    x = features(parameters["kernel"], images).reshape(images.shape[0], -1)
    x = jnp.tanh(x @ parameters["hidden"])
    logits = x @ parameters["out"]
    return -jnp.mean(jax.nn.log_softmax(logits)[:, 0])


@jax.jit
def train_step(parameters, images):
    loss, gradients = jax.value_and_grad(loss_of)(parameters, images)
    return jax.tree.map(lambda p, g: p - 0.01 * g, parameters, gradients), loss


def train():
    parameters = {"kernel": jnp.full((3, 3, 3, 16), 0.1), "hidden": jnp.ones((1024, 128)), "out": jnp.ones((128, 10))}
    loader = batches()
    for step in range(60):
        images = next(loader)
        parameters, loss = train_step(parameters, images)
        print(float(loss))


train()
`;
const SCRIPT = 'cnn.py';
const LOADS = 'time.sleep(0.05)';
const LINE = lineOf(SOURCE, LOADS);

/** Every call has other shapes, so that it compiles anew, and it fails in the end. */
const FAILING = `import jax
import jax.numpy as jnp


@jax.jit
def score(x):
    return jnp.tanh(x @ x.T).sum()


for size in range(1, 20):
    print(float(score(jnp.ones((size * 8, 64)))))
raise RuntimeError("out of sizes")
`;

const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13, 'scopelight.capture.calibrate': false },
  prepare: (workspace) => {
    workspace.write(SCRIPT, SOURCE);
    workspace.write('shapes.py', FAILING);
    return undefined;
  },
});

const picture = picturesIn(path.join(root, 'test-results/answer'), () => editor().workbench.page);

function showHotLines(shows: boolean): void {
  const settings = JSON.stringify({ 'scopelight.capture.showHotLines': shows });
  editor().workspace.write('.vscode/settings.json', settings);
}

/** The first row under the header. */
const firstRow = (list: FrameLocator) => list.locator('.table .row').first();

test('shows the answer at the end of a capture, and leaves the keyboard in the text', async () => {
  const { workbench } = editor();
  await workbench.page.setViewportSize(small);
  await workbench.open(SCRIPT);
  await workbench.editor.goTo(3);
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.accept(/Arguments/);
  await workbench.quickInput.accept(/What part of the script to capture/);
  const toast = await workbench.notifications.saying(/cnn\.py: \d+ steps of /, 150_000);
  expect(await toast.text()).toMatch(
    /^cnn\.py: 5 steps of \d\d\.\d ms\. \d\d % of the step waits for time\.sleep\(0\.05\), line 13\.$/,
  );
  const list = await workbench.webviews.over('sidebar');
  await firstRow(list)
    .filter({ hasText: `cnn.py:${String(LINE)}` })
    .waitFor();
  await list.getByRole('button', { name: /^idle: input \d/ }).waitFor();
  await workbench.editor.focused.waitFor();
  await workbench.editor.cursorIsOn(LINE);
  await workbench.webviews.over('editor', 'Overview').then((page) => page.getByText('What to do next').waitFor());
  await picture('end', [small]);
  await expectRows(workbench.page, list, small, 5);
  await expectRows(workbench.page, list, wide, 7);
  await picture('end', [wide]);
  await workbench.page.setViewportSize(small);
  await workbench.editor.goTo(1);
  await toast.press('Show');
  await workbench.editor.cursorIsOn(LINE);
});

test.each(themes.slice(0, 2))('has room for five lines beside a terminal, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  await workbench.run('View: Close Editors in Other Groups');
  await expectRows(workbench.page, await workbench.webviews.over('sidebar'), small, 5);
  const tab = await new Panels(workbench).open('Hot Lines');
  await expectRows(workbench.page, tab, small, 5);
  await tab.getByRole('button', { name: /^idle: input \d/ }).waitFor();
  await picture(`list, ${theme.name}`, [small]);
  await expectRows(workbench.page, tab, wide, 7);
  await picture(`list, ${theme.name}`, [wide]);
  await workbench.page.setViewportSize(small);
  await workbench.run('View: Close Editor');
});

test('starts the list over, and stays away where it is not wanted', async () => {
  const { workbench } = editor();
  const before = await workbench.webviews.over('sidebar');
  await before.getByRole('columnheader', { name: /^Line/ }).click();
  await before.getByRole('textbox', { name: 'Search lines' }).fill('cnn.py:42');
  await expect.poll(() => before.locator('.table .row').count()).toBe(1);
  showHotLines(false);
  await workbench.run('View: Show Explorer');
  await workbench.open(SCRIPT);
  await workbench.notifications.clear();
  await workbench.run('Scopelight: Profile Again');
  await workbench.notifications.saying(/Profiling cnn\.py/);
  await workbench.open('decoder.py');
  const toast = await workbench.notifications.saying(/cnn\.py: \d+ steps of /, 150_000);
  await workbench.activeTab('decoder.py').waitFor();
  await workbench.sideBar
    .locator('.composite.title')
    .filter({ hasText: /explorer/i })
    .waitFor();
  await toast.press('Show');
  await workbench.activeTab(SCRIPT).waitFor();
  await workbench.editor.cursorIsOn(LINE);
  await workbench.run('Scopelight: Focus on Hot Lines View');
  const list = await workbench.webviews.over('sidebar');
  await firstRow(list)
    .filter({ hasText: `cnn.py:${String(LINE)}` })
    .waitFor();
  expect(await list.getByRole('textbox', { name: 'Search lines' }).inputValue()).toBe('');
});

test('shows what is known of a script that failed in the end', async () => {
  const { workbench } = editor();
  showHotLines(true);
  await workbench.run('View: Show Explorer');
  await workbench.open('shapes.py');
  await workbench.notifications.clear();
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.accept(/Arguments/);
  await workbench.quickInput.accept(/What part of the script to capture/);
  await workbench.notifications.saying(/shapes\.py: .* waits for print\(float\(score\(/, 150_000);
  await workbench.notifications.saying(
    /shapes\.py ended with RuntimeError: out of sizes .*; the lines are of what ran before/,
  );
  const list = await workbench.webviews.over('sidebar');
  await firstRow(list).filter({ hasText: 'shapes.py:11' }).waitFor();
  await picture('failed', [small]);
});

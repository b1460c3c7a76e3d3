import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { small, wide } from '../driver/browser.js';
import { picturesIn } from '../driver/pictures.js';
import { captureInto } from '../capturedRun.js';
import { root } from '../development.js';
import { useEditor } from '../editor.js';
import { expectRows } from './rowsInSight.js';

/** Runs one program once, so that no steps are found, which is to be said above its lines. */
const ONCE = `import jax
import jax.numpy as jnp


@jax.jit
def evaluate(x):
    x = jnp.sin(x @ x)
    x = jnp.cos(x @ x)
    x = jnp.tanh(x @ x)
    x = jnp.exp(-x @ x)
    x = jnp.abs(x @ x)
    x = jnp.sin(x @ x)
    return x.mean()


print(evaluate(jnp.ones((900, 900))))
`;

const editor = useEditor();

const picture = picturesIn(path.join(root, 'test-results/rows'), () => editor().workbench.page);

/** By it the editor keeps the heights of the views that are there. */
async function resizeWindow(): Promise<void> {
  for (const size of [wide, small, wide]) {
    await editor().workbench.page.setViewportSize(size);
    await editor()
      .workbench.page.locator(`.monaco-workbench[style*="width: ${String(size.width)}px"]`)
      .waitFor();
  }
}

async function expectLines(): Promise<void> {
  const { workbench } = editor();
  const list = await workbench.webviews.over('sidebar');
  await expectRows(workbench.page, list, small, 5);
  await picture('small', [small]);
  await expectRows(workbench.page, list, wide, 7);
  await picture('wide', [wide]);
}

test('the first run has room for its lines, whatever became of the window while there was none', async () => {
  const { workbench, workspace } = editor();
  await workbench.open('transformer.py');
  await workbench.page.locator('.activitybar').getByRole('tab', { name: 'Scopelight' }).click();
  await workbench.sideBar.getByText(/See after each line of a training script what it costs/).waitFor();
  expect(await workbench.view('Runs').count()).toBe(0);
  await resizeWindow();
  workspace.addRun(inject('prepared').captured);
  await workbench.showRun('transformer.py');
  expect(await workbench.sideBar.getByText(/what it costs/).count()).toBe(0);
  await expectLines();
});

test('so has one that is chosen where none was shown', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Clear');
  const list = await workbench.webviews.over('sidebar');
  await list.locator('.state .reason').waitFor();
  await picture('none is shown');
  await resizeWindow();
  await workbench.showRun('transformer.py');
  await expectLines();
});

test('so has one without steps, whose head says so once, with what to do', async () => {
  const { workbench, workspace } = editor();
  captureInto(workspace, 'once.py', ONCE);
  // As long as it is listed as running, a click lists what is known of it.
  await workbench.showRun(/once\.py(?!.*running)/);
  const list = await workbench.webviews.over('sidebar');
  await list.getByText(/^No steps were found/).waitFor();
  const remedy = list.getByRole('button', { name: /^Capture for longer/ });
  expect(await list.getByText(/No steps were found/).count()).toBe(1);
  await expectRows(workbench.page, list, wide, 5);
  await picture('without steps, wide', [wide]);
  await expectRows(workbench.page, list, small, 5);
  await picture('without steps, small', [small]);
  const height = async () => (await remedy.boundingBox())?.height ?? 0;
  const folded = await height();
  await remedy.press('Enter');
  expect(await height()).toBeGreaterThan(folded);
});

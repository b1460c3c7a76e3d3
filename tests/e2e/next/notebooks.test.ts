import path from 'node:path';
import { expect, test } from 'vitest';
import type { Locator } from 'playwright-core';
import { wide } from '../driver/browser.js';
import { picturesIn } from '../driver/pictures.js';
import { eventually } from '../driver/processes.js';
import { developmentDaemon, developmentPython, root } from '../development.js';
import { useEditor } from '../editor.js';
import { installKernel } from '../kernel/install.js';

const MODEL = `import jax
import jax.numpy as jnp


def loss(weights, x):
    hidden = jnp.tanh(x @ weights)
    return jnp.mean((hidden @ weights) ** 2)


@jax.jit
def train_step(weights, x):
    return weights - 0.01 * jax.grad(loss)(weights, x)`;
const DATA = `weights = jnp.eye(192)
x = jnp.ones((192, 192))`;
const LOOP = `for _ in range(300):
    weights = train_step(weights, x)
weights.block_until_ready()
print("done")`;

function notebookOf(...cells: readonly string[]): string {
  const saved = cells.map((text, number) => ({
    cell_type: 'code',
    execution_count: null,
    id: `cell-${number}`,
    metadata: {},
    outputs: [],
    source: text,
  }));
  const metadata = { language_info: { name: 'python' } };
  return JSON.stringify({ cells: saved, metadata, nbformat: 4, nbformat_minor: 5 });
}

const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13, 'notebook.lineNumbers': 'on' },
  environment: { SCOPELIGHT_TEST_KERNEL_PYTHON: developmentPython },
  addExtensions: installKernel,
  prepare: (workspace) => {
    workspace.write('train.ipynb', notebookOf(MODEL, DATA, LOOP));
    return undefined;
  },
});

const picture = picturesIn(path.join(root, 'test-results/notebooks'), () => editor().workbench.page);

/** A cell of the notebook in front, from 1. */
function cell(number: number): Locator {
  return editor()
    .workbench.page.locator('.notebookOverlay .cell-list-container .monaco-list-row')
    .nth(number - 1);
}

/** The lines of a cell that carry something, with what they carry. */
async function annotated(number: number): Promise<Record<string, string>> {
  return cell(number).evaluate((row) => {
    const found: Record<string, string> = {};
    for (const line of row.querySelectorAll('.view-line')) {
      const texts = [...line.querySelectorAll('span > span')].map((span) => getComputedStyle(span, '::after').content);
      const drawn = texts.filter((text) => text.startsWith('"')).map((text) => JSON.parse(text) as string);
      if (drawn.length > 0) {
        found[line.textContent.replaceAll('\u00a0', ' ').trim()] = drawn.join('').replaceAll('\u00a0', ' ').trim();
      }
    }
    return found;
  });
}

/** What a line of a cell carries, once it does. */
function annotation(number: number, text: string, like = /%/): Promise<string> {
  return eventually(`annotation of ${text}`, async () => {
    const carried = Object.entries(await annotated(number)).find(([line]) => line.includes(text))?.[1];
    return carried !== undefined && like.test(carried) ? carried : undefined;
  });
}

async function select(number: number): Promise<void> {
  await cell(number).locator('.view-lines').click();
}

test('a cell is profiled in the kernel of its notebook, and the lines of all cells are annotated', async () => {
  const { workbench, workspace } = editor();
  await workbench.openAny('train.ipynb');
  await cell(3).waitFor();
  await workbench.page.getByRole('button', { name: 'Run All' }).click();
  await cell(3)
    .getByText(/^\d+\.\ds$/)
    .first()
    .waitFor({ timeout: 60_000 });
  await select(3);
  await workbench.run('Scopelight: Profile Cell');
  await workbench.notifications.saying(/train\.ipynb: \d+ steps of /, 150_000);
  await workbench.notifications.clear();
  expect(workspace.runs()).toEqual([expect.stringMatching(/^\d{8}-\d{6}-train$/)]);
  expect(await annotation(1, 'jnp.tanh')).toMatch(/%/);
  expect(await annotation(1, 'jnp.mean')).toMatch(/%/);
  await expect.poll(() => cell(4).count()).toBe(0);
  await picture('profiled', [wide]);
});

test('a row of Hot Lines opens the cell, whose lines explain themselves', async () => {
  const { workbench } = editor();
  const lines = await workbench.webviews.over('sidebar');
  await lines.getByRole('row').filter({ hasText: 'train.ipynb, cell 1' }).first().click();
  await cell(1).locator('.monaco-editor.focused').waitFor();
  await cell(1).locator('.view-line').filter({ hasText: 'hidden @ weights' }).getByText('hidden').first().hover();
  await workbench.page.locator('.monaco-hover').getByText('dot').first().waitFor();
  await picture('hover', [wide]);
});

test('an edit of a cell makes its lines stale', async () => {
  const { workbench } = editor();
  const before = await annotation(1, 'jnp.mean');
  await cell(1).locator('.view-line').filter({ hasText: 'hidden @ weights' }).click();
  await workbench.page.keyboard.press('End');
  await workbench.page.keyboard.press('Backspace');
  await workbench.page.keyboard.press('Backspace');
  await workbench.page.keyboard.type('4)');
  const after = await annotation(1, '** 4', /edited since/);
  expect(after).not.toBe(before);
  expect(await annotation(1, 'jnp.tanh')).toMatch(/%/);
  await picture('edited', [wide]);
});

test('a deleted cell is shown as it was recorded', async () => {
  const { workbench } = editor();
  await select(1);
  await workbench.page.keyboard.press('Escape');
  await workbench.run('Notebook: Delete Cell');
  const lines = await workbench.webviews.over('sidebar');
  await lines.getByRole('row').filter({ hasText: 'train.ipynb, cell 1' }).first().click();
  await workbench.editor.annotationOf('jnp.mean');
  await picture('deleted', [wide]);
  // As Python is: its words have colours of their own.
  await workbench.editor.lines.locator('.mtk1').first().waitFor();
  expect(await workbench.editor.lines.first().locator('span > span').count()).toBeGreaterThan(1);
});

import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { captureAs } from '../capturedRun.js';
import { developmentDaemon, root } from '../development.js';
import { choice, Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { useEditor } from '../editor.js';

/** Its input makes the steps wait, and comes in two lengths. */
const script = `import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

WIDTH = 256 if '--wide' in sys.argv else 128


@jax.jit
def step(weights, batch):
    return weights - 0.01 * batch.T @ jnp.tanh(batch @ weights)


def batches():
    number = 0
    while True:
        rows = np.ones(((32, 64)[number % 2], WIDTH), np.float32)
        time.sleep(0.002)
        yield rows
        number += 1


weights = jnp.eye(WIDTH) * 0.5
loader = batches()
for number in range(60):
    weights = step(weights, next(loader))
    weights.block_until_ready()
`;

const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  prepare: (workspace) => {
    workspace.write('fed.py', script);
    captureAs(workspace, '20260102-000000-fed', '--whole', 'fed.py');
    captureAs(workspace, '20260103-000000-fed', '--whole', 'fed.py', '--wide');
    return undefined;
  },
});

const panels = () => new Panels(editor().workbench);
const pictures = picturesIn(path.join(root, 'test-results/comparison'), () => editor().workbench.page);
const SIGNED = /^(=|(new |gone )?[+−][\d.]+ .+)$/;

/** What a table says of changes, and which of them are cut or broken. */
async function changesIn(page: FrameLocator): Promise<{ readonly texts: readonly string[]; readonly cut: number }> {
  const changes = page.locator('.table .row .change');
  await changes.first().waitFor();
  const texts = (await changes.allInnerTexts()).map((text) => text.replaceAll(/\s/g, ' '));
  const cut = await changes.evaluateAll(
    (cells) =>
      cells.filter((cell) => {
        const row = cell.closest('.row')?.getBoundingClientRect();
        const { height } = cell.getBoundingClientRect();
        return row === undefined || height > row.height || cell.scrollWidth > cell.clientWidth + 1;
      }).length,
  );
  return { texts, cut };
}

test('compares two captures of a script', async () => {
  const { workbench } = editor();
  await workbench.showRun('--wide');
  await workbench.run('Scopelight: Compare with…');
  await workbench.quickInput.choose(/What was before it/, 'fed.py');
  await workbench.activeTab('Comparison').waitFor();
});

test('has what stages of the input took of a step before', async () => {
  const page = await panels().openPage('Input Pipeline');
  const { texts, cut } = await changesIn(page);
  // One run of each tells nothing of a wall clock.
  expect(texts.every((text) => SIGNED.test(text) && (text === '=' || /±|new|gone/.test(text)))).toBe(true);
  expect(cut).toBe(0);
  await pictures('input pipeline');
});

test('has what was alive at the snapshots before', async () => {
  const page = await panels().openPage('Memory Profile');
  await choice(page, 'List', 'Snapshots by Line').click();
  await page.locator('label.select', { hasText: 'Snapshot' }).locator('select').selectOption('end');
  await expect
    .poll(async () => (await changesIn(page)).texts)
    .toContainEqual(expect.stringMatching(/^[+−][\d.]+ .?i?B$/));
  expect((await changesIn(page)).cut).toBe(0);
  await pictures('memory profile');
});

test('has the variants of shapes that are new, and those that are gone', async () => {
  const page = await panels().openPage('Shapes');
  const { texts, cut } = await changesIn(page);
  expect(texts.filter((text) => text.startsWith('new'))).toHaveLength(2);
  expect(texts.filter((text) => text.startsWith('gone'))).toHaveLength(2);
  expect(cut).toBe(0);
  await pictures('shapes');
});

import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { choice, Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { captureInto } from '../capturedRun.js';
import { useEditor } from '../editor.js';

const LOADING = 'loading.py';
/** The same, captured without its resources. */
const BARE = 'bare.py';
/** Its worker computes while the script waits for it, as that of a data loader does. */
const SOURCE = `import subprocess
import sys

import jax
import jax.numpy as jnp

WORK = """if True:
    import sys, time
    for line in sys.stdin:
        end = time.process_time() + 0.08
        while time.process_time() < end:
            sum(range(10_000))
        print(flush=True)"""
worker = subprocess.Popen([sys.executable, "-c", WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
step = jax.jit(lambda x: jnp.tanh(x @ x))
x = jnp.ones((512, 512))
for number in range(40):
    print(file=worker.stdin, flush=True)
    worker.stdout.readline()
    x = step(x).block_until_ready()
worker.communicate()
`;

const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  prepare: (workspace) => {
    for (const [script, ...options] of [[LOADING], [BARE, '--no-resources']] as const) {
      captureInto(workspace, script, SOURCE, ...options);
    }
    return undefined;
  },
});

const panels = () => new Panels(editor().workbench);
const chart = (page: FrameLocator, name: string) => page.getByRole('application', { name, exact: true });

const picture = picturesIn(path.join(root, 'test-results/resources'), () => editor().workbench.page);

async function openResources(): Promise<FrameLocator> {
  const page = await panels().openPage('Resources');
  await page.locator('.series-chart .uplot').first().waitFor();
  return page;
}

test('says why a run has none', async () => {
  await editor().workbench.open(BARE);
  await editor().workbench.showRun(BARE);
  const page = await panels().openPage('Resources');
  await page.getByText(/captured with --no-resources/).waitFor();
});

test('has the worker of the script beside it', async () => {
  await editor().workbench.showRun(LOADING);
  const page = await openResources();
  await choice(page, 'List', 'Processes').click();
  const processes = page.getByRole('grid', { name: 'Processes' });
  await processes.getByRole('row').filter({ hasText: 'the script' }).waitFor();
  expect(await processes.getByRole('row').count()).toBe(3);
  await choice(page, 'Charts', 'Processes').click();
  await chart(page, 'Processes: of a core').waitFor();
});

test('is read by the keyboard alone', async () => {
  const page = await openResources();
  await choice(page, 'Charts', 'Cores').click();
  const shares = chart(page, 'Time of all cores');
  await shares.focus();
  await panels().press('Home', 'ArrowRight', 'Enter');
  const readout = page.getByRole('region', { name: 'Time of all cores' }).locator('.readout');
  await readout.filter({ hasText: /to .* · user \d/ }).waitFor();
  await page.getByRole('complementary').getByText('run or could').waitFor();
  await panels().tabTo(page.locator('[role="row"]:focus'));
});

test('has every number of its charts as a table', async () => {
  const page = await openResources();
  await page.getByRole('button', { name: 'Show as Table' }).click();
  const table = page.getByRole('grid', { name: 'Cores by reading' });
  await table.getByRole('row').nth(3).waitFor();
  expect(await table.getByRole('row').first().innerText()).toContain('user');
  await page.getByRole('button', { name: 'Show as Chart' }).click();
  await chart(page, 'Time of all cores').waitFor();
});

test.each(themes)('can be read in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  const page = await openResources();
  await choice(page, 'List', 'Threads').click();
  await choice(page, 'Shown', 'Window').click();
  for (const group of ['Cores', 'Contention', 'Processes', 'Threads', 'Memory', 'Disks and Networks']) {
    await choice(page, 'Charts', group).click();
    await page.locator('.series-chart .uplot').first().waitFor();
    if (theme.name === themes[0]?.name || group === 'Cores') {
      await picture(`${theme.name} ${group}`);
    }
  }
});

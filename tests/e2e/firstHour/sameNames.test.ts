import path from 'node:path';
import { expect, test } from 'vitest';
import { picturesIn } from '../driver/pictures.js';
import { developmentDaemon, root } from '../development.js';
import { useEditor } from '../editor.js';

/** Trains until it is told to end. */
const TRAINS = `import time

import jax
import jax.numpy as jnp


@jax.jit
def train_step(weights, batch):
    return weights - 0.01 * batch.T @ (batch @ weights)


weights = jnp.ones((256, 256))
for _ in range(100_000):
    weights = train_step(weights, jnp.ones((64, 256))).block_until_ready()
    time.sleep(0.01)
`;

const editor = useEditor({
  settings: developmentDaemon,
  prepare: (workspace) => {
    workspace.write('a/train.py', TRAINS);
    workspace.write('b/train.py', TRAINS);
    return undefined;
  },
});

const picture = picturesIn(path.join(root, 'test-results/same names'), () => editor().workbench.page);

async function profileFor(script: string, seconds: string): Promise<void> {
  const { workbench } = editor();
  await workbench.run('View: Close All Editors');
  await workbench.open(script);
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.answer(/Arguments/, '');
  await workbench.quickInput.choose(/What part of the script to capture/, 'A time in seconds');
  await workbench.quickInput.answer(/Seconds to capture/, seconds);
}

test('captures two scripts of one name at a time, and asks about none but the one that is captured', async () => {
  const { workbench } = editor();
  await profileFor('a/train.py', '600');
  await workbench.notifications.saying(/Profiling train\.py: capturing/, 150_000);
  await profileFor('b/train.py', '600');
  const other = await workbench.notifications.saying(/Profiling b\/train\.py: capturing/, 150_000);
  await workbench.run('Scopelight: Profile Training Script');
  const already = await workbench.notifications.saying(/b\/train\.py is being profiled already.*Start Another/);
  await picture('profiled already');
  await other.press('Cancel');
  // At once: it is not shown for long.
  await workbench.notifications.saying(/b\/train\.py: \d+ steps of /, 150_000);
  await already.gone();
});

test('names scripts of one name by their folders, in messages, in Runs and in Hot Lines', async () => {
  const { workbench, workspace } = editor();
  const first = await workbench.notifications.saying(/Profiling train\.py: capturing/);
  await first.press('Cancel');
  await workbench.notifications.saying(/a\/train\.py: \d+ steps of /, 150_000);
  expect(workspace.runs()).toHaveLength(2);
  await workbench.run('Scopelight: Focus on Runs View');
  await workbench
    .rows('Runs')
    .filter({ hasText: /^a\/train\.py/ })
    .filter({ hasText: 'shown' })
    .waitFor();
  await workbench
    .rows('Runs')
    .filter({ hasText: /^b\/train\.py/ })
    .waitFor();
  await workbench.notifications.clear();
  await workbench.run('Scopelight: Open Hot Lines');
  const page = await workbench.webviews.over('editor', 'Hot Lines');
  await page.getByText('a/train.py').first().waitFor();
  await picture('told apart');
});

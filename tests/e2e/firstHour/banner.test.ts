import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { developmentDaemon, root } from '../development.js';
import { useEditor } from '../editor.js';

/** Trains until there is a file beside it that says that it is enough. */
const SOURCE = `import pathlib

import jax
import jax.numpy as jnp


@jax.jit
def train_step(weights, batch):
    return weights - 0.001 * batch.T @ jnp.tanh(batch @ weights)


weights, batch = jnp.ones((256, 256)), jnp.ones((128, 256))
while not pathlib.Path("enough").exists():
    weights = train_step(weights, batch).block_until_ready()
`;
const PANELS = ['Op Profile', 'Op Statistics', 'FLOPs', 'Roofline', 'Hot Lines'];

const editor = useEditor({
  // What was measured of this machine before is not known in it.
  environment: { XDG_CACHE_HOME: mkdtempSync(path.join(tmpdir(), 'scopelight-cache-')) },
  settings: developmentDaemon,
  prepare: (workspace) => {
    workspace.write('train.py', SOURCE);
    return undefined;
  },
});

const panels = () => new Panels(editor().workbench);
const picture = picturesIn(path.join(root, 'test-results/banner'), () => editor().workbench.page);

test('says that the machine is not measured yet while the script runs', async () => {
  const { workbench } = editor();
  await workbench.open('train.py');
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.answer(/Arguments/, '');
  await workbench.quickInput.accept(/What part of the script to capture/);
  await workbench.notifications.saying(/train\.py: 5 steps of /, 150_000);
  await workbench.notifications.clear();
  for (const title of PANELS.slice(0, -1)) {
    const page = await panels().open(title);
    await page
      .getByText(/No utilisation is known yet: .* when the script has ended/)
      .first()
      .waitFor();
  }
  await picture('before');
});

test('takes that away in every panel when the machine was measured', async () => {
  const { workbench, workspace } = editor();
  workspace.write('enough', '');
  for (const title of PANELS) {
    const page = await panels().open(title);
    await expect.poll(() => page.getByText(/No utilisation is known/).count(), { timeout: 60_000 }).toBe(0);
    await page.getByRole('row').first().waitFor();
    await picture(`after, ${title}`, [{ width: 1400, height: 900 }]);
  }
  await workbench.open('train.py');
  await workbench.editor.goTo(9);
  await workbench.run('Show or Focus Hover');
  expect(await (await workbench.editor.hoverCard()).innerText()).toMatch(/of the peak/);
});

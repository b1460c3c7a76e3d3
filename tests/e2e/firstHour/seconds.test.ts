import path from 'node:path';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { picturesIn } from '../driver/pictures.js';
import { darkModern, themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { useEditor } from '../editor.js';

const SCRIPT = 'shapes.py';

const editor = useEditor({
  settings: developmentDaemon,
  prepare: (workspace) => {
    workspace.write(SCRIPT, readFileSync(path.join(root, 'tests/e2e/firstHour/scripts', SCRIPT), 'utf8'));
    workspace.write('reads_first.py', READS_FIRST);
    return undefined;
  },
});

/** Imports jax only when it is told to, as a script does that reads its data first. */
const READS_FIRST = `import pathlib
import time

while not pathlib.Path("read").exists():
    time.sleep(0.05)

import jax
import jax.numpy as jnp

step = jax.jit(lambda weights: weights @ weights / 256)
weights = jnp.ones((256, 256))
for _ in range(100_000):
    weights = step(weights).block_until_ready()
`;

const picture = picturesIn(path.join(root, 'test-results/seconds'), () => editor().workbench.page);

test('says what a capture waits for, and captures at once where that is asked for', async () => {
  const { workbench, workspace } = editor();
  await workbench.open(SCRIPT);
  const noted = await workbench.notifications.note();
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.answer(/Arguments/, '');
  await workbench.quickInput.accept(/What part of the script to capture/);
  const progress = await workbench.notifications.saying(/compiling .*Capture Now/, 60_000);
  for (const theme of themes) {
    await workbench.useTheme(theme);
    await picture(`waiting, ${theme.name}`);
  }
  await workbench.useTheme(darkModern);
  // Each text but the last ones is there for a second or two.
  const ofCompiling = async () => (await noted()).filter((each) => each.includes('compiling')).length;
  await expect.poll(ofCompiling).toBeGreaterThan(3);
  await progress.follow('Capture Now');
  // How many ran until then is the machine's business.
  await workbench.notifications.saying(/shapes\.py: (?:\d+ steps of |no steps found)/, 60_000);
  expect((await noted()).join('\n')).toMatch(
    /waiting for the script to import jax|waiting for the first use of a device/,
  );
  expect(workspace.runs()).toHaveLength(1);
  await workbench.run('Scopelight: Open Hot Lines');
  const page = await workbench.webviews.over('editor', 'Hot Lines');
  await page
    .getByText(/The window was asked for before 5 steps that repeat were found/)
    .first()
    .waitFor();
  await picture('captured by hand');
});

test('acknowledges that a capture was asked for before the script has imported jax, and does it then', async () => {
  const { workbench, workspace } = editor();
  const before = workspace.runs().length;
  await workbench.notifications.clear();
  await workbench.open('reads_first.py');
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.answer(/Arguments/, '');
  await workbench.quickInput.accept(/What part of the script to capture/);
  await workbench.notifications.saying(/waiting for the script to import jax/, 60_000);
  await workbench.run('Scopelight: Capture Now');
  await workbench.notifications.saying(/capturing as soon as there is something to capture/);
  await picture('asked for early');
  workspace.write('read', '');
  await workbench.notifications.saying(/reads_first\.py: /, 60_000);
  expect(workspace.runs()).toHaveLength(before + 1);
});

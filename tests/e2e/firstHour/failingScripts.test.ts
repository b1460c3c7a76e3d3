import path from 'node:path';
import { expect, test } from 'vitest';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { useEditor } from '../editor.js';
import { lineOf } from '../workspace.js';

/** Trains for a while, and then meets a batch of another size than it was written for. */
const CRASHES = `import time

import jax
import jax.numpy as jnp


@jax.jit
def train_step(weights, batch):
    return weights - 0.01 * batch.T @ (batch @ weights)


def batches():
    for _ in range(400):
        yield jnp.ones((64, 256))
        time.sleep(0.002)
    yield jnp.ones((64, 255))


weights = jnp.ones((256, 256))
for batch in batches():
    weights = train_step(weights, batch).block_until_ready()
`;
const LACKS = 'import jax\nimport a_library_of_others\n\nprint(jax.devices())\n';

const EXITS = 'import sys\nimport jax\n\nsys.exit(3)\n';
const KILLED = 'import os\nimport jax.numpy as jnp\n\njnp.ones(3).block_until_ready()\nos.kill(os.getpid(), 9)\n';

const editor = useEditor({
  settings: developmentDaemon,
  prepare: (workspace) => {
    workspace.write('crashes.py', CRASHES);
    workspace.write('lacks.py', LACKS);
    workspace.write('exits.py', EXITS);
    workspace.write('killed.py', KILLED);
    workspace.write('goes_on.py', CRASHES.replace('range(400)', 'range(100_000)'));
    return undefined;
  },
});

const picture = picturesIn(path.join(root, 'test-results/failing scripts'), () => editor().workbench.page);

async function profile(script: string, args = ''): Promise<void> {
  const { workbench } = editor();
  await workbench.open(script);
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.answer(/Arguments/, args);
  await workbench.quickInput.accept(/What part of the script to capture/);
}

test('names what ended a script before anything was captured, and leads to its line', async () => {
  const { workbench } = editor();
  await profile('lacks.py');
  const said = await workbench.notifications.saying(/ended before anything was captured/);
  expect(await said.text()).toBe(
    "lacks.py ended before anything was captured: ModuleNotFoundError: No module named 'a_library_of_others' " +
      '(lacks.py:2). Install a_library_of_others in its environment, or choose another interpreter.',
  );
  expect(await said.buttons()).toContain('Choose Interpreter…');
  await picture('nothing captured');
  await workbench.run('View: Close All Editors');
  await said.press('Go to Line 2');
  await workbench.activeTab('lacks.py').waitFor();
  await workbench.editor.cursorIsOn(2);
});

test('names the exit code or the signal of a script that ended without an exception, and offers what mends it', async () => {
  const { workbench } = editor();
  await workbench.notifications.clear();
  await profile('exits.py');
  const exited = await workbench.notifications.saying(/exit code 3/);
  expect(await exited.text()).toBe('The script ended with exit code 3 before it used jax on a device.');
  expect(await exited.buttons()).toEqual(['Change Arguments…', 'Show Terminal']);
  await exited.press('Change Arguments…');
  await workbench.quickInput.asked(/Arguments of the script/);
  await workbench.quickInput.dismiss();
  await workbench.notifications.clear();
  await profile('killed.py');
  const killed = await workbench.notifications.saying(/SIGKILL/);
  expect(await killed.text()).toMatch(
    /^The script was killed, .* want of memory \(SIGKILL\) before a trace was saved\.$/u,
  );
  expect((await killed.buttons())[0]).toBe('Profile Again');
  await picture('killed');
  await workbench.notifications.clear();
});

test('shows the lines of a script that crashed later, and names what ended it', async () => {
  const { workbench } = editor();
  await profile('crashes.py', '--steps 5');
  await workbench.notifications.saying(/crashes\.py: \d+ steps of /, 150_000);
  const said = await workbench.notifications.saying(/crashes\.py ended with/, 60_000);
  // Which of jax's own words come first is not ours.
  expect(await said.text()).toMatch(/ended with TypeError: .*\(crashes\.py:\d+\); the lines are of what ran before\.$/);
  for (const theme of themes) {
    await workbench.useTheme(theme);
    await picture(`crashed, ${theme.name}`);
  }
  const line = lineOf(CRASHES, 'batch.T @');
  await said.press(`Go to Line ${String(line)}`);
  await workbench.editor.cursorIsOn(line);
  await workbench.editor.annotationOf('batch.T @');
});

test('lists runs with their exit code and arguments in sight, and highlights the one that is shown', async () => {
  const { workbench } = editor();
  await workbench.notifications.clear();
  await workbench.run('Scopelight: Focus on Runs View');
  const rows = workbench.rows('Runs');
  const crashed = rows.filter({ hasText: 'crashes.py' });
  // Runs are looked at every two seconds.
  await crashed.filter({ hasText: 'exit code' }).filter({ hasText: 'shown' }).waitFor();
  expect((await crashed.innerText()).replaceAll('\n', ' ')).toMatch(/^crashes\.py ?exit code 1 · --steps 5 · shown/);
  const selected = workbench.view('Runs').locator('.monaco-list-row.selected');
  await expect.poll(() => selected.allInnerTexts()).toEqual([await crashed.innerText()]);

  await rows.filter({ hasText: 'lacks.py' }).click();
  const unopened = await workbench.notifications.saying(/ModuleNotFoundError/);
  expect(await unopened.text()).toMatch(/^lacks\.py ended before anything was captured: /u);
  await expect.poll(() => selected.allInnerTexts()).toEqual([await crashed.innerText()]);
  await workbench.notifications.clear();

  await crashed.click();
  await workbench.page.keyboard.press('ArrowRight');
  await rows
    .filter({ hasText: /^Error/ })
    .filter({ hasText: 'TypeError' })
    .waitFor();
  await workbench.leave();
  for (const theme of themes) {
    await workbench.useTheme(theme);
    await picture(`runs, ${theme.name}`);
  }
});

test('has one terminal for one script after the other, and another for two at once', async () => {
  const { workbench } = editor();
  const terminals = workbench.page.locator('.terminal-tabs-entry');
  await workbench.notifications.clear();
  await workbench.run('Terminal: Focus Terminal Tabs View');
  // The list is there for several only.
  expect(await terminals.count()).toBeLessThanOrEqual(1);
  await profile('goes_on.py');
  await workbench.notifications.saying(/goes_on\.py: \d+ steps of /, 150_000);
  await workbench.open('lacks.py');
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.notifications.saying(/lacks\.py ended before/);
  await expect.poll(() => terminals.count()).toBe(2);
});

import { copyFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { useEditor } from '../editor.js';
import { lineOf } from '../workspace.js';

const SCRIPT = 'outgrown.py';
const KEPT = 'jnp.full((512, 1024), number, jnp.float32)';
const GREEDY = 'jnp.broadcast_to(small, (300_000_000_000,))';
/** It asks for more than any machine has, says so itself, and leaves with an exit code of its own. */
const SOURCE = `import sys

import jax
import jax.numpy as jnp


def outgrow(small):
    return ${GREEDY}


kept = [${KEPT} for number in range(4)]
try:
    print(jax.block_until_ready(outgrow(jnp.ones((), jnp.float32))))
except jax.errors.JaxRuntimeError as error:
    print("no room:", error)
    sys.exit(3)
`;
const KEPT_BYTES = '8 MiB';

const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  prepare: (workspace) => {
    workspace.write(SCRIPT, SOURCE);
    return undefined;
  },
});

/** The link to a line of the script. */
const link = (within: Locator, text: string): Locator =>
  within.getByRole('button', { name: `${SCRIPT}:${String(lineOf(SOURCE, text))}`, exact: true });

const picture = picturesIn(path.join(root, 'test-results/memory'), () => editor().workbench.page);

/** Opens a file from the Explorer, as it opens by itself, and then as a memory profile. */
async function openAsMemory(name: string): Promise<FrameLocator> {
  const { workbench } = editor();
  await workbench.sideBar.getByRole('treeitem', { name }).dblclick();
  await workbench.activeTab(name).waitFor();
  await workbench.run('View: Reopen Editor With...');
  await workbench.quickInput.choose(/Select editor for/, 'Memory Profile (JAX)');
  return workbench.webviews.over('editor');
}

test('opens the memory of a script that ran out of it, at its line', async () => {
  const { workbench, workspace } = editor();
  await workbench.open(SCRIPT);
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.answer(/Arguments/, '');
  await workbench.quickInput.accept(/What part of the script to capture/);
  const said = await workbench.notifications.saying(/ran out of memory/, 150_000);
  expect(await said.text()).toContain(`${SCRIPT}:${String(lineOf(SOURCE, GREEDY))}`);
  expect(await said.buttons()).toEqual(['Change Arguments…', 'Show Terminal']);
  // By itself: nobody has pressed anything.
  await workbench.activeTab('Memory Profile').waitFor();
  await workbench.terminalShows(/ran out of memory at outgrown\.py/);
  const page = await workbench.webviews.over('editor');
  const culprits = page.getByRole('grid', { name: 'Lines that took the memory' }).getByRole('row');
  await culprits.nth(2).waitFor();
  await link(culprits.nth(1), GREEDY).waitFor();
  const alive = await culprits.filter({ hasText: `${SCRIPT}:${String(lineOf(SOURCE, KEPT))}` }).innerText();
  expect(alive).toContain(KEPT_BYTES);
  for (const theme of themes) {
    await workbench.useTheme(theme);
    await picture(`Ran Out ${theme.name}`);
  }
  await culprits.nth(1).dblclick();
  await workbench.activeTab(SCRIPT).waitFor();
  await workbench.editor.cursorIsOn(lineOf(SOURCE, GREEDY));

  const [run] = workspace.runs();
  for (const name of ['alive.prof', 'other.pprof']) {
    copyFileSync(workspace.path(`.scopelight/${run ?? ''}/memory/out-of-memory.pprof`), workspace.path(name));
  }
});

test('opens a snapshot of memory in front, from the command', async () => {
  const { workbench, workspace } = editor();
  await workbench.run('View: Close All Editors');
  await workbench.run('Scopelight: Open Profile…');
  await workbench.quickInput.enterPath(/Open Profile/, workspace.path('other.pprof'));
  await workbench.page.keyboard.press('Enter');
  await workbench.activeTab('Memory Profile').waitFor();
  const page = await workbench.webviews.over('editor');
  const row = page.getByRole('grid', { name: 'Snapshot by line' }).getByRole('row').nth(1);
  await row.waitFor();
  await link(row, KEPT).waitFor();
  await picture('Opened Snapshot');
});

test('opens a snapshot of memory as an editor, and says what a file of another tool is not', async () => {
  const { workbench, workspace } = editor();
  const page = await openAsMemory('alive.prof');
  const row = page.getByRole('grid', { name: 'Snapshot by line' }).getByRole('row').nth(1);
  await row.waitFor();
  expect(await row.innerText()).toContain(KEPT_BYTES);
  expect(await page.locator('.facts').innerText()).toContain('alive.prof');
  await row.dblclick();
  await workbench.activeTab(SCRIPT).waitFor();
  await workbench.editor.cursorIsOn(lineOf(SOURCE, KEPT));

  workspace.write('calls.prof', 'This is of another tool.\n');
  const other = await openAsMemory('calls.prof');
  const sentence = other.getByText(/calls\.prof is no snapshot of memory that jax saved/);
  await sentence.waitFor();
  expect((await sentence.innerText()).trim()).toMatch(/^[^.]*calls\.prof .*open it with the tool that wrote it\.$/);
  await picture('No Snapshot');
});

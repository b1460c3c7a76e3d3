import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './development.js';
import { useEditor } from './editor.js';

const recorded = path.join(root, '../shared/data/tpu-v6e-host-offload/tpu_inference_2.xplane.pb');

const editor = useEditor();

test.skipIf(!existsSync(recorded))('opens a profile of a TPU that was recorded elsewhere', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Open Profile…');
  await workbench.quickInput.enterPath(/Open Profile/, recorded);
  await workbench.page.keyboard.press('Enter');
  await workbench.statusItem(/ms\/step|window/).waitFor({ timeout: 60_000 });
  await workbench.run('Scopelight: Open Hot Lines');
  await workbench.activeTab('Hot Lines').waitFor();
  const page = await workbench.webviews.over('editor');
  const row = page
    .getByRole('row')
    .filter({ hasText: /\.py:\d+/ })
    .first();
  await row.waitFor();
  expect(await row.innerText()).toMatch(/\d %/);
  // Its sources are not on this machine.
  await row.dblclick();
  await workbench.notifications.saying(/\.py/);
});

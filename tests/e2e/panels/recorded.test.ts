import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../development.js';
import { Panels } from '../driver/panels.js';
import { useEditor } from '../editor.js';

const recorded = path.join(root, '../shared/data/tpu-v6e-host-offload/tpu_inference_2.xplane.pb');

const editor = useEditor();

test.skipIf(!existsSync(recorded))('opens a profile of a TPU that was recorded elsewhere', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Open Profile…');
  await workbench.quickInput.openPath(/Open Profile/, recorded);
  await workbench.statusItem(/ms\/step|window/).waitFor();
  const page = await new Panels(workbench).open('Hot Lines');
  const row = page
    .getByRole('row')
    .filter({ hasText: /\.py:\d+/ })
    .first();
  await row.waitFor();
  await expect.poll(() => row.innerText()).toMatch(/\d %/);
  // Its sources are not on this machine, and their paths are relative to a folder that no one knows.
  await row.dblclick();
  const absent = await workbench.notifications.saying(
    /\.py of the run is not on this machine, and the run keeps no copy/,
  );
  expect(await absent.buttons()).toEqual(['Locate Folder…']);
});

test.skipIf(!existsSync(recorded))('lists it below the runs, and keeps one tab of a panel, over a reload', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Open Roofline');
  await workbench.activeTab('Roofline').waitFor();
  await workbench.reload();
  await workbench.statusItem(/ms\/step|window/).waitFor();
  await workbench.run('Scopelight: Open Hot Lines');
  await workbench.activeTab('Hot Lines').waitFor();
  const tabs = workbench.page.locator('.tabs-container .tab').filter({ hasText: 'Hot Lines' });
  await expect.poll(() => tabs.count()).toBe(1);
  await workbench.run('Scopelight: Focus on Runs View');
  const listed = workbench.rows('Runs').filter({ hasText: path.basename(recorded) });
  await listed.waitFor();
  await workbench.run('Scopelight: Remove Profile from List');
  await workbench.quickInput.choose(/take from the list/, path.basename(recorded));
  await listed.waitFor({ state: 'detached' });
});

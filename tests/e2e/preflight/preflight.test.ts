import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { developmentDaemon, developmentPython, root } from '../development.js';
import { wide } from '../driver/browser.js';
import { Panels } from '../driver/panels.js';
import { looksAreTaken, picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { useEditor } from '../editor.js';
import { lineOf } from '../workspace.js';

/** Where the compiler for TPUs is kept; it is a stand-in, which answers what a real one once said. */
const cache = mkdtempSync(path.join(tmpdir(), 'scopelight-cache-'));
const made = path.join(root, 'tests/python/made');
const script = readFileSync(path.join(made, 'scripts/predicted/step.py'), 'utf8');
const recorded = path.join(root, '../shared/data/tpu-v6e-host-offload/tpu_inference_2.xplane.pb');
const SOFTMAX = 'weights = jax.nn.softmax(scores)';

// All is done by the keyboard, but for the buttons of the modal question, which take Enter.
const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  environment: { XDG_CACHE_HOME: cache, SCOPELIGHT_TEST_SCRIPTS: inject('prepared').workspaceFolder },
  prepare: (workspace) => {
    cpSync(path.join(made, 'scripts/predicted/step.py'), workspace.path('step.py'));
    return undefined;
  },
});

const picture = picturesIn(path.join(root, 'test-results/preflight'), () => editor().workbench.page);

test('says what the compiler costs before it downloads it, and does nothing where that is not agreed to', async () => {
  const { workbench, workspace } = editor();
  await workbench.open('step.py');
  await workbench.run('Scopelight: What Would a TPU Do?');
  const dialog = workbench.page.locator('.monaco-dialog-box');
  await dialog.waitFor();
  const said = await dialog.innerText();
  expect(said).toContain('The compiler for TPUs is not on this machine yet.');
  expect(said).toMatch(/346 MB are downloaded .* 1\.25 GB in/s);
  await picture('agreement');
  await workbench.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(workspace.runs()).toHaveLength(0);
});

test('leads from the palette to annotated lines that name the TPU', async () => {
  const { workbench, workspace } = editor();
  const program = 'import sys; from pathlib import Path; from made.compilers import stand_in_of_user; ';
  execFileSync(developmentPython, ['-c', `${program}stand_in_of_user(Path(sys.argv[1]))`, cache], {
    env: { ...process.env, PYTHONPATH: path.join(root, 'tests/python') },
  });
  await workbench.run('Scopelight: What Would a TPU Do?');
  await workbench.quickInput.asked(/The TPU that the script is compiled for/);
  expect((await workbench.quickInput.choices()).join('\n')).toContain('v5e-8');
  await picture('tpus');
  await workbench.quickInput.choose(/The TPU that the script is compiled for/, 'v5e-8');
  await workbench.quickInput.answer(/Arguments/, '');
  await workbench.notifications.saying(/step\.py, predicted for TPU v5e: ≈120 ms a step/, 150_000);
  expect(workspace.runs()).toHaveLength(1);
  const line = await workbench.editor.annotationOf(SOFTMAX, /≈/);
  expect(line.annotation).toMatch(/≈.* on TPU v5e/);
  await picture('annotated');
});

test('says in the card of a line what is predicted, and for which TPU', async () => {
  const { workbench } = editor();
  await workbench.editor.goTo(lineOf(script, SOFTMAX));
  const card = await workbench.editor.hoverCard();
  expect(await card.innerText()).toMatch(/≈[\d.]+ % .*TPU v5e/s);
  await picture('card');
  await workbench.page.keyboard.press('Escape');
});

test('marks its run among the runs', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Focus on Runs View');
  const row = workbench.rows('Runs').first();
  await expect.poll(() => row.innerText()).toMatch(/^step\.py.*predicted for v5e-8/s);
  await picture('runs');
});

test.runIf(looksAreTaken)('has its lines by themselves', async () => {
  const { workbench } = editor();
  await workbench.notifications.clear();
  await workbench.run('View: Close All Editors');
  await workbench.run('View: Hide Panel');
  await workbench.open('step.py');
  await workbench.editor.goTo(lineOf(script, SOFTMAX));
  await picture('lines');
});

test('says in the overview whether it fits', async () => {
  const { workbench } = editor();
  const page = await new Panels(workbench).openPage('Overview');
  await page.getByText(/Fits: .* of 15\.75 GiB/).waitFor();
  await picture('overview');
});

test('sets two TPUs side by side', async () => {
  const { workbench, workspace } = editor();
  const before = workspace.runs().length;
  await workbench.open('step.py');
  await workbench.run('Scopelight: Compare TPUs…');
  await workbench.quickInput.tick(/The TPUs to compare/, 'v5e-8', 'v6e-8');
  await picture('compared tpus');
  await workbench.page.keyboard.press('Enter');
  await workbench.quickInput.answer(/Arguments/, '');
  await workbench.activeTab('step.py: v5e-8, v6e-8').waitFor({ timeout: 150_000 });
  expect(workspace.runs()).toHaveLength(before + 2);
  const page = await workbench.webviews.over('editor');
  await page.getByRole('heading', { name: 'step.py: v5e-8, v6e-8' }).waitFor();
  const [runs, lines] = await page.getByRole('table').all();
  const said = (await runs?.innerText())?.replaceAll('\u00a0', ' ');
  expect(said).toMatch(/^\s*v5e-8\s+v6e-8\s/u);
  expect(said).toMatch(/memory\s+fits: [\d.]+ of 15\.75 GiB\s+fits: [\d.]+ of 31\.24 GiB\s/u);
  expect(said).toMatch(/per step\s+≈[\d.]+ ms\s+≈[\d.]+ ms\s/u);
  const line = lines?.getByRole('row').filter({ hasText: `step.py:${String(lineOf(script, SOFTMAX))}` });
  expect(await line?.innerText()).toMatch(/≈[\d.]+\sms.*≈[\d.]+\sms/su);
});

test.each(themes)('is read as it is drawn in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  await workbench.activeTab('step.py: v5e-8, v6e-8').waitFor();
  await picture(`comparison ${theme.name}`);
  const page = await workbench.webviews.over('editor');
  await page.getByRole('heading', { name: 'Lines' }).evaluate((heading) => heading.scrollIntoView());
  await picture(`compared lines ${theme.name}`);
});

test('sets runs side by side that are selected in the tree', async () => {
  const { workbench } = editor();
  await workbench.focusFirstRow('Runs');
  await workbench.page.keyboard.press('Shift+ArrowDown');
  await workbench.page.keyboard.press('Shift+F10');
  const menu = workbench.page.locator('.monaco-menu');
  await menu.waitFor();
  // A menu goes where the window changes its size.
  await picture('selected runs', [wide]);
  expect(await menu.innerText()).not.toContain('Pin');
  for (let presses = 0; presses < 10; presses++) {
    await workbench.page.keyboard.press('ArrowDown');
    if ((await menu.locator('.action-item.focused').innerText()).includes('Compare Predictions…')) {
      break;
    }
  }
  await workbench.page.keyboard.press('Enter');
  await workbench.activeTab('step.py: v5e-8, v6e-8').waitFor();
  const page = await workbench.webviews.over('editor');
  await page.getByRole('heading', { name: 'step.py: v5e-8, v6e-8' }).waitFor();
});

test.skipIf(!existsSync(recorded))('leads from what was measured on a TPU to what was predicted of it', async () => {
  const { workbench, workspace } = editor();
  const predicted = workspace.runs().find((name) => name.endsWith('-v6e-8')) ?? '';
  const said = JSON.parse(workspace.read(`.scopelight/${predicted}/run.json`)) as object;
  const kind = { platform: 'tpu', kind: 'TPU v6 lite' };
  const measured = { ...said, predicted_for: null, devices: [kind, kind, kind, kind], directory: null };
  // The record says that it is of the same script: what the trace holds is another, whose lines join with none.
  workspace.write('.scopelight/measured/run.json', JSON.stringify(measured));
  cpSync(recorded, workspace.path('.scopelight/measured/tpu.xplane.pb'));
  await workbench.showRun(/4 × TPU v6e/);
  const overview = await new Panels(workbench).openPage('Overview');
  await overview.getByText('was predicted before').waitFor();
  await picture('predicted before');
  await overview.getByRole('button', { name: 'Beside the Prediction' }).press('Enter');
  await workbench.activeTab('step.py: v6e-8, 4 × TPU v6e').waitFor();
  // The Overview lies over the editors, too.
  const table = async (): Promise<string> => {
    for (const frame of await workbench.page.locator('iframe.webview.ready:visible').all()) {
      const page = frame.contentFrame().frameLocator('iframe#active-frame');
      if ((await page.getByRole('heading', { name: 'step.py: v6e-8, 4 × TPU v6e' }).count()) > 0) {
        return (await page.getByRole('table').first().innerText()).replaceAll('\u00a0', ' ');
      }
    }
    return '';
  };
  await expect.poll(table).toMatch(/^\s*v6e-8\s+4 × TPU v6e, measured\s/u);
  expect(await table()).toMatch(/per step\s+≈[\d.]+ ms\s+784 ms\s/u);
  await picture('beside the prediction');
});

test('removes the compiler', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Remove the Compiler for TPUs');
  const dialog = workbench.page.locator('.monaco-dialog-box');
  await dialog.waitFor();
  expect(await dialog.innerText()).toContain('Remove the compiler for TPUs?');
  await picture('removal');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await workbench.notifications.saying(/The compiler for TPUs was removed/);
});

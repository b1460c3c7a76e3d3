import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { captureAs } from '../capturedRun.js';
import { developmentDaemon, root } from '../development.js';
import { choice, focusedRow, Panels, selectedRow } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { useEditor } from '../editor.js';
import { lineOf, type Workspace } from '../workspace.js';

/** Predictions of one step, whose layers are a scan before and a loop of Python after: they compare exactly. */
const predicted = path.join(root, 'tests/python/made/predicted_runs');
const step = readFileSync(path.join(predicted, 'scan/sources/home/user/project/step.py'), 'utf8');
/** Of the block, which takes 18 % longer after, and of the attention, which is as it was. */
const CHANGED = 25;
const SAME = 18;

const EDITED = 'hidden = hidden @ weights';
const script = `import jax
import jax.numpy as jnp


@jax.jit
def step(x, weights):
    hidden = jnp.tanh(x @ weights)
    ${EDITED}
    return jnp.sin(hidden)


x = weights = jnp.ones((256, 256)) / 256
for _ in range(400):
    x = step(x, weights)
x.block_until_ready()
`;

// All is done by the keyboard.
const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  prepare: (workspace) => {
    workspace.write('step.py', step);
    addPredicted(workspace, 'scan', '2026-03-01T12:03:00+00:00', '3f2a1b0c99');
    addPredicted(workspace, 'unrolled', '2026-03-01T12:05:00+00:00', '77aa1b0c99');
    capture(workspace, '20260102-000000-edited', script);
    capture(workspace, '20260103-000000-edited', script.replace(EDITED, `${EDITED} @ weights`));
    return undefined;
  },
});

const panels = () => new Panels(editor().workbench);
const pictures = picturesIn(path.join(root, 'test-results/comparison'), () => editor().workbench.page);

/** A prediction as one of this workspace's script. */
function addPredicted(workspace: Workspace, name: string, created: string, commit: string): void {
  const run = workspace.path(`.scopelight/${name}`);
  cpSync(path.join(predicted, name), run, { recursive: true });
  const file = path.join(run, 'run.json');
  const known = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const git = { commit, branch: 'main', dirty: false };
  writeFileSync(file, JSON.stringify({ ...known, created, git }));
  workspace.write('.vscode/settings.json', JSON.stringify({ 'scopelight.sourceFolders': folders(workspace) }));
}

function folders(workspace: Workspace): Readonly<Record<string, string>> {
  return { '/home/user/project': workspace.folder };
}

function capture(workspace: Workspace, name: string, source: string): void {
  workspace.write('edited.py', source);
  captureAs(workspace, name, 'edited.py');
}

test('is offered for a run, with the others of its script first', async () => {
  const { workbench } = editor();
  await workbench.open('step.py');
  await workbench.showRun('--unrolled');
  await workbench.statusItem(/ms\/step/).waitFor();
  await workbench.run('Scopelight: Compare with…');
  await workbench.quickInput.asked(/What was before it/);
  const [first = ''] = await workbench.quickInput.choices();
  expect(first).toContain('step.py');
  await pictures('choice');
  await workbench.quickInput.choose(/What was before it/, '3f2a1b0c');
  await workbench.activeTab('Comparison').waitFor();
});

test('says so on changed lines alone', async () => {
  const { workbench } = editor();
  await workbench.open('step.py');
  await workbench.editor.goTo(CHANGED);
  const timed = await workbench.editor.annotationOf(lineText(CHANGED), /since/);
  expect(timed.annotation).toMatch(/ms\/step.*≈\+18 % since 3f2a/);
  await pictures('time');
  await workbench.useAnnotations('Change');
  const line = await workbench.editor.annotationOf(lineText(CHANGED), /^≈\+/);
  expect(line.annotation).toBe('≈+18 % since 3f2a');
  const same = (await workbench.editor.annotated()).filter((each) => each.line === SAME);
  expect(same).toEqual([]);
  await pictures('change');
});

test('says on the card what a change rests on', async () => {
  const { workbench } = editor();
  await workbench.editor.goTo(CHANGED);
  const card = await workbench.editor.hoverCard();
  const said = (await card.innerText()).replaceAll(/[\u00a0\u202f]/g, ' ');
  expect(said).toMatch(/\+18 % since 3f2a/);
  expect(said).toMatch(/33\.2 ms → ≈?39\.2 ms/);
  expect(said).toMatch(/exact: what programs say/);
  await pictures('card');
  await workbench.page.keyboard.press('Escape');
});

test('is there within a second of opening', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Stop Comparing');
  await expect
    .poll(async () => (await workbench.editor.annotated()).map(({ annotation }) => annotation))
    .toEqual(['compared with no other run']);
  await workbench.run('Scopelight: Compare with…');
  await workbench.quickInput.asked(/What was before it/);
  await workbench.quickInput.enter('3f2a1b0c');
  await workbench.page.keyboard.press('Enter');
  const started_ms = Date.now();
  await workbench.activeTab('Comparison').waitFor();
  console.log(`The panel came after ${String(Date.now() - started_ms)} ms.`);
  await workbench.open('step.py');
  await workbench.editor.annotationOf(lineText(CHANGED), /^≈\+18 %/);
  console.log(`With opening the file by keyboard, the line said so after ${String(Date.now() - started_ms)} ms.`);
});

test('survives a reload of the window', async () => {
  const { workbench } = editor();
  await workbench.reload();
  await workbench.open('step.py');
  await workbench.editor.goTo(CHANGED);
  const line = await workbench.editor.annotationOf(lineText(CHANGED), /^≈\+/, 120_000);
  expect(line.annotation).toBe('≈+18 % since 3f2a');
});

test.each(themes)('is gone through in its panel by keys, in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  const page = await panels().open('Comparison');
  await page.getByText('3f2a1b0c', { exact: false }).first().waitFor();
  await panels().tabTo(focusedRow(page));
  await panels().press('Home');
  await expect.poll(() => selectedRow(page).innerText()).toMatch(/step\.py\s*:25/);
  await page.locator('.source-lines .meant').first().waitFor();
  await pictures(`${theme.name} lines`);
  await choice(page, 'What is shown', 'Whole runs').click();
  await page.getByRole('gridcell', { name: 'planned peak of memory' }).waitFor();
  await pictures(`${theme.name} whole runs`);
  await choice(page, 'What is shown', 'Memory').click();
  await page.locator('.both-curves').waitFor();
  await pictures(`${theme.name} memory`);
  await choice(page, 'What is shown', 'Steps').click();
  await page.locator('.both-curves, .tool-row').first().waitFor();
  await pictures(`${theme.name} steps`);
  await choice(page, 'What is shown', 'Changes').click();
  await page
    .getByRole('row', { name: /step\.py/ })
    .first()
    .waitFor();
});

test('leads to the line, and to the source as it was', async () => {
  const { workbench } = editor();
  const page = await panels().open('Comparison');
  await panels().tabTo(focusedRow(page));
  await panels().press('Home', 'Enter');
  await workbench.activeTab('step.py').waitFor();
  await workbench.editor.cursorIsOn(CHANGED);
  await panels().open('Comparison');
  await panels().tabTo(focusedRow(page));
  await panels().press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Show Source Changes' }).click();
  await workbench.activeTab('step.py (since 3f2a)').waitFor();
  await pictures('source changes');
});

test('tells from one run each what is exact, and nothing else', async () => {
  const { workbench } = editor();
  await workbench.run('View: Close All Editors');
  await workbench.open('edited.py');
  await workbench.run('Scopelight: Select Run');
  await workbench.quickInput.choose(/The run to show/, 'edited.py');
  await workbench.statusItem(/busy/).waitFor();
  await workbench.run('Scopelight: Compare with…');
  await workbench.quickInput.choose(/What was before it/, 'edited.py');
  await workbench.activeTab('Comparison').waitFor();
  await workbench.open('edited.py');
  const edited = await workbench.editor.annotationOf(EDITED, /FLOPs/);
  expect(edited.annotation).toMatch(/^FLOPs \+\d+ % since /);
  const others = (await workbench.editor.annotated()).filter(({ line }) => line !== lineOf(script, EDITED));
  for (const { annotation } of others) {
    expect(annotation).toBe('±');
  }
  await pictures('one run each');
  await workbench.useAnnotations('Time');
  await workbench.editor.annotationOf('hidden = jnp.tanh(x @ weights)', /ms\/step|ms ±|µs\/step/);
  const timed = (await workbench.editor.annotated()).filter(({ annotation }) => annotation.endsWith(' ±'));
  expect(timed.map(({ line }) => line)).toContain(lineOf(script, 'hidden = jnp.tanh(x @ weights)'));
  await pictures('one run each, times');
  const page = await panels().open('Comparison');
  const rows = page.getByRole('row');
  await rows.filter({ hasText: 'more work' }).first().waitFor();
  await page.getByText('more work; ', { exact: false }).first().waitFor();
  await panels().tabTo(focusedRow(page));
  await panels().press('Home');
  await page.locator('.source-lines .meant').first().waitFor();
  await pictures('one run each, panel');
  const by = page.getByRole('combobox', { name: 'By' });
  await by.selectOption({ label: 'Ops' });
  await page.getByRole('columnheader', { name: 'Line' }).waitFor();
  await page.getByText('op time of a step', { exact: false }).first().waitFor();
  await pictures('one run each, ops');
  await by.selectOption({ label: 'Lines' });
});

function lineText(line: number): string {
  return step.split('\n')[line - 1]?.trim() ?? '';
}

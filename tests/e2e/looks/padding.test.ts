import path from 'node:path';
import { expect, test } from 'vitest';
import { wide } from '../driver/browser.js';
import { picturesIn } from '../driver/pictures.js';
import { Problems } from '../driver/problems.js';
import { eventually } from '../driver/processes.js';
import { QuickFixes } from '../driver/quickFixes.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { useEditor } from '../editor.js';
import { lineOf } from '../workspace.js';

// The sizes of the first product are written out; those of the last are computed.
const script = `"""Trains a network whose sizes fit no tile of a TPU."""
import jax
import jax.numpy as jnp

BATCH = 1020
FEATURES = 300
HIDDEN = 520
SIDE = 7 * 20
STEPS = 200


def loss(weights, x):
    hidden = x @ weights["in"]
    penalty = weights["side"] @ weights["side"]
    return jnp.mean(jnp.tanh(hidden) ** 2) + jnp.mean(penalty**2)


@jax.jit
def train_step(weights, x):
    return jax.tree.map(lambda w, g: w - 0.01 * g, weights, jax.grad(loss)(weights, x))


weights = {"in": jnp.ones((FEATURES, HIDDEN)), "side": jnp.ones((SIDE, SIDE))}
x = jnp.ones((BATCH, FEATURES))
for step in range(STEPS):
    weights = train_step(weights, x)
jax.block_until_ready(weights)
`;
const PRODUCT = lineOf(script, 'x @ weights["in"]');
const SQUARE = lineOf(script, 'weights["side"] @');

// All is done by the keyboard.
const editor = useEditor({
  settings: {
    ...developmentDaemon,
    'editor.fontSize': 13,
    'scopelight.padding.shareThreshold': 0.1,
    'scopelight.advice.diagnostics': false,
  },
  prepare: (workspace) => {
    workspace.write('padded.py', script);
    return undefined;
  },
});

const problems = () => new Problems(editor().workbench);
const fixes = () => new QuickFixes(editor().workbench.page);

/** Chooses the device that padding is predicted for, as a workspace's settings do. */
function choose(target: string): void {
  editor().workspace.write('.vscode/settings.json', JSON.stringify({ 'scopelight.target': target }));
}

/** A menu goes with another size of the window: pictures of one are taken in one size. */
const picture = picturesIn(path.join(root, 'test-results/padding'), () => editor().workbench.page);

async function profile(...answers: readonly string[]): Promise<void> {
  const { workbench } = editor();
  await workbench.run(answers.length > 0 ? 'Scopelight: Profile Training Script' : 'Scopelight: Profile Again');
  if (answers.length > 0) {
    await workbench.quickInput.answer(/Arguments/, answers[0] ?? '');
    await workbench.quickInput.accept(/What part of the script to capture/);
  }
  await workbench.notifications.saying(/padded\.py: \d+ steps of \d/, 150_000);
  await workbench.notifications.clear();
}

test('predicts nothing without a target, and says how to choose one', async () => {
  const { workbench } = editor();
  await workbench.open('padded.py');
  await profile('');
  await workbench.open('padded.py');
  await workbench.editor.goTo(PRODUCT);
  await workbench.editor.annotationOf('weights["in"]', /\/step$/);
  await workbench.useAnnotations('Padding');
  const { annotation } = await workbench.editor.annotationOf('weights["in"]', /padding/);
  expect(annotation).toBe('padding unknown: choose a TPU in scopelight.target');
  await problems().open();
  await problems().panel.getByText('No problems have been detected in the workspace.').waitFor();
});

test('lists what would be padded on the target, with exact sizes', async () => {
  const { workbench } = editor();
  choose('TPU v5e');
  const message = await problems().saying(/300/);
  expect(message).toContain('On TPU v5e (predicted), ');
  // The product of the forward or of the backward pass, whichever lost more time; what fits is the same.
  expect(message).toMatch(/22\.2 % .* 300 is padded to 384 \(tile 128\)|20\.1 % .* 520 is padded to 640 \(tile 128\)/);
  expect(message).toContain('instead of 1 020');
  expect(message).toMatch(/What fits: .*384 instead of 300/);
  expect(await problems().saying(/140/)).toMatch(/140 is padded to 256/);
  await picture('problems');
  await problems().open();
  await problems().goTo(/300/);
  await workbench.editor.cursorIsOn(PRODUCT);
});

test('says on the lines what is predicted, and for what', async () => {
  const { workbench } = editor();
  const { annotation } = await workbench.editor.annotationOf('weights["in"]', /padded/);
  expect(annotation).toMatch(/^[▰▱]{5} 1\.\d+× padded {2}\d+ % used, predicted for TPU v5e$/);
  await workbench.editor.annotationOf(
    'weights["side"]',
    /^[▰▱]{5} \d\.\d+× padded {2}\d+ % used, predicted for TPU v5e$/,
  );
});

test.each(themes)('can be read in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  await problems().open();
  await workbench.open('padded.py');
  await workbench.editor.goTo(PRODUCT);
  await picture(`${theme.name} annotations`);
  await workbench.editor.hoverCard();
  await picture(`${theme.name} card`);
  await workbench.page.keyboard.press('Escape');
  expect(await fixes().ask()).not.toEqual([]);
  await picture(`${theme.name} fixes`, [wide]);
  await fixes().choose(/HIDDEN/);
  await fixes().previewed();
  await picture(`${theme.name} preview`, [wide]);
  await fixes().discard();
});

test('offers each size that is one number, and none that is computed', async () => {
  const { workbench } = editor();
  await workbench.open('padded.py');
  await workbench.editor.goTo(PRODUCT);
  const offered = (await fixes().ask()).filter((each) => each.startsWith('Pad'));
  expect(offered.sort()).toEqual([
    expect.stringMatching(/^Pad BATCH from 1020 to 1024 \(.* used\)$/),
    expect.stringMatching(/^Pad FEATURES from 300 to 384 \(77\.8 % → 99\.6 % used\)$/),
    expect.stringMatching(/^Pad HIDDEN from 520 to 640 \(.* used\)$/),
  ]);
  await fixes().dismiss();
  await workbench.editor.goTo(SQUARE);
  expect((await fixes().ask()).filter((each) => each.startsWith('Pad'))).toEqual([]);
  await workbench.page.keyboard.press('Escape');
});

test('changes the number after a preview, and nothing else', async () => {
  const { workbench, workspace } = editor();
  await workbench.editor.goTo(PRODUCT);
  await fixes().ask();
  await fixes().choose(/Pad HIDDEN from 520 to 640/);
  await expect.poll(() => fixes().previewed()).toContain('HIDDEN = 520640');
  expect(await fixes().previewed()).toContain('padded.py');
  expect(workspace.read('padded.py')).toBe(script);
  await fixes().apply();
  await workbench.run('File: Save All Files');
  await eventually('file that is saved', () => workspace.read('padded.py') !== script || undefined);
  expect(workspace.read('padded.py')).toBe(script.replace('HIDDEN = 520', 'HIDDEN = 640'));
});

test('says no more of sizes that were edited, and still of the others', async () => {
  const { workbench } = editor();
  await problems().open();
  const said = async () => (await problems().messages()).join('\n');
  // While the list is made anew it is empty: that is neither.
  await expect.poll(said).toMatch(/^(?![\s\S]*640)[\s\S]*384 instead of 300/);
  await workbench.open('padded.py');
  await workbench.editor.goTo(PRODUCT);
  const offered = (await fixes().ask()).filter((each) => each.startsWith('Pad'));
  expect(offered.map((each) => each.split(' ')[1])).not.toContain('HIDDEN');
  await fixes().choose(/Pad FEATURES from 300 to 384/);
  await fixes().previewed();
  await fixes().apply();
  await workbench.run('File: Save All Files');
  await problems().open();
  await expect.poll(said).toMatch(/^(?![\s\S]*384)[\s\S]*instead of 140/);
  await picture('edited');
});

test('finds nothing wrong with the new sizes when they are measured', async () => {
  const { workbench } = editor();
  await workbench.open('padded.py');
  await profile();
  await workbench.open('padded.py');
  await workbench.editor.goTo(PRODUCT);
  const { annotation } = await workbench.editor.annotationOf('weights["in"]', /predicted for TPU v5e/);
  expect(annotation).toMatch(/fits|1\.00× padded/);
  await problems().open();
  await expect.poll(async () => (await problems().messages()).join('\n')).toMatch(/^(?![\s\S]*(384|640))[\s\S]*140/);
  await workbench.useAnnotations('Time');
});

import path from 'node:path';
import { expect, test } from 'vitest';
import { captureInto } from './capturedRun.js';
import { developmentDaemon, root } from './development.js';
import { picturesIn } from './driver/pictures.js';
import { Problems } from './driver/problems.js';
import { eventually } from './driver/processes.js';
import { QuickFixes } from './driver/quickFixes.js';
import { useEditor } from './editor.js';
import { lineOf } from './workspace.js';

const SCRIPT = `import jax
import jax.numpy as jnp


@jax.jit
def train_step(weights, batch):
    return weights - 0.001 * jax.grad(lambda w: jnp.sum((batch @ w) ** 2))(weights)


def main():
    weights = jnp.ones((400, 400))
    batch = jnp.ones((400, 400))
    for _ in range(60):
        weights = train_step(weights, batch).block_until_ready()


main()
`;
const BUDGETS = `[project]
name = "steps"  # mine

[tool.scopelight.budgets]  # what a step may cost
compilations = 0
"steps.py:train_step".step_ms = 0.0001  # far too little
"steps.py:train_stp".share = "20 %"
`;
const STEP = lineOf(SCRIPT, 'def train_step');

const editor = useEditor({
  settings: { ...developmentDaemon, 'scopelight.advice.diagnostics': false },
  prepare: (workspace) => {
    captureInto(workspace, 'steps.py', SCRIPT, '--steps', '10');
    workspace.write('pyproject.toml', BUDGETS);
    return undefined;
  },
});

const problems = () => new Problems(editor().workbench);
const picture = picturesIn(path.join(root, 'test-results/budgets'), () => editor().workbench.page);

test('a broken budget is a problem on the line of its function, also after an edit', async () => {
  const { workbench } = editor();
  await workbench.showRun('steps.py');
  await workbench.open('steps.py');
  await problems().open();
  const broken = await problems().saying(/^Median time per step of steps\.py:train_step is /);
  expect(broken).toMatch(/against its budget of 100 ns: .* × as much/);
  await picture('problems');
  await workbench.open('steps.py');
  await workbench.editor.goTo(1);
  await workbench.page.keyboard.press('Home');
  await workbench.page.keyboard.type('# one\n# two\n# three\n');
  await problems().open();
  await problems().standsOn(/Median time per step/, STEP + 3);
  await problems().goTo(/^Median time per step/);
  await workbench.editor.cursorIsOn(STEP + 3);
  await picture('after an edit');
});

test('what is wrong with a budget stands in its file', async () => {
  const { workbench } = editor();
  await problems().open();
  expect(await problems().saying(/There is no function train_stp in steps\.py/)).toContain('Is “train_step” meant?');
  await problems().saying(/^Number of compilations of a function is 1/);
  await problems().goTo(/There is no function/);
  await workbench.editor.cursorIsOn(lineOf(BUDGETS, 'train_stp"'));
  await picture('file of budgets');
});

test('a function offers to set its budget, which is written into the file', async () => {
  const { workbench, workspace } = editor();
  const { quickInput } = workbench;
  await workbench.open('steps.py');
  await workbench.editor.goTo(STEP + 3);
  const fixes = new QuickFixes(workbench.page);
  const title = await eventually('action of the function', async () =>
    (await fixes.ask()).find((each) => each.startsWith('Set a budget for train_step')),
  );
  expect(title).toBe('Set a budget for train_step from this run…');
  await fixes.dismiss();
  await workbench.run('Scopelight: Set Budget from This Run…');
  await quickInput.asked(/What pyproject\.toml is to allow at most/);
  const choices = await quickInput.choices();
  expect(choices[0]).toBe('Median time per step of steps.py:train_step');
  expect(choices).toContain('Median time of a step');
  await picture('choice');
  await quickInput.asked(/more are allowed/);
  await workbench.page.keyboard.press('Enter');
  const written = await eventually('budgets in the file', () => {
    const text = workspace.read('pyproject.toml');
    return Promise.resolve(/^step_ms = /m.test(text) ? text : undefined);
  });
  expect(written).toContain('name = "steps"  # mine\n');
  expect(written).toMatch(/^compilations = 1$/m);
  expect(written).toMatch(/^"steps\.py:train_step"\.step_ms = \d+(\.\d+)? {2}# far too little$/m);
  expect(written).toMatch(/^peak_memory_gib = 0\.0\d+$/m);
  await picture('written');
  await problems().open();
  // This run holds what it was asked; what was wrong before is still wrong.
  await eventually('problems that are left', async () => {
    const messages = await problems().messages();
    return (messages.length === 1 && messages[0]?.includes('train_stp')) || undefined;
  });
  await picture('held');
});

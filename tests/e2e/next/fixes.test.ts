import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { wide } from '../driver/browser.js';
import { Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { Problems } from '../driver/problems.js';
import { QuickFixes } from '../driver/quickFixes.js';
import { developmentDaemon, root } from '../development.js';
import { useEditor } from '../editor.js';
import { lineOf } from '../workspace.js';

/**
 * What each script has, the problem at which its fix is offered and the lines that it may be on, what the fix makes of
 * the text, and what is then measured.
 */
const scripts = {
  'donates.py': {
    source: `import jax
import jax.numpy as jnp


@jax.jit
def train_step(params, x):
    def loss(params):
        return jnp.mean((jnp.tanh(x @ params["a"]) @ params["b"]) ** 2)

    return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss)(params))


params = {"a": jnp.ones((512, 2048)), "b": jnp.ones((2048, 512))}
x = jnp.ones((32, 512))
for _ in range(300):
    params = train_step(params, x)
jax.block_until_ready(params)
`,
    at: ['@jax.jit'],
    problem: /makes new arrays for params/,
    fix: /Donate the arguments of train_step/,
    made: '@functools.partial(jax.jit, donate_argnums=0)\n',
    effect: /Donation: predicted at best \S+ MiB, measured \S+ MiB/,
  },
  'reads.py': {
    source: `import time

import jax
import numpy as np
from stand_in import batches, device_works, start, step_on

train_step = step_on(device_works(0.010))


def prepare(batch):
    time.sleep(0.007)
    return batch


weights = start()
loader = batches(np.random.default_rng(0))
losses = []
for step in range(150):
    x = prepare(next(loader))
    weights, loss = train_step(weights, x)
    losses.append(float(loss))
jax.block_until_ready(weights)
`,
    at: ['losses.append'],
    problem: /waits here for a result in every step/,
    fix: /Do this every 10 steps/,
    made: '    if step % 10 == 0:\n        losses.append(float(loss))\n',
    effect: /Waiting for results in each step: predicted at best \S+ ms, measured \S+ ms/,
  },
  'wide.py': {
    source: `import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


@jax.jit
def train_step(weights, x):
    return weights - 0.01 * jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(weights)


weights = jnp.ones((512, 512)) * 0.01
x = jnp.ones((256, 512))
for step in range(200):
    weights = train_step(weights, x)
jax.block_until_ready(weights)
`,
    at: ['return weights - 0.01'],
    problem: /compute in double precision/,
    fix: /Leave out jax_enable_x64/,
    made: 'import jax.numpy as jnp\n\n\n\n@jax.jit\n',
    effect: /Double precision: predicted at best \S+ ms, measured \S+ ms/,
  },
  'eager.py': {
    source: `import jax
import jax.numpy as jnp


@jax.jit
def gradients_of(params, x):
    return jax.grad(lambda p: jnp.mean((jnp.tanh(x @ p["in"]) @ p["out"]) ** 2))(params)


def update(params, moments, gradients):
    moments = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments, gradients)
    scaled = jax.tree.map(lambda m: 0.01 * m / (jnp.sqrt(jnp.mean(m**2)) + 1e-8), moments)
    return jax.tree.map(lambda p, s: p - s, params, scaled), moments


params = {"in": jnp.ones((64, 64)), "out": jnp.ones((64, 64))}
moments = jax.tree.map(jnp.zeros_like, params)
x = jnp.ones((32, 64))
for step in range(600):
    gradients = gradients_of(params, x)
    params, moments = update(params, moments, gradients)
jax.block_until_ready(params)
`,
    // Which of them launches most is told by samples alone before Python 3.12.
    at: ['moments = jax.tree.map(lambda', 'scaled = ', 'return jax.tree.map(', 'params, moments = update('],
    problem: /programs are launched in each step/,
    fix: /Compile update with jax.jit/,
    made: '@jax.jit\ndef update(',
    effect: /Many small programs: predicted at best \S+ .s, measured \S+ .s/,
  },
};

const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13, 'scopelight.capture.calibrate': false },
  prepare: (workspace) => {
    copyFileSync(path.join(root, 'tests/workloads/advice/stand_in.py'), workspace.path('stand_in.py'));
    return undefined;
  },
});

const picture = picturesIn(path.join(root, 'test-results/next'), () => editor().workbench.page);

// What a test leaves is seen in the picture of its failure.
beforeEach(async () => {
  await editor().workbench.run('View: Close All Editors');
});

async function profile(script: string, isFirst: boolean): Promise<void> {
  const { workbench } = editor();
  await workbench.run(isFirst ? 'Scopelight: Profile Training Script' : 'Scopelight: Profile Again');
  if (isFirst) {
    await workbench.quickInput.answer(/Arguments/, '');
    await workbench.quickInput.accept(/What part of the script to capture/);
  }
  await workbench.notifications.saying(new RegExp(`${script.replace('.', '\\.')}: \\d+ steps of \\d`), 150_000);
  await workbench.notifications.clear();
}

test.for(Object.keys(scripts) as (keyof typeof scripts)[])(
  'a fix of %s is previewed, applied, and its promise set against what is measured',
  async (name, { task }) => {
    const { workbench, workspace } = editor();
    const { source, at, problem, fix, made, effect } = scripts[name];
    const fixes = new QuickFixes(workbench.page);
    // What was answered for a script is remembered, and what was fixed stays so: a second try is of another.
    const script = (task.result?.retryCount ?? 0) === 0 ? name : `again_${name}`;
    workspace.write(script, source);
    await workbench.open(script);
    await profile(script, true);
    const overview = await workbench.webviews.over('editor', 'Overview');
    await overview.getByRole('region', { name: 'What to do next' }).getByText(problem).first().waitFor();
    await picture(`${name} advised`, [wide]);
    const problems = new Problems(workbench);
    await problems.open();
    expect(await problems.saying(problem)).toContain('At best');
    await problems.goTo(problem);
    await workbench.editor.cursorIsOn(...at.map((each) => lineOf(source, each)));
    expect((await fixes.ask()).some((each) => fix.test(each))).toBe(true);
    await fixes.choose(fix);
    await fixes.previewed();
    await picture(`${name} previewed`, [wide]);
    await fixes.apply();
    await workbench.run('File: Save All Files');
    await expect.poll(() => workspace.read(script)).toContain(made);
    await profile(script, false);
    const after = await new Panels(workbench).openPage('Overview');
    const said = after.locator('.effects li').filter({ hasText: effect });
    await said.waitFor();
    await picture(`${name} measured`, [wide]);
  },
);

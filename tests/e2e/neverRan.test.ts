import path from 'node:path';
import { expect, test } from 'vitest';
import { Problems } from './driver/problems.js';
import { developmentDaemon, root } from './development.js';
import { useEditor } from './editor.js';

const MODEL = `import jax.numpy as jnp


def loss(weights, x):
    hidden = x @ weights
    kept = jnp.tanh(hidden)
    return kept.sum()
`;
const PRODUCT = 'x @ weights';
const place = (line: number, op: string) =>
  `metadata={op_name="jit(step)/${op}" source_file="/home/them/project/model.py" source_line=${line}}`;
/** It was compiled for a TPU on another machine: tiles pad 520 to 640. */
const PROGRAM = `HloModule jit_step, is_scheduled=true

ENTRY %main (x: f32[64,100], w: f32[100,520]) -> f32[64,8] {
  %x = f32[64,100]{1,0:T(8,128)} parameter(0)
  %w = f32[100,520]{1,0:T(8,128)} parameter(1)
  %hidden = f32[64,520]{1,0:T(8,128)} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, ${place(5, 'jvp(loss)/dot_general')}
  %kept = f32[64,520]{1,0:T(8,128)} tanh(%hidden), ${place(6, 'jvp(loss)/tanh')}
  ROOT %out = f32[64,8]{1,0:T(8,128)} custom-call(%hidden, %kept), custom_call_target="f", ${place(7, 'transpose(jvp(loss))/f')}
}
`;

const editor = useEditor({
  settings: { ...developmentDaemon, 'editor.fontSize': 13 },
  prepare: (workspace) => {
    workspace.write('model.py', MODEL);
    workspace.write('step.hlo.txt', PROGRAM);
    return undefined;
  },
});

async function picture(name: string): Promise<void> {
  await editor().workbench.page.screenshot({ path: path.join(root, 'test-results/neverRan', `${name}.png`) });
}

test('puts the memory of a compiled program on its lines, though nothing of it ran', async () => {
  const { workbench, workspace } = editor();
  await workbench.run('Scopelight: Open Profile…');
  await workbench.quickInput.enterPath(/Open Profile/, workspace.path('step.hlo.txt'));
  await workbench.page.keyboard.press('Enter');
  await workbench.notifications.saying(/step\.hlo\.txt/, 60_000);
  await workbench.notifications.clear();
  await workbench.open('model.py');
  await workbench.useAnnotations('Memory');
  const { annotation } = await workbench.editor.annotationOf(PRODUCT, /at the peak/);
  expect(annotation).toMatch(/≈160 KiB at the peak · 160 KiB kept for the backward pass/);
  await picture('memory');
});

test('says on its card that nothing ran, and what is known', async () => {
  const { workbench } = editor();
  await workbench.editor.goTo(5);
  const card = await workbench.editor.hoverCard();
  const text = await card.innerText();
  expect(text).toContain('Nothing of it ran');
  expect(text).toContain('160 KiB at the peak');
  await picture('card');
  await workbench.page.keyboard.press('Escape');
});

test('puts its padding on the lines and among the problems', async () => {
  const { workbench } = editor();
  await workbench.useAnnotations('Padding');
  await workbench.editor.annotationOf(PRODUCT, /padded/);
  const problems = new Problems(workbench);
  await problems.open();
  expect(await problems.saying(/520 is padded/)).toContain('520 is padded to 640 (tile 128)');
  await picture('padding');
});

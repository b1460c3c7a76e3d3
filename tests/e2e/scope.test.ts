import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { small, wide } from './driver/browser.js';
import { Panels } from './driver/panels.js';
import { darkModern, themes } from './driver/workbench.js';
import { root } from './development.js';
import { useEditor } from './editor.js';

// What is looked at is one choice: of every panel, of the texts and of the status bar. The mouse stays still in this file.
const editor = useEditor({ withRun: true });

const panels = () => new Panels(editor().workbench);
const control = (page: FrameLocator) => page.getByRole('combobox', { name: 'Looked at' });
const statusOf = (page: FrameLocator) => page.locator('.status-line').innerText();

async function picture(name: string): Promise<void> {
  await editor().workbench.page.screenshot({ path: path.join(root, 'test-results/scope', `${name}.png`) });
}

test('is the complete steps at first', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.run('Scopelight: Focus on Runs View');
  await workbench.rows('Runs').filter({ hasText: 'transformer.py' }).waitFor();
  await workbench.focusFirstRow('Runs');
  await workbench.page.keyboard.press('Enter');
  await workbench.statusItem(/\/step · \d+ % busy$/).waitFor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(48);
  await workbench.editor.annotationOf('layer["up"]', /\/step$/);
  const profile = await panels().open('Op Profile');
  expect(await control(profile).inputValue()).toBe('steps');
  expect(await statusOf(profile)).toMatch(/over \d+ complete steps?/);
});

test('is chosen by the keyboard in one panel, and another, the texts and the status bar follow', async () => {
  const { workbench } = editor();
  const lines = await panels().open('Hot Lines');
  await panels().tabTo(lines.locator('label.scope select:focus'));
  // The first of the choices, also where the test is tried once more.
  await panels().press('Home');
  await lines.getByRole('columnheader', { name: 'Of the step' }).waitFor();
  await lines.getByRole('main').getByRole('columnheader', { name: 'Per step' }).waitFor();
  await panels().press('ArrowDown');
  await lines.getByRole('columnheader', { name: 'Of the window' }).waitFor();
  await expect.poll(() => statusOf(lines)).toContain('over the whole window');
  await lines
    .getByRole('main')
    .getByRole('columnheader')
    .filter({ hasText: /^Time$/ })
    .waitFor();
  await workbench.statusItem(/busy(?: · \d+ % idle: [^·]+)? · whole window$/).waitFor();
  const profile = await panels().open('Op Profile');
  await expect.poll(() => control(profile).inputValue()).toBe('window');
  await expect.poll(() => statusOf(profile)).toContain('over the whole window');
  await workbench.open('decoder.py');
  await workbench.editor.goTo(48);
  await workbench.editor.annotationOf('layer["up"]', / % {2}[\d.]+ [mµ]?s$/);
});

test('is chosen by a command, too', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Choose What Is Looked At…');
  await workbench.quickInput.choose(/./, 'Outside of steps');
  await workbench.statusItem(/outside of steps$/).waitFor();
  const lines = await panels().open('Hot Lines');
  await lines.getByRole('columnheader', { name: 'Of time outside' }).waitFor();
  await picture('Outside of steps');
  await workbench.run('Scopelight: Choose What Is Looked At…');
  await workbench.quickInput.choose(/./, 'Complete steps');
  await lines.getByRole('columnheader', { name: 'Of the step' }).waitFor();
  await workbench.statusItem(/\/step · \d+ % busy$/).waitFor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(48);
  await workbench.editor.annotationOf('layer["up"]', /\/step$/);
});

test.each(themes)('can be read in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  for (const panel of ['Hot Lines', 'Op Profile', 'Op Statistics', 'FLOPs', 'Flame Graph', 'Roofline']) {
    for (const size of [wide, small]) {
      await workbench.page.setViewportSize(size);
      const page = await panels().open(panel);
      await control(page).waitFor();
      // Nothing of the top bar is beyond its end.
      const beyond_px = () => page.locator('.top-bar').evaluate((bar) => bar.scrollWidth - bar.clientWidth);
      await expect.poll(beyond_px).toBeLessThanOrEqual(0);
      await picture(`${panel} ${theme.name} ${String(size.width)}`);
    }
  }
  await workbench.page.setViewportSize(wide);
  await workbench.useTheme(darkModern);
});

import path from 'node:path';
import { expect, test } from 'vitest';
import { small, wide } from './driver/browser.js';
import { contrast } from './driver/colours.js';
import { themes } from './driver/workbench.js';
import { root } from './development.js';
import { useEditor } from './editor.js';

const editor = useEditor({ withRun: true });

async function picture(name: string): Promise<void> {
  await editor().workbench.page.screenshot({ path: path.join(root, 'test-results/looks', `${name}.png`) });
}

test('shows what is looked at', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.run('Scopelight: Focus on Hot Lines View');
  await picture('no run shown');
  await workbench.run('Scopelight: Focus on Runs View');
  await workbench.rows('Runs').filter({ hasText: 'transformer.py' }).click();
  await workbench.statusItem(/% busy/).waitFor();
});

test.each(themes)('can be read in $name', async (theme) => {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  for (const size of [wide, small]) {
    const name = `${theme.name} ${size.width}`;
    await workbench.page.setViewportSize(size);
    await workbench.run('Scopelight: Focus on Hot Lines View');
    const side = await workbench.webviews.over('sidebar');
    await side.getByRole('row').filter({ hasText: 'decoder.py:48' }).waitFor();
    await workbench.open('decoder.py');
    await workbench.editor.goTo(48);
    const line = await workbench.editor.annotationOf('layer["up"]');
    expect(contrast(line.colour, await workbench.editor.background())).toBeGreaterThanOrEqual(4.5);
    await picture(`${name} annotations`);
    await workbench.editor.hoverCard();
    await picture(`${name} card`);
    await workbench.page.keyboard.press('Escape');
    await workbench.run('Scopelight: Open Hot Lines');
    await workbench.activeTab('Hot Lines').waitFor();
    const tab = await workbench.webviews.over('editor');
    const row = tab.getByRole('row').filter({ hasText: 'decoder.py:48' });
    await row.click();
    await picture(`${name} hot lines`);
    await workbench.run('View: Close Editor');
  }
  await workbench.page.setViewportSize(wide);
});

test('fits into a narrow side bar', async () => {
  const { workbench } = editor();
  const edge = await workbench.sideBar.boundingBox();
  const { mouse } = workbench.page;
  const x = (edge?.x ?? 0) + (edge?.width ?? 0);
  await mouse.move(x, 400);
  await mouse.down();
  await mouse.move(x - 60, 400);
  await mouse.up();
  await workbench.run('Scopelight: Focus on Hot Lines View');
  const side = await workbench.webviews.over('sidebar');
  await side.getByRole('row').filter({ hasText: 'decoder.py:48' }).waitFor();
  const [width, cells] = await side
    .locator('body')
    .evaluate((body) => [
      body.clientWidth,
      [...body.querySelectorAll('[role="row"] > *')].map((each) => each.getBoundingClientRect().right),
    ]);
  expect(Math.max(...cells)).toBeLessThanOrEqual(width);
  await picture('narrow side bar');
});

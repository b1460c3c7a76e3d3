import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { small, wide } from '../driver/browser.js';
import { contrast } from '../driver/colours.js';
import { Panels } from '../driver/panels.js';
import { givenColours, keepTheme, keptThemes } from '../driver/themeColours.js';
import { darkModern, everyTheme, type Theme } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { useEditor } from '../editor.js';

// So large that the longest annotated line fits beside the side bar.
const editor = useEditor({ withRun: true, settings: { ...developmentDaemon, 'editor.fontSize': 13 } });

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function picture(name: string, clip?: Area): Promise<void> {
  await editor().workbench.page.screenshot({
    path: path.join(root, 'test-results/looks', `${name}.png`),
    ...(clip && { clip }),
  });
}

/** Picks the theme, and shows Hot Lines beside a line that is annotated. */
async function showLine(theme: Theme): Promise<void> {
  const { workbench } = editor();
  await workbench.useTheme(theme);
  await workbench.run('Scopelight: Focus on Hot Lines View');
  const side = await workbench.webviews.over('sidebar');
  await side.getByRole('row').filter({ hasText: 'decoder.py:48' }).waitFor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(48);
  await workbench.editor.annotationOf('layer["up"]');
}

/** Opens Hot Lines as a tab, with the details of a line. */
async function showDetails(): Promise<FrameLocator> {
  const { workbench } = editor();
  const tab = await new Panels(workbench).open('Hot Lines');
  await tab.getByRole('row').filter({ hasText: 'decoder.py:48' }).click();
  await tab.getByText('layer["up"]').last().waitFor();
  return tab;
}

/** The card with the lines around it. */
async function around(card: Locator): Promise<Area> {
  const { workbench } = editor();
  const text = await workbench.editor.element.boundingBox();
  const box = await card.boundingBox();
  if (text === null || box === null) {
    throw new Error('The card is not drawn.');
  }
  const y = box.y - 50;
  return { x: text.x, y, width: text.width, height: box.height + 150 };
}

test('shows what is looked at', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.run('Scopelight: Focus on Runs View');
  await picture('no run shown');
  await workbench.showRun('transformer.py');
  await workbench.statusItem(/% busy/).waitFor();
});

test.each(everyTheme)('can be read in $name', async (theme) => {
  const { workbench } = editor();
  await showLine(theme);
  for (const size of [wide, small]) {
    const name = `${theme.name} ${size.width}`;
    await workbench.page.setViewportSize(size);
    await workbench.open('decoder.py');
    const line = await workbench.editor.annotationOf('layer["up"]');
    expect(contrast(line.colour, await workbench.editor.background())).toBeGreaterThanOrEqual(4.5);
    await picture(`${name} annotations`);
    await workbench.editor.hoverCard();
    await picture(`${name} card`);
    await workbench.page.keyboard.press('Escape');
    await showDetails();
    await picture(`${name} hot lines`);
  }
  await workbench.page.setViewportSize(wide);
});

test.each(everyTheme)('has the colours that pictures of pages are drawn with, in $name', async (theme) => {
  await editor().workbench.useTheme(theme);
  const tab = await showDetails();
  const colours = await givenColours(tab);
  if (process.env['SCOPELIGHT_BASELINES'] === 'update') {
    keepTheme(theme.name, colours);
  }
  expect(keptThemes()[theme.name]).toEqual(colours);
});

test("makes the README's pictures", async () => {
  const { workbench } = editor();
  await showLine(darkModern);
  await showDetails();
  await picture('hot-lines');
  await workbench.run('View: Close Editor');
  await workbench.activeTab('decoder.py').waitFor();
  await workbench.editor.annotationOf('layer["up"]');
  await picture('editor');
  // A card takes a quarter of the editor's height at most.
  await workbench.page.setViewportSize({ ...wide, height: 2 * wide.height });
  await picture('hover', await around(await workbench.editor.hoverCard()));
  await workbench.page.keyboard.press('Escape');
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
  // The table is laid out anew after its page has its width.
  const beyond_px = () =>
    side.locator('body').evaluate((body) => {
      const cells = [...body.querySelectorAll('[role="row"] > *')];
      return Math.max(...cells.map((each) => each.getBoundingClientRect().right)) - body.clientWidth;
    });
  await expect.poll(beyond_px).toBeLessThanOrEqual(0);
  await picture('narrow side bar');
});

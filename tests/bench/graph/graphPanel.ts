/**
 * How soon the graph of a great program is drawn in a real VS Code: `npm run --silent bench:graph-panel`. Opens a program
 * that make_layers.py makes (25,000 instructions) and walks through its ops. Prints one line of JSON: milliseconds from
 * a person's key to the last time that the picture was drawn for it, with the answer of the daemon and the layout.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { developmentPython, root } from '../../e2e/development.js';
import { choice, Panels } from '../../e2e/driver/panels.js';
import { inEditor } from '../inEditor.js';
import { inFolder } from '../measuring.js';
import { median, SETTLED_MS } from '../work.js';

const NEIGHBOURHOODS = 24;
const LONGEST_OPENING_MS = 120_000;

interface Figures {
  readonly nodes: number;
  readonly neighbourhood_ms: number;
  readonly slowest_neighbourhood_ms: number;
}

type Clear = (this: CanvasRenderingContext2D, ...box: [number, number, number, number]) => void;

/** From now on the page notes when it was last drawn; canvases of this panel are cleared before they are drawn. */
async function noteDrawing(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    const noted = { pressed: 0, drawn: 0 };
    Object.assign(window, { noted });
    const canvas = CanvasRenderingContext2D.prototype;
    const clear = Object.getOwnPropertyDescriptor(canvas, 'clearRect')?.value as Clear;
    canvas.clearRect = function (...box) {
      noted.drawn = performance.now();
      clear.apply(this, box);
    };
    window.addEventListener('keydown', () => (noted.pressed = performance.now()), { capture: true });
  });
}

async function measure(folder: string): Promise<Figures> {
  const project = path.join(folder, 'project');
  mkdirSync(project);
  const program = path.join(project, 'layers.hlo.pb');
  execFileSync(developmentPython, [path.join(root, 'tests/bench/graph/make_layers.py'), program], {
    env: { ...process.env, JAX_PLATFORMS: 'cpu' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return inEditor(folder, project, async (workbench) => {
    const { page } = workbench;
    const panels = new Panels(workbench);
    await workbench.run('Scopelight: Open Profile…');
    await workbench.quickInput.openPath(/Open Profile/, program);
    const panel = await panels.openPage('Graph');
    await panel.getByRole('application').waitFor({ timeout: LONGEST_OPENING_MS });
    const frame = await (await panel.locator('body').elementHandle()).ownerFrame();
    if (!frame) {
      throw new Error('The panel is not open.');
    }
    await choice(panel, 'Level', 'Ops').click();
    await panel.locator('.select', { hasText: 'Radius' }).waitFor({ timeout: LONGEST_OPENING_MS });
    await panels.tabTo(panel.locator('[role="application"]:focus'));
    await noteDrawing(frame);
    const status = () => panel.locator('.status-line').innerText();
    const times: number[] = [];
    const shown: string[] = [];
    // The first is not measured: compiled code and keys of ops are made for all.
    for (let each = 0; each <= NEIGHBOURHOODS; each++) {
      for (const key of each % 3 === 2 ? [']', 'ArrowRight'] : [']', ']']) {
        await page.keyboard.press(key);
        await page.waitForTimeout(SETTLED_MS / 4);
      }
      await page.waitForTimeout(SETTLED_MS);
      await page.keyboard.press('n');
      await page.waitForTimeout(2 * SETTLED_MS);
      const { pressed, drawn } = await frame.evaluate(
        () => (window as unknown as { noted: { pressed: number; drawn: number } }).noted,
      );
      if (each > 0 && drawn > pressed) {
        times.push(drawn - pressed);
        shown.push(await status());
      }
    }
    if (new Set(shown).size < NEIGHBOURHOODS / 4) {
      throw new Error('The walk stayed where it was.');
    }
    return {
      nodes: median(shown.map((each) => Number(/^(\d+) node/.exec(each)?.[1]))),
      neighbourhood_ms: median(times),
      slowest_neighbourhood_ms: Math.max(...times),
    };
  });
}

await inFolder(async (folder) => {
  console.log(JSON.stringify(await measure(folder)));
});

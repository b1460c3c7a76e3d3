/**
 * How quick the op profile of a great program is in a real VS Code: `npm run --silent bench:op-profile`. Captures
 * unrolled.py (28,000 instructions). Prints one line of JSON: for each action the milliseconds of script from the
 * person's key until the page has drawn what it asked for, and the elements that the page then has.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Frame, FrameLocator, Page } from 'playwright-core';
import { developmentPython, root } from '../../e2e/development.js';
import { median, SETTLED_MS, workAfter } from '../work.js';
import { inEditor } from '../inEditor.js';
import { inFolder } from '../measuring.js';

const REPETITIONS = 5;
/** The first run that is ever opened compiles what reads it. */
const LONGEST_OPENING_MS = 120_000;

interface Figures {
  readonly expand_ms: number;
  readonly sort_ms: number;
  readonly search_ms: number;
  readonly elements: number;
  readonly rows: number;
}

/** The panel's own document: scripts of the editor around it do not count. */
async function frameOf(page: Page, panel: FrameLocator): Promise<Frame> {
  const frame = await (await panel.locator('body').elementHandle()).ownerFrame();
  if (!frame) {
    throw new Error('The panel is not open.');
  }
  return frame;
}

async function focusOn(page: Page, panel: FrameLocator, selector: string, key: string): Promise<void> {
  const wanted = panel.locator(selector).first();
  for (let presses = 0; presses < 40 && !(await wanted.isVisible()); presses++) {
    await page.keyboard.press(key);
  }
  await wanted.waitFor();
}

async function measure(folder: string): Promise<Figures> {
  const project = path.join(folder, 'project');
  const run = path.join(project, '.scopelight/20260102-030405-unrolled');
  mkdirSync(project);
  cpSync(path.join(root, 'tests/bench/unrolled.py'), path.join(project, 'unrolled.py'));
  execFileSync(
    developmentPython,
    ['-m', 'scopelight.cli.main', 'run', '--whole', '--no-calibration', '--out', run, 'unrolled.py'],
    { cwd: project, env: { ...process.env, JAX_PLATFORMS: 'cpu' }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return inEditor(folder, project, async (workbench) => {
    const { page } = workbench;
    await workbench.open('unrolled.py');
    await workbench.run('Scopelight: Focus on Runs View');
    await workbench.rows('Runs').filter({ hasText: 'unrolled.py' }).click();
    await workbench.statusItem(/% busy/).waitFor({ timeout: LONGEST_OPENING_MS });
    await workbench.run('Scopelight: Open Op Profile');
    await workbench.activeTab('Op Profile').waitFor();
    const panel = await workbench.webviews.over('editor');
    await panel.getByRole('row').filter({ hasText: 'dot fusion' }).first().waitFor();
    // All children of a node, not the ten longest.
    const top = panel.getByText('Top 10', { exact: true });
    await top.click();
    const frame = await frameOf(page, panel);
    await focusOn(page, panel, '[role="row"]:focus', 'Tab');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');

    const workAfterKey = (key: string) => workAfter(page, frame, 'keydown', () => page.keyboard.press(key));
    const expansions: number[] = [];
    for (let each = 0; each < REPETITIONS; each++) {
      expansions.push(await workAfterKey('ArrowRight'));
      await page.keyboard.press('ArrowLeft');
      await page.waitForTimeout(SETTLED_MS);
    }
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(SETTLED_MS);
    const rows = Number(await panel.getByRole('treegrid').getAttribute('aria-rowcount'));
    const elements = await frame.evaluate(() => document.querySelectorAll('*').length);

    const sorts: number[] = [];
    await focusOn(page, panel, '[role="columnheader"]:focus', 'Shift+Tab');
    for (let each = 0; each < REPETITIONS; each++) {
      await page.keyboard.press('ArrowRight');
      sorts.push(await workAfterKey('Enter'));
    }

    const searches: number[] = [];
    await focusOn(page, panel, 'vscode-textfield[focused]', 'Shift+Tab');
    for (const key of 'sort.1') {
      searches.push(await workAfterKey(key));
    }
    return {
      expand_ms: median(expansions),
      sort_ms: median(sorts),
      search_ms: Math.max(...searches),
      elements: Math.max(elements, await frame.evaluate(() => document.querySelectorAll('*').length)),
      rows,
    };
  });
}

await inFolder(async (folder) => {
  console.log(JSON.stringify(await measure(folder)));
});

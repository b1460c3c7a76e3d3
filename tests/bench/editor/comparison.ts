/**
 * How soon a real VS Code says on a changed line by how much it changed: `npm run --silent bench:comparison`. Makes five
 * rounds of a script whose second part has a tenth more to do. Prints one line of JSON: milliseconds from the person's
 * key to the drawn `+N %`, of choosing what to compare with and of opening the file that is compared.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { developmentPython, root } from '../../e2e/development.js';
import type { Workbench } from '../../e2e/driver/workbench.js';
import { inEditor } from '../inEditor.js';
import { inFolder } from '../measuring.js';
import { median } from '../work.js';
import { fromKeyUntilDrawn } from './drawn.js';

const REPETITIONS = 5;
const ANNOTATIONS = '.view-line span > span';
const SINCE = 'since';

interface Figures {
  readonly compare_ms: number;
  readonly open_ms: number;
}

/** A project with one commit, a change since, and the rounds of both. */
function changedProject(folder: string): string {
  const project = path.join(folder, 'project');
  const script = path.join(project, 'parts.py');
  mkdirSync(project);
  cpSync(path.join(root, 'tests/workloads/comparisons/parts.py'), script);
  const options = { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] };
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  for (const words of [
    ['init', '-q'],
    ['add', 'parts.py'],
    [...author, 'commit', '-q', '-m', 'Begin'],
  ]) {
    execFileSync('git', words, options);
  }
  writeFileSync(script, readFileSync(script, 'utf8').replace('LONG = 40\n', 'LONG = 48\n'));
  const command = ['run', '--against', 'HEAD', '--rounds', '5', '--steps', '20', 'parts.py'];
  execFileSync(developmentPython, ['-m', 'scopelight.cli.main', ...command], {
    ...options,
    env: { ...process.env, JAX_PLATFORMS: 'cpu' },
  });
  return project;
}

/** Chooses the experiment, up to the last key. */
async function chooseExperiment(workbench: Workbench): Promise<void> {
  await workbench.run('Scopelight: Compare with…');
  await workbench.quickInput.asked(/What was before it/);
  await workbench.quickInput.enter('parts.py against');
  await workbench.page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: 'against' }).waitFor();
}

async function stopComparing(workbench: Workbench): Promise<void> {
  await workbench.run('Scopelight: Stop Comparing');
  await workbench.page.waitForFunction(
    ([selector, said]) =>
      ![...document.querySelectorAll(selector)].some((each) =>
        getComputedStyle(each, '::after').content.includes(said),
      ),
    [ANNOTATIONS, SINCE] as const,
  );
}

/**
 * As often as wanted, milliseconds until the line says by how much it changed, since the experiment was chosen. The file
 * with the line stays in sight, beside the panel that this opens.
 */
async function measureComparing(workbench: Workbench): Promise<readonly number[]> {
  const times: number[] = [];
  for (let each = 0; each < REPETITIONS; each++) {
    await chooseExperiment(workbench);
    times.push(await fromKeyUntilDrawn(workbench.page, 'Enter', ANNOTATIONS, SINCE));
    if (each < REPETITIONS - 1) {
      await stopComparing(workbench);
    }
  }
  return times;
}

/** As often as wanted, milliseconds until a file that is opened while runs are compared says so. */
async function measureOpening(workbench: Workbench): Promise<readonly number[]> {
  const times: number[] = [];
  for (let each = 0; each < REPETITIONS; each++) {
    await workbench.run('View: Close All Editors');
    await workbench.quickInput.open('Control+P', 'parts.py');
    await workbench.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'parts.py' }).waitFor();
    times.push(await fromKeyUntilDrawn(workbench.page, 'Enter', ANNOTATIONS, SINCE));
  }
  return times;
}

async function measure(folder: string): Promise<Figures> {
  return inEditor(folder, changedProject(folder), async (workbench) => {
    await workbench.open('parts.py');
    await workbench.run('View: Split Editor Right');
    await workbench.run('Scopelight: Focus on Runs View');
    await workbench.focusFirstRow('Runs');
    await workbench.page.keyboard.press('Enter');
    await workbench.activeTab('Comparison').waitFor();
    // Beside the panel there is no room for what a line took.
    await workbench.useAnnotations('Change');
    await stopComparing(workbench);
    const comparing = await measureComparing(workbench);
    const opening = await measureOpening(workbench);
    console.error({ comparing, opening });
    return { compare_ms: median(comparing), open_ms: median(opening) };
  });
}

await inFolder(async (folder) => {
  console.log(JSON.stringify(await measure(folder)));
});

/**
 * How long a newcomer waits in a real VS Code with nothing of ours in its profile: `npm run --silent bench:first-hour
 * -- PYTHON`, with an interpreter that has flax. Prints a line of JSON with the daemon's installation, and one for a
 * second script without: by part, seconds from the click to the first annotated line.
 */
import { copyFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../e2e/development.js';
import { launchBrowser, openWorkbench } from '../../e2e/driver/browser.js';
import { startServer } from '../../e2e/driver/server.js';
import { Workbench } from '../../e2e/driver/workbench.js';
import { installEditor, packageExtension } from '../../e2e/packaged.js';
import { Workspace } from '../../e2e/workspace.js';
import { inFolder } from '../measuring.js';

const LONGEST_MS = 300_000;

/** Seconds by part; what follows on each other adds up to `total`. */
interface Parts {
  readonly installation: number;
  readonly questions: number;
  readonly launch: number;
  readonly script_start: number;
  readonly compilation: number;
  readonly finding_the_step: number;
  readonly window: number;
  readonly result: number;
  readonly total: number;
}

/** The part of `run.json` that is needed; times are of the epoch. */
interface RecordedRun {
  readonly probes: readonly { readonly started: number }[];
  readonly window: { readonly started_ns: number; readonly closed_ns: number };
}

async function annotationDrawn(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('.view-line span > span')].some((span) =>
        /[▰○]/u.test(getComputedStyle(span, '::after').content),
      ),
    undefined,
    { timeout: LONGEST_MS, polling: 'raf' },
  );
}

/** Profiles a script that was never profiled before, as a newcomer does, from the click to what stands in the text. */
async function profile(workbench: Workbench, workspace: Workspace, script: string, installs: boolean): Promise<Parts> {
  const now = (): number => Date.now() / 1000;
  await workbench.open(script);
  const before = new Set(workspace.runs());
  const clicked = now();
  await workbench.run('Scopelight: Profile Training Script');
  let installed = clicked;
  if (installs) {
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Install' }).click();
    await workbench.quickInput.asked(/Arguments/, LONGEST_MS);
    installed = now();
  }
  await workbench.quickInput.accept(/Arguments/);
  await workbench.quickInput.accept(/What part of the script to capture/);
  const answered = now();
  await annotationDrawn(workbench.page);
  const annotated = now();
  const run = workspace.runs().find((each) => !before.has(each));
  const marks = workspace.path('marks.json');
  if (run === undefined || !existsSync(marks)) {
    throw new Error(`${script} was annotated without having been captured.`);
  }
  const { began, first_step } = JSON.parse(readFileSync(marks, 'utf8')) as { began: number; first_step: number };
  const recorded = JSON.parse(readFileSync(workspace.path(`.scopelight/${run}/run.json`), 'utf8')) as RecordedRun;
  const backend = recorded.probes[0]?.started ?? Number.NaN;
  const opened = recorded.window.started_ns / 1e9;
  const closed = recorded.window.closed_ns / 1e9;
  return {
    installation: installed - clicked,
    questions: answered - installed,
    launch: began - answered,
    script_start: backend - began,
    compilation: first_step - backend,
    finding_the_step: opened - first_step,
    window: closed - opened,
    result: annotated - closed,
    total: annotated - clicked,
  };
}

async function measure(python: string, folder: string): Promise<void> {
  const packaged = packageExtension(installEditor(), folder);
  const { installation } = packaged;
  const workspace = Workspace.ofExamples(mkdtempSync(path.join(folder, 'project-')));
  for (const script of ['first.py', 'second.py']) {
    copyFileSync(path.join(root, 'tests/bench/first_hour/flax_cnn.py'), workspace.path(script));
  }
  const browser = await launchBrowser(installation.chrome);
  const server = await startServer({
    installation,
    settings: { 'scopelight.interpreter': python },
    dataFolder: path.join(folder, 'data'),
    extensionsFolder: packaged.extensionsFolder,
  });
  try {
    const workbench = new Workbench((await openWorkbench(browser, server, workspace.folder)).page);
    console.log(JSON.stringify(await profile(workbench, workspace, 'first.py', true)));
    await workbench.terminalShows(/step 380/, LONGEST_MS);
    await workbench.run('Scopelight: Clear');
    console.log(JSON.stringify(await profile(workbench, workspace, 'second.py', false)));
  } finally {
    await browser.close();
    await server.stop();
  }
}

const python = process.argv[2];
if (python === undefined) {
  throw new Error('Name an interpreter that has flax.');
}
await inFolder((folder) => measure(path.resolve(python), folder));

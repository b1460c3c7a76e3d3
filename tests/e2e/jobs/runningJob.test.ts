import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { developmentPython, root } from '../development.js';
import { useEditor } from '../editor.js';

const PICTURES = path.join(root, 'test-results/running job');

const editor = useEditor({
  prepare: (workspace) => {
    const listens = 'import sys\n\nimport jax\n\njax.profiler.start_server(int(sys.argv.pop(1)))\n';
    workspace.write('listening.py', `${listens}import transformer\n\ntransformer.main()\n`);
    return undefined;
  },
});

let job: ChildProcess | undefined;

/** A port that nothing listens at. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  const port = await freePort();
  const running = spawn(
    developmentPython,
    ['-u', 'listening.py', String(port), '--steps', '1000000', '--layers', '1'],
    {
      cwd: editor().workspace.folder,
      env: { ...process.env, JAX_PLATFORMS: 'cpu' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  job = running;
  // It trains from its first step on.
  await new Promise<void>((resolve) => running.stdout.on('data', (text) => String(text).includes('step') && resolve()));
});

afterAll(() => {
  job?.kill('SIGKILL');
});

test('captures a job that runs, found by its script', async () => {
  const { workbench, workspace } = editor();
  const picture = (name: string) => workbench.page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  await workbench.run('Scopelight: Capture from Running Job');
  await workbench.quickInput.asked(/The job to capture/);
  await picture('jobs');
  await workbench.quickInput.choose(/The job to capture/, 'listening.py');
  await workbench.quickInput.asked(/Seconds to capture/);
  await picture('seconds');
  await workbench.quickInput.answer(/Seconds to capture/, '3');
  await workbench.notifications.saying(/Capturing localhost:\d+: capturing 3 s/);
  await picture('progress');
  await workbench.notifications.saying(/listening\.py: \d+ steps of /, 150_000);
  const lines = await workbench.webviews.over('sidebar');
  await lines.getByRole('row').filter({ hasText: 'decoder.py' }).first().waitFor();
  await picture('captured');
  expect(workspace.runs()).toHaveLength(1);
  await workbench.rows('Runs').filter({ hasText: 'listening.py' }).filter({ hasText: 'shown' }).waitFor();
  await workbench.notifications.clear();
});

test('a capture that is cancelled leaves the job to the next one', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Capture from Running Job');
  await workbench.quickInput.choose(/The job to capture/, 'listening.py');
  await workbench.quickInput.answer(/Seconds to capture/, '600');
  const progress = await workbench.notifications.saying(/capturing 600 s/);
  await progress.press('Cancel');
  await workbench.run('Scopelight: Capture from Running Job');
  await workbench.quickInput.choose(/The job to capture/, 'listening.py');
  await workbench.quickInput.answer(/Seconds to capture/, '1');
  await workbench.notifications.saying(/listening\.py: \d+ steps of /, 150_000);
});

test('takes another window of a job that was profiled and still runs', async () => {
  const { workbench, workspace } = editor();
  const picture = (name: string) => workbench.page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  const before = new Set(workspace.runs());
  const profiled = spawn(
    developmentPython,
    ['-m', 'scopelight.cli.main', 'run', '--no-calibration', 'mlp.py', '--steps', '1000000', '--width', '64'],
    {
      cwd: workspace.folder,
      env: { ...process.env, JAX_PLATFORMS: 'cpu' },
      stdio: ['ignore', 'ignore', 'pipe'],
      // The script ends with it.
      detached: true,
    },
  );
  try {
    await new Promise<void>((resolve) => {
      profiled.stderr.on('data', (text) => String(text).includes('captured') && resolve());
    });
    const [run = ''] = workspace.runs().filter((each) => !before.has(each));
    const windows = () =>
      (JSON.parse(workspace.read(path.join('.scopelight', run, 'run.json'))) as { windows: unknown[] }).windows;
    expect(windows()).toHaveLength(1);
    await workbench.run('Scopelight: Capture Again Now');
    await workbench.notifications.saying(/mlp\.py: \d+ steps of /, 60_000);
    expect(windows()).toHaveLength(2);
    const row = workbench.rows('Runs').filter({ hasText: 'mlp.py' }).filter({ hasText: 'shown' });
    await row.waitFor();
    const lines = await workbench.webviews.over('sidebar');
    await lines.getByRole('row').filter({ hasText: 'mlp.py' }).first().waitFor();
    await workbench.notifications.clear();
    const again = workbench.page.locator('.statusbar-item', { hasText: 'Capture Again Now' });
    await again.waitFor();
    await workbench.focusFirstRow('Runs');
    // Into the run, and past its newest window.
    await workbench.page.keyboard.press('ArrowRight');
    const shownWindow = (name: RegExp) => workbench.rows('Runs').filter({ hasText: name }).filter({ hasText: 'shown' });
    await shownWindow(/window 2: \d+ steps?, \d\d:\d\d:\d\d/).waitFor();
    await picture('captured again');
    for (const key of ['ArrowRight', 'ArrowDown', 'Enter']) {
      await workbench.page.keyboard.press(key);
    }
    await shownWindow(/window 1: \d+ steps?, \d\d:\d\d:\d\d/).waitFor();
    await expect.poll(() => shownWindow(/window 2:/).count()).toBe(0);
    await picture('the window before');
  } finally {
    process.kill(-(profiled.pid ?? 0), 'SIGKILL');
  }
});

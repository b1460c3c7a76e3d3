import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { developmentPython, root } from '../development.js';
import { useEditor } from '../editor.js';

const PICTURES = path.join(root, 'test-results/monitor');

const editor = useEditor({ prepare: () => undefined });

let job: ChildProcess | undefined;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  const profiled = spawn(
    developmentPython,
    ['-m', 'scopelight.cli.main', 'run', '--no-calibration', 'mlp.py', '--steps', '1000000', '--width', '64'],
    {
      cwd: editor().workspace.folder,
      env: { ...process.env, JAX_PLATFORMS: 'cpu' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  job = profiled;
  await new Promise<void>((resolve) => {
    profiled.stderr.on('data', (text) => String(text).includes('captured') && resolve());
  });
});

afterAll(() => {
  job?.kill('SIGINT');
});

test('a job that was profiled and still runs is watched until it ends', async () => {
  const { workbench } = editor();
  const picture = (name: string) => workbench.page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  await workbench.run('Scopelight: Open Monitor');
  const page = await workbench.webviews.over('editor');
  await page.getByText('No job is watched.').waitFor();
  await picture('nothing');
  await workbench.run('Scopelight: Monitor Job');
  await page.getByRole('radio', { name: '1 s', exact: true }).click();
  await page.getByText(/The job is traced for \d+(\.\d)? % of the time/).waitFor();
  const item = workbench.page.locator('.statusbar-item', { hasText: /busy \d+\.\d % · step/ });
  await item.waitFor();
  const chart = page.locator('.series-chart').first();
  await expect.poll(() => page.locator('.readout').count()).toBe(2);
  await page.getByText('Stop', { exact: true }).waitFor();
  await chart.press('End');
  await page
    .locator('.readout')
    .first()
    .getByText(/busy \d+\.\d %/)
    .waitFor();
  await picture('watched');
  await page.getByRole('button', { name: 'Show as Table' }).click();
  await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(3);
  await picture('table');
  await page.getByRole('button', { name: 'Show as Chart' }).click();
  await chart.press('End');
  await picture('curves');
  job?.kill('SIGINT');
  await page.getByText('The job has ended.').waitFor();
  await item.waitFor({ state: 'detached' });
  await picture('ended');
});

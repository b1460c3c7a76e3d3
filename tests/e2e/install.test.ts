import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { developmentPython, root, version } from './development.js';
import { wide, workbenchAddress } from './driver/browser.js';
import { picturesIn } from './driver/pictures.js';
import { themes, type Workbench } from './driver/workbench.js';
import { useEditor } from './editor.js';
import { Workspace } from './workspace.js';

// pip reads it at every start, so that what is in it can change while the editor runs.
const pipSettings = path.join(inject('prepared').temporaryFolder, 'pip.conf');
// Nothing listens on the port that is kept for discarding.
const unreachable = '[global]\nindex-url = http://127.0.0.1:9/simple\nretries = 1\n';

const editor = useEditor({
  withRun: true,
  asksForTrust: true,
  settings: { 'scopelight.interpreter': developmentPython },
  environment: { PIP_CONFIG_FILE: pipSettings, PIP_INDEX_URL: '' },
});

const picture = picturesIn(path.join(root, 'test-results/offer-to-install'), () => editor().workbench.page);
const failure = /The package index could not be reached/;

/** The question that stands in front of all else. */
function dialog(workbench: Workbench): Locator {
  return workbench.page.locator('.monaco-dialog-box');
}

/** What was compiled of the kernels that read traces, in the environment that the editor has made. */
function compiledKernels(): string[] {
  return readdirSync(editor().folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('formats/native/__pycache__/') && !file.endsWith('.pyc'))
    .sort();
}

test('offers to install the daemon before all else, and says what to do where there is no network', async () => {
  const { workbench, workspace } = editor();
  writeFileSync(pipSettings, unreachable);
  await workbench.page.getByRole('button', { name: /Yes, I trust the authors/ }).click();
  await workbench.open('transformer.py');
  for (const theme of themes.slice(0, 2)) {
    await workbench.useTheme(theme);
    await workbench.run('Scopelight: Profile Training Script');
    const offer = dialog(workbench);
    await offer.waitFor();
    const said = (await offer.innerText()).replaceAll('\u00a0', ' ');
    expect(said).toMatch(/Scopelight needs its daemon/);
    expect(said).toMatch(/about 80 MB.*about 340 MB on the disk.*half a minute/);
    expect(said).toMatch(/nothing in your own environments changes/);
    expect(await offer.getByRole('button').allInnerTexts()).toEqual(
      expect.arrayContaining(['Install', 'Use My Interpreter', 'Cancel']),
    );
    await picture(theme.name, [wide]);
    // To leave it ends the command: nothing is asked, and nothing goes on later.
    await workbench.page.keyboard.press('Escape');
    await offer.waitFor({ state: 'hidden' });
    await expect(workbench.quickInput.box.isVisible()).resolves.toBe(false);
  }
  expect(workspace.runs()).toHaveLength(1);
  const noted = await workbench.notifications.note();
  await workbench.run('Scopelight: Profile Training Script');
  await dialog(workbench).getByRole('button', { name: 'Install' }).click();
  await workbench.notifications.saying(/Installing Scopelight's daemon/);
  await workbench.run('Scopelight: Profile Training Script');
  await expect
    .poll(async () => (await noted()).join('\n'))
    .toMatch(/is being installed: what was started first goes on/);
  const failed = await workbench.notifications.saying(failure, 120_000);
  expect(await failed.buttons()).toEqual(['Retry', 'Show Log']);
  await expect
    .poll(async () => (await noted()).join('\n'))
    .toMatch(/Installing Scopelight's daemon: making the environment/);
});

test('installs the daemon from the wheel that comes with it once there is a network, and goes on', async () => {
  const { workbench, workspace } = editor();
  writeFileSync(pipSettings, '');
  const noted = await workbench.notifications.note();
  const failed = await workbench.notifications.saying(failure);
  await failed.press('Retry');
  await workbench.quickInput.box.filter({ hasText: /Arguments/ }).waitFor({ timeout: 240_000 });
  const kernels = compiledKernels();
  expect(kernels.length).toBeGreaterThan(0);
  await workbench.quickInput.answer(/Arguments/, '--steps 100 --layers 1');
  await workbench.quickInput.accept(/What part of the script to capture/);
  await workbench.notifications.saying(/Profiling transformer\.py/, 240_000);
  expect((await noted()).join('\n')).toMatch(/Installing Scopelight's daemon: (?!making)/);
  await workbench.notifications.saying(/transformer\.py: \d+ steps of /, 300_000);
  expect(compiledKernels(), 'none is compiled while the first capture waits for it').toEqual(kernels);
  expect(workspace.runs(), 'one capture, although it was asked for twice').toHaveLength(2);
  await workbench.run('Scopelight: Debug Information');
  const report = workbench.activeTab('Untitled');
  await report.waitFor();
  await expect
    .poll(async () => (await workbench.editor.drawnLines()).map((each) => each.text).join('\n'))
    .toContain(`daemon-${version()}`);
  await workbench.run('View: Revert and Close Editor');
  await report.waitFor({ state: 'hidden' });
}, 720_000);

test('shows runs in a workspace that is not trusted, and offers no profiling there', async () => {
  const { workbench, workspace, server } = editor();
  const other = Workspace.ofExamples(`${workspace.folder}-untrusted`);
  other.addRun(inject('prepared').captured);
  await workbench.page.goto(workbenchAddress(server, other.folder));
  await workbench.page.getByRole('button', { name: /No, I don't trust/ }).click();
  await workbench.open('transformer.py');
  await workbench.showRun('transformer.py');
  await workbench.statusItem(/\/step · \d+ % busy/).waitFor();
  expect(await workbench.isOffered('Scopelight: Profile Training Script')).toBe(false);
  expect(await workbench.isOffered('Scopelight: Select Run')).toBe(true);
});

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { developmentPython, version } from './development.js';
import { workbenchAddress } from './driver/browser.js';
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

const failure = /The package index could not be reached/;

test('offers to install the daemon, and says what to do where there is no network', async () => {
  const { workbench } = editor();
  writeFileSync(pipSettings, unreachable);
  await workbench.page.getByRole('button', { name: /Yes, I trust the authors/ }).click();
  await workbench.open('transformer.py');
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.answer(/Arguments/, '--steps 100 --layers 1');
  await workbench.quickInput.accept(/What part of the script to capture/);
  const offer = await workbench.notifications.saying(/Scopelight needs its daemon.*about \d+ MB/);
  expect(await offer.buttons()).toEqual(['Install', 'Use My Interpreter']);
  const noted = await workbench.notifications.note();
  await offer.press('Install');
  const failed = await workbench.notifications.saying(failure, 120_000);
  expect(await failed.buttons()).toEqual(['Retry', 'Show Log']);
  await expect
    .poll(async () => (await noted()).join('\n'))
    .toMatch(/Installing Scopelight's daemon: making the environment/);
});

test('installs the daemon from the wheel that comes with it once there is a network, and goes on', async () => {
  const { workbench } = editor();
  writeFileSync(pipSettings, '');
  const noted = await workbench.notifications.note();
  const failed = await workbench.notifications.saying(failure);
  await failed.press('Retry');
  await workbench.notifications.saying(/Profiling transformer\.py/, 240_000);
  expect((await noted()).join('\n')).toMatch(/Installing Scopelight's daemon: (?!making)/);
  await workbench.notifications.saying(/transformer\.py: \d+ steps of /, 300_000); // Its first reading compiles.
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

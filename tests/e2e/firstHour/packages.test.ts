import path from 'node:path';
import { expect, test } from 'vitest';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { developmentDaemon, root } from '../development.js';
import { useEditor } from '../editor.js';
import { addGpt } from './gptPackage.js';

const editor = useEditor({
  settings: developmentDaemon,
  withRun: true,
  prepare: (workspace) => {
    addGpt(workspace);
    return undefined;
  },
});

const picture = picturesIn(path.join(root, 'test-results/packages'), () => editor().workbench.page);
const HOW = /How to run it/;
const WINDOW = /What part of the script to capture/;
const TARGETS = /The script, or the configuration of launch\.json/;

test('offers a file of a package as its module, also where it failed as a script', async () => {
  const { workbench } = editor();
  await workbench.open('gpt/train.py');
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.asked(HOW);
  const ways = (await workbench.quickInput.choices()).map((each) => each.trim());
  expect(ways.filter((each) => each.startsWith('python '))).toEqual(['python -m gpt.train', 'python gpt/train.py']);
  await picture('how to run');
  await workbench.quickInput.choose(HOW, 'python gpt/train.py');
  await workbench.quickInput.accept(/Arguments/);
  await workbench.quickInput.accept(WINDOW);
  const said = await workbench.notifications.saying(/no known parent package/, 60_000);
  expect(await said.text()).toMatch(/\(train\.py:\d+\)\. It belongs to a package: run it as a module\.$/);
  await picture('failed as a script');
  await said.press('Run as Module');
  await workbench.notifications.saying(/gpt\.train: \d+ steps of /, 150_000);
  await workbench.open('gpt/model.py');
  await workbench.editor.annotationOf('block["up"]');
  for (const theme of themes) {
    await workbench.useTheme(theme);
    await picture(`annotated, ${theme.name}`);
  }
  await workbench.notifications.clear();
});

test('keeps to the module, with other arguments', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Change Arguments and Window…');
  await workbench.quickInput.asked(HOW);
  expect((await workbench.quickInput.choices())[0]).toContain('python -m gpt.train');
  await workbench.quickInput.accept(HOW);
  await workbench.quickInput.answer(/Arguments/, '--layers 1');
  await workbench.quickInput.accept(WINDOW);
  await workbench.notifications.saying(/gpt\.train will be profiled with --layers 1/);
  await workbench.notifications.clear();
  await workbench.run('Scopelight: Profile Again');
  await workbench.notifications.saying(/gpt\.train: \d+ steps of /, 150_000);
  await workbench.run('Scopelight: Focus on Runs View');
  await workbench.rows('Runs').filter({ hasText: 'gpt.train' }).filter({ hasText: '--layers 1' }).first().waitFor();
  await workbench.notifications.clear();
});

/** What there is to profile. The editor notices a while later what became of a launch.json that it has not written. */
async function offered(): Promise<string[]> {
  const { workbench } = editor();
  await workbench.run('Scopelight: Profile With…');
  await workbench.quickInput.asked(TARGETS);
  const choices = await workbench.quickInput.choices();
  await workbench.quickInput.dismiss();
  return choices.map((each) => each.trim());
}

test('offers launch.json at any time', async () => {
  const { workbench, workspace } = editor();
  const wide = { name: 'A wide GPT', type: 'debugpy', request: 'launch', module: 'gpt', args: ['--width', '256'] };
  workspace.write('.vscode/launch.json', JSON.stringify({ version: '0.2.0', configurations: [wide] }));
  await workbench.open('gpt/train.py');
  await expect.poll(offered).toContain('A wide GPT');
  await workbench.run('Scopelight: Profile With…');
  await workbench.quickInput.asked(TARGETS);
  await picture('profile with');
  await workbench.quickInput.choose(TARGETS, 'A wide GPT');
  await workbench.quickInput.accept(WINDOW);
  await workbench.notifications.saying(/A wide GPT: \d+ steps of |gpt: \d+ steps of /, 150_000);
  await workbench.run('Scopelight: Focus on Runs View');
  await workbench.rows('Runs').filter({ hasText: '--width 256' }).filter({ hasText: 'shown' }).waitFor();
  await workbench.notifications.clear();
});

test('makes a run again as it is recorded where its configuration is gone', async () => {
  const { workbench, workspace } = editor();
  const before = workspace.runs().length;
  workspace.write('.vscode/launch.json', JSON.stringify({ version: '0.2.0', configurations: [] }));
  await expect.poll(offered).not.toContain('A wide GPT');
  await workbench.run('Scopelight: Profile Again');
  const said = await workbench.notifications.saying(/no configuration “A wide GPT” any more/);
  expect(await said.buttons()).toEqual(['Run as Recorded', 'Profile With…', 'Open launch.json']);
  await picture('configuration gone');
  await said.press('Run as Recorded');
  await workbench.notifications.saying(/gpt: \d+ steps of /, 150_000);
  expect(workspace.runs()).toHaveLength(before + 1);
  await workbench.notifications.clear();
});

test('profiles the run again that is shown, as it was started on the command line', async () => {
  const { workbench, workspace } = editor();
  const before = workspace.runs().length;
  await workbench.showRun(/^transformer\.py/);
  await workbench.run('Scopelight: Profile Again');
  await workbench.notifications.saying(/transformer\.py: \d+ steps of /, 150_000);
  expect(workspace.runs()).toHaveLength(before + 1);
  const same = workbench
    .rows('Runs')
    .filter({ hasText: 'transformer.py' })
    .filter({ hasText: '--steps 60 --layers 2' });
  await expect.poll(() => same.count()).toBe(2);
  await same.filter({ hasText: 'shown' }).waitFor();
  await workbench.notifications.clear();
  for (const theme of themes) {
    await workbench.useTheme(theme);
    await picture(`runs, ${theme.name}`);
  }
});

import { expect, test } from 'vitest';
import { capturesOf } from './daemon.js';
import { eventually } from './driver/processes.js';
import { useEditor } from './editor.js';

const editor = useEditor({
  prepare: (workspace) => {
    workspace.write(
      '.vscode/launch.json',
      JSON.stringify({
        version: '0.2.0',
        configurations: [
          {
            name: 'Small transformer',
            type: 'debugpy',
            request: 'launch',
            program: '${workspaceFolder}/transformer.py',
            args: ['--steps', '${env:TEST_STEPS}', '--layers', '1', '--batch', '4'],
            env: { GREETING: 'from launch.json' },
          },
          { name: 'Attach', type: 'debugpy', request: 'attach', connect: { port: 5678 } },
        ],
      }),
    );
    const script = workspace.read('transformer.py');
    workspace.write(
      'transformer.py',
      script
        .replace('def main():\n', 'def main():\n    print(os.environ.get("GREETING"))\n')
        .replace('import functools\n', 'import functools\nimport os\n'),
    );
    return undefined;
  },
  environment: { TEST_STEPS: '100' },
});

test('profiles what launch.json describes', async () => {
  const { workbench, workspace } = editor();
  await workbench.open('transformer.py');
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.asked(/The script, or the configuration of launch\.json/);
  expect((await workbench.quickInput.choices()).join('\n')).not.toContain('Attach');
  await workbench.quickInput.choose(/The script, or the configuration/, 'Small transformer');
  await workbench.quickInput.accept(/What part of the script to capture/);
  await workbench.terminalShows(/from launch\.json/);
  await workbench.notifications.saying(/\d+ steps of /, 150_000);
  await workbench.run('Scopelight: Focus on Runs View');
  const row = workbench.rows('Runs').first();
  await expect.poll(() => row.innerText()).toMatch(/^transformer\.py.*--steps 100 --layers 1 --batch 4/);
  expect(workspace.runs()).toHaveLength(1);
  await workbench.notifications.clear();
});

test('keeps what was captured when it is cancelled, and ends the script', async () => {
  const { workbench, workspace, server } = editor();
  await workbench.open('transformer.py');
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.choose(/The script, or the configuration/, 'transformer.py');
  await workbench.quickInput.answer(/Arguments/, '--steps 100000 --layers 1');
  await workbench.quickInput.choose(/What part of the script to capture/, 'A time in seconds');
  await workbench.quickInput.answer(/Seconds to capture/, '60');
  await workbench.terminalShows(/step +0 +loss \d/);
  const progress = await workbench.notifications.saying(/Profiling transformer\.py: capturing, \d+ of 60 s/, 150_000);
  await progress.press('Cancel');

  await workbench.notifications.saying(/transformer\.py: \d+ steps of /, 150_000);
  await eventually('end of the script', () => capturesOf(server).length === 0 || undefined);
  expect(workspace.runs()).toHaveLength(2);
  await workbench.rows('Runs').filter({ hasText: '--steps 100000' }).filter({ hasText: 'shown' }).waitFor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(45);
  await workbench.editor.annotationOf('layer["up"]');
  await workbench.notifications.clear();
});

test('profiles again without asking', async () => {
  const { workbench, workspace } = editor();
  await workbench.run('Scopelight: Change Arguments and Window…');
  await workbench.quickInput.answer(/Arguments/, '--steps 100 --layers 1 --width 64');
  await workbench.quickInput.choose(/What part of the script to capture/, 'skipping the first 2');
  const offer = await workbench.notifications.saying(/will be profiled with/);
  await offer.press('Profile Now');
  await workbench.notifications.saying(/transformer\.py: \d+ steps of /, 150_000);
  expect(workspace.runs()).toHaveLength(3);
  await workbench.rows('Runs').filter({ hasText: '--width 64' }).filter({ hasText: 'shown' }).waitFor();
});

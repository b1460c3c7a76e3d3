import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { developmentPython, root } from '../development.js';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { useEditor } from '../editor.js';

/** The packages of the environment that is developed with, which has jax and the daemon. */
const packages = execFileSync(developmentPython, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'])
  .toString()
  .trim();

/** Makes an environment of those packages. */
function makeEnvironment(folder: string, isTaken: (name: string) => boolean): string {
  rmSync(folder, { recursive: true, force: true });
  execFileSync(developmentPython, ['-m', 'venv', '--without-pip', folder]);
  const [version = ''] = readdirSync(path.join(folder, 'lib')).filter((name) => name.startsWith('python3'));
  const libraries = path.join(folder, 'lib', version, 'site-packages');
  mkdirSync(libraries, { recursive: true });
  for (const name of readdirSync(packages).filter(isTaken)) {
    symlinkSync(path.join(packages, name), path.join(libraries, name));
  }
  return path.join(folder, 'bin', 'python');
}

const bare = path.join(inject('prepared').temporaryFolder, 'bare');

const editor = useEditor({
  settings: {
    'scopelight.interpreter': path.join(bare, 'bin', 'python'),
    'scopelight.daemon.environment': 'interpreter',
  },
  prepare: (workspace) => {
    makeEnvironment(bare, (name) => !/^jax/.test(name));
    makeEnvironment(workspace.path('.venv'), () => true);
    return undefined;
  },
});

const picture = picturesIn(path.join(root, 'test-results/environments'), () => editor().workbench.page);

test('offers the environment that has jax where the interpreter has none, and goes on with it', async () => {
  const { workbench, workspace } = editor();
  await workbench.open('transformer.py');
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.answer(/Arguments/, '--steps 100 --layers 1 --width 64');
  await workbench.quickInput.accept(/What part of the script to capture/);
  const offer = await workbench.notifications.saying(/bare\/bin\/python has no jax\. What is to run transformer\.py\?/);
  const buttons = await offer.buttons();
  expect(buttons[0]).toMatch(/^\.venv \(jax [\d.]+\)$/);
  expect(buttons.slice(1)).toEqual(['Choose…', 'Open Setting']);
  await picture('offer, dark');
  expect(workspace.runs(), 'nothing was started').toEqual([]);
  await offer.press(buttons[0] ?? '');
  await workbench.notifications.saying(/transformer\.py: \d+ steps of /, 150_000);
  expect(workspace.runs()).toHaveLength(1);
  expect(workspace.read('.vscode/settings.json')).toContain(
    '"scopelight.interpreter": "${workspaceFolder}/.venv/bin/python"',
  );
  await workbench.notifications.clear();
});

test('asks no more, and lists the environments to choose another from', async () => {
  const { workbench, workspace } = editor();
  await workbench.run('Scopelight: Profile Again');
  await workbench.notifications.saying(/transformer\.py: \d+ steps of /, 150_000);
  expect(workspace.runs()).toHaveLength(2);
  await workbench.notifications.clear();
  for (const theme of themes) {
    await workbench.useTheme(theme);
    await workbench.run('Scopelight: Choose Interpreter…');
    await workbench.quickInput.asked(/The environment that runs your scripts/);
    expect((await workbench.quickInput.choices()).join('\n')).toMatch(/\.venv \(jax [\d.]+\)[^]*Browse…/);
    await workbench.quickInput.rows.filter({ hasText: '.venv' }).filter({ hasText: 'in use' }).waitFor();
    await picture(`list, ${theme.name}`);
    await workbench.quickInput.dismiss();
  }
});

test('says that the interpreter of the setting does not start, and leads to it', async () => {
  const { workbench, workspace } = editor();
  workspace.write('.vscode/settings.json', JSON.stringify({ 'scopelight.interpreter': '/no/such/python' }));
  await workbench.run('Scopelight: Profile Again');
  const said = await workbench.notifications.saying(
    /scopelight\.interpreter is \/no\/such\/python, which does not start/,
  );
  // The daemon of these tests runs with it too: whichever of the two asks for it first offers the same.
  expect(await said.buttons()).toEqual(expect.arrayContaining([expect.stringMatching(/^Choose/), 'Open Setting']));
  await picture('does not start');
  await said.press('Open Setting');
  await workbench.activeTab('Settings').waitFor();
});

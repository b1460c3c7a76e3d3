import { expect, test } from 'vitest';
import { useEditor } from './editor.js';
import { Workspace } from './workspace.js';

const editor = useEditor({
  withRun: true,
  prepare: (workspace) => {
    const second = Workspace.ofExamples(`${workspace.folder}-second`);
    workspace.write(
      'both.code-workspace',
      JSON.stringify({
        folders: [
          { path: '.', name: 'first' },
          { path: second.folder, name: 'second' },
        ],
      }),
    );
    return workspace.path('both.code-workspace');
  },
});

test('keeps the runs of each folder in it, and annotates the files of both', async () => {
  const { workbench, workspace } = editor();
  await workbench.open('mlp.py');
  await workbench.showRun('transformer.py');
  await workbench.statusItem(/\/step · \d+ % busy/).waitFor();
  await workbench.open('first/decoder.py');
  await workbench.editor.goTo(45);
  await workbench.editor.annotationOf('layer["up"]');

  await workbench.open('second/mlp.py');
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.answer(/Arguments/, '--steps 100');
  await workbench.quickInput.accept(/What part of the script to capture/);
  await workbench.notifications.saying(/mlp\.py: \d+ steps of /, 150_000);
  expect(workspace.runs()).toHaveLength(1);
  const rows = async () => (await workbench.rows('Runs').allInnerTexts()).map((each) => /^\w+(\.py)?/.exec(each)?.[0]);
  await expect.poll(rows).toEqual(['first', 'transformer.py', 'second', 'mlp.py']);
  await workbench.editor.annotationOf('@');
});

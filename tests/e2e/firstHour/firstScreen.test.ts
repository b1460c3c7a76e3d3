import path from 'node:path';
import { expect, test } from 'vitest';
import { picturesIn } from '../driver/pictures.js';
import { themes } from '../driver/workbench.js';
import { developmentPython, root } from '../development.js';
import { useEditor } from '../editor.js';

// As after the extension was installed: no daemon, no run.
const editor = useEditor({ settings: { 'scopelight.interpreter': developmentPython } });

const picture = picturesIn(path.join(root, 'test-results/first screen'), () => editor().workbench.page);

test('says once what one gets, and has two buttons', async () => {
  const { workbench } = editor();
  await workbench.open('transformer.py');
  await workbench.page.locator('.activitybar').getByRole('tab', { name: 'Scopelight' }).click();
  const screen = workbench.sideBar;
  await screen.getByText(/See after each line of a training script what it costs/).waitFor();
  expect(await screen.getByText(/what it costs/).count()).toBe(1);
  const buttons = screen.locator('.welcome-view-content a.monaco-button');
  expect((await buttons.allInnerTexts()).map((each) => each.trim())).toEqual([
    'Profile a Training Script',
    'Open a Profile',
  ]);
  await screen.getByText(/is installed, after you were asked/).waitFor();
  for (const theme of themes) {
    await workbench.useTheme(theme);
    await picture(theme.name);
  }
});

test('asks for the installation first when the first button is pressed', async () => {
  const { workbench, workspace } = editor();
  await workbench.sideBar.getByRole('button', { name: 'Profile a Training Script' }).click();
  const dialog = workbench.page.locator('.monaco-dialog-box');
  await dialog
    .getByText(/about \d+ MB/)
    .first()
    .waitFor();
  await picture('installation');
  await workbench.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await workbench.quickInput.box.waitFor({ state: 'hidden' });
  expect(workspace.runs()).toEqual([]);
});

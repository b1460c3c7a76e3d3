import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { root } from '../development.js';
import { Panels } from '../driver/panels.js';
import { picturesIn } from '../driver/pictures.js';
import { eventually } from '../driver/processes.js';
import { themes, type Workbench } from '../driver/workbench.js';
import { useEditor } from '../editor.js';

/** The hottest line of the file that was taken away. */
const HOTTEST = 'layer["up"]';
const COPY = 'decoder.py (as recorded)';
const RUN_WITHOUT_COPIES = '.scopelight/20260101-000000-without';

/** Where the project lies here now; nothing leads there from the workspace. */
let elsewhere = '';
/** A folder without the file that is looked for. */
let unrelated = '';

const editor = useEditor({
  withRun: true,
  prepare: (workspace) => {
    elsewhere = path.join(inject('prepared').temporaryFolder, 'checkout');
    unrelated = path.join(inject('prepared').temporaryFolder, 'unrelated');
    for (const folder of [elsewhere, unrelated]) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
    }
    renameSync(workspace.path('decoder.py'), path.join(elsewhere, 'decoder.py'));
    cpSync(inject('prepared').captured, workspace.path(RUN_WITHOUT_COPIES), { recursive: true });
    rmSync(workspace.path(`${RUN_WITHOUT_COPIES}/sources`), { recursive: true });
    // By another name in the list.
    const file = workspace.path(`${RUN_WITHOUT_COPIES}/run.json`);
    const run = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify({ ...run, script: 'without.py' }));
    return undefined;
  },
});

const picture = picturesIn(path.join(root, 'test-results/sources'), () => editor().workbench.page);

function rowOf(page: FrameLocator, file: string): Locator {
  return page
    .getByRole('row')
    .filter({ hasText: new RegExp(`${file}:\\d+`) })
    .first();
}

async function lineOf(row: Locator): Promise<number> {
  const link = row.getByRole('button', { name: /^decoder\.py:\d+$/ });
  return Number(/\d+$/.exec((await link.getAttribute('aria-label')) ?? '')?.[0]);
}

async function showRun(workbench: Workbench, title: string): Promise<void> {
  await workbench.showRun(title);
  await workbench.statusItem(/\/step · \d+ % busy/).waitFor();
}

test("opens the run's own copy where the file is not here, with what its lines cost", async () => {
  const { workbench } = editor();
  await showRun(workbench, 'transformer.py');
  const page = await new Panels(workbench).open('Hot Lines');
  const row = rowOf(page, 'decoder.py');
  const line = await lineOf(row);
  await row.dblclick();
  await workbench.activeTab(COPY).waitFor();
  await workbench.editor.cursorIsOn(line);
  await workbench.editor.annotationOf(HOTTEST, /%/);
  const card = await workbench.editor.hoverCard();
  expect(await card.innerText()).toMatch(/of the step/);
  for (const theme of themes.slice(0, 2).reverse()) {
    await workbench.useTheme(theme);
    await picture(`copy ${theme.name}`);
  }
});

test('does not let the copy be edited, and says why', async () => {
  const { workbench } = editor();
  await workbench.run('View: Focus Active Editor Group');
  await workbench.editor.focused.waitFor();
  await workbench.page.keyboard.type('x');
  await workbench.page.getByText("This is the run's own copy of the file, as it was recorded").first().waitFor();
  await picture('cannot be edited');
  expect(await workbench.isOffered('Scopelight: Profile Training Script')).toBe(true);
});

test('the keyboard leads there too', async () => {
  const { workbench } = editor();
  const page = await new Panels(workbench).open('Hot Lines');
  const panels = new Panels(workbench);
  await panels.tabTo(page.locator('[role="row"]:focus'));
  const focused = page.locator('[role="row"]:focus').filter({ hasText: /decoder\.py:\d+/ });
  await panels.press('Home');
  for (let presses = 0; presses < 20 && (await focused.count()) === 0; presses++) {
    await panels.press('ArrowDown');
  }
  const line = await lineOf(focused);
  await panels.press('Enter');
  await workbench.activeTab(COPY).waitFor();
  await workbench.editor.cursorIsOn(line);
});

test('is restored with the window, and says so where its run is not shown', async () => {
  const { workbench } = editor();
  // A preview gives way to what is opened next.
  await workbench.run('View: Keep Editor');
  await workbench.reload();
  await workbench.activeTab(COPY).waitFor();
  await workbench.editor.annotationOf(HOTTEST, /%/);
  await showRun(workbench, 'without.py');
  await workbench.reload();
  await workbench.activeTab(COPY).waitFor();
  await eventually(
    'sentence in the copy',
    async () =>
      (await workbench.editor.drawnLines()).some(({ text }) => /, which keeps this copy, is not shown/.test(text)) ||
      undefined,
  );
  await picture('run not shown');
  await showRun(workbench, 'transformer.py');
  await workbench.editor.annotationOf('return scale * x', /%/);
});

test('asks for the folder where there is no copy, and opens the line in it', async () => {
  const { workbench, folder } = editor();
  await showRun(workbench, 'without.py');
  const page = await new Panels(workbench).open('Hot Lines');
  const row = rowOf(page, 'decoder.py');
  const line = await lineOf(row);
  await row.dblclick();
  const absent = await workbench.notifications.saying(
    /decoder\.py of the run is not on this machine, and the run keeps no copy of it\./,
  );
  expect(await absent.buttons()).toEqual(['Locate Folder…']);
  await picture('no copy');
  await absent.press('Locate Folder…');
  await workbench.quickInput.openPath(/Locate the Folder of decoder\.py/, unrelated);
  const missing = await workbench.notifications.saying(/unrelated holds no file that decoder\.py of the run must be/);
  await missing.press('Locate Folder…');
  await workbench.quickInput.openPath(/Locate the Folder of decoder\.py/, elsewhere);
  await workbench.activeTab('decoder.py').waitFor();
  expect(await workbench.activeTab(COPY).count()).toBe(0);
  await workbench.editor.cursorIsOn(line);
  await workbench.editor.annotationOf(HOTTEST, /%/);
  await picture('located');
  const settings = ['Machine', 'User'].map((kind) => path.join(folder, 'data', kind, 'settings.json'));
  const written = settings.filter(existsSync).map((file) => readFileSync(file, 'utf8'));
  expect(written.join()).toContain(`"${editor().workspace.folder}": "${elsewhere}"`);
});

test('finds it there ever after, and in other runs', async () => {
  const { workbench } = editor();
  await workbench.run('View: Close All Editors');
  await showRun(workbench, 'transformer.py');
  await workbench.reload();
  await workbench.statusItem(/\/step · \d+ % busy/).waitFor();
  const page = await new Panels(workbench).open('Hot Lines');
  await rowOf(page, 'decoder.py').dblclick();
  await workbench.activeTab('decoder.py').waitFor();
  expect(await workbench.activeTab(COPY).count()).toBe(0);
  await workbench.editor.annotationOf(HOTTEST, /%/);
});

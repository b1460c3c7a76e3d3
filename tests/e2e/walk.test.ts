import { expect, test } from 'vitest';
import { developmentDaemon } from './development.js';
import { Panels } from './driver/panels.js';
import { eventually } from './driver/processes.js';
import { useEditor } from './editor.js';

// So many steps that their progress is drawn, however fast the machine.
const editor = useEditor({ settings: { ...developmentDaemon, 'scopelight.capture.steps': 40 } });

const annotation = /^[▰▱]{5} ≈?\d+(\.\d+)? % {2}\d+(\.\d+)? [nµm]?s\/step$/;
const share = (text: string) => /\d+(\.\d+)? %/.exec(text)?.[0] ?? 'no share';

test('profiles the script from the palette, and tells how far it is', async () => {
  const { workbench } = editor();
  await workbench.open('transformer.py');
  const noted = await workbench.notifications.note();
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.answer(/Arguments/, '--steps 200 --layers 2 --batch 4');
  await workbench.quickInput.accept(/What part of the script to capture/);
  const progress = await workbench.notifications.saying(/transformer\.py/);
  await expect.poll(() => progress.buttons()).toContain('Cancel');
  await workbench.terminalShows(/step +0 +loss \d/);

  const summary = await workbench.notifications.saying(/transformer\.py: \d+ steps of \d/, 150_000);
  expect(await summary.text()).toMatch(
    /^transformer\.py: \d+ steps of [\d.]+ [mµ]?s( on average, median [\d.]+ [mµ]?s)?\. [\d.]+ % of the step (runs|waits for) .+, \w+\.py:\d+\.$/,
  );
  expect(await summary.buttons()).toEqual(['Show']);
  const stages = (await noted()).join('\n');
  for (const stage of [/starting/i, /compiling/i, /step \d+ of 40/i]) {
    expect(stages).toMatch(stage);
  }
});

test('reveals the hottest line', async () => {
  const { workbench } = editor();
  const summary = await workbench.notifications.saying(/\d+ steps of \d/);
  const place = /(\w+\.py):(\d+)/.exec(await summary.text());
  const [file = '', line = ''] = place?.slice(1) ?? [];
  await workbench.activeTab(file).waitFor();
  await workbench.editor.cursorIsOn(Number(line));
  await summary.press('Show');
  await workbench.activeTab(file).waitFor();
  await workbench.editor.cursorIsOn(Number(line));
});

test('annotates the lines of every file that cost device time', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(45);
  expect((await workbench.editor.annotationOf('layer["up"]')).annotation).toMatch(annotation);
  expect((await workbench.editor.annotationOf('query, key, value = ')).annotation).toMatch(annotation);
  await workbench.open('optimizer.py');
  await workbench.editor.goTo(21);
  expect((await workbench.editor.annotationOf('0.999 * s')).annotation).toMatch(annotation);
  await workbench.open('transformer.py');
  await workbench.editor.goTo(27);
  const call = await workbench.editor.annotationOf('value_and_grad(next_token_loss)');
  expect(call.annotation).toMatch(/^[╍·]{5} \d+(\.\d+)? % inclusive$/);
  const unannotated = (await workbench.editor.drawnLines()).filter((each) => /^(import|from) /.test(each.text));
  expect(unannotated.map((each) => each.annotation).join('')).toBe('');
});

test('marks hot lines in the overview ruler, and takes the marks away with the annotations', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(45);
  await workbench.editor.annotationOf('layer["up"]');
  const marked = await workbench.editor.rulerColours();
  await workbench.run('Scopelight: Toggle Annotations');
  await eventually(
    'line without annotation',
    async () => (await workbench.editor.annotated()).length === 0 || undefined,
  );
  const bare = await workbench.editor.rulerColours();
  const marks = [...marked.keys()].filter((colour) => !bare.has(colour));
  expect(marks.length).toBeGreaterThan(0);
  await workbench.run('Scopelight: Toggle Annotations');
  await workbench.editor.annotationOf('layer["up"]');
});

test('shows the card of a line, with the same share', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(48);
  const line = await workbench.editor.annotationOf('layer["up"]');
  const card = await workbench.editor.hoverCard();
  const text = await card.innerText();
  expect(text).toContain(share(line.annotation));
  for (const part of [/of the step: /, /of line/, /forward/, /backward/, /dot_general/, /f32\[/]) {
    expect(text).toMatch(part);
  }
  await workbench.page.keyboard.press('Escape');
});

test('lists the run, and says in the status bar how long a step is', async () => {
  const { workbench, workspace } = editor();
  await workbench.run('Scopelight: Focus on Runs View');
  const row = workbench.rows('Runs').filter({ hasText: 'transformer.py' });
  await row.waitFor();
  await expect.poll(() => row.innerText()).toMatch(/^transformer\.py.*--steps 200 --layers 2 --batch 4.*shown/);
  expect(workspace.runs()).toHaveLength(1);
  await workbench.statusItem(/[\d.]+ [mµ]?s\/step · \d+ % busy/).waitFor();
});

test('goes from Hot Lines to the line', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  const { annotation: drawn } = await workbench.editor.annotationOf('layer["up"]');
  await workbench.open('transformer.py');
  await workbench.run('Scopelight: Focus on Hot Lines View');
  const view = await workbench.webviews.over('sidebar');
  const row = view.getByRole('row').filter({ hasText: 'decoder.py:48' });
  await expect.poll(() => row.innerText()).toContain(share(drawn));
  await row.dblclick();
  await workbench.activeTab('decoder.py').waitFor();
  await workbench.editor.cursorIsOn(48);
});

test('shows Hot Lines in a tab too', async () => {
  const { workbench } = editor();
  const page = await new Panels(workbench).open('Hot Lines');
  await page.getByRole('row').filter({ hasText: 'decoder.py:48' }).waitFor();
});

test('moves annotations with their lines before the file is saved', async () => {
  const { workbench } = editor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(36);
  const before = await workbench.editor.annotationOf('query, key, value = ');
  expect(before.line).toBe(37);
  await workbench.page.keyboard.press('Home');
  await workbench.page.keyboard.type('\n');
  const after = await eventually('line that moved', async () =>
    (await workbench.editor.annotated()).find((each) => each.text.includes('query, key, value = ') && each.line === 38),
  );
  expect(after.annotation).toBe(before.annotation);
});

test('calls a line that was changed stale, and no longer when the change is undone', async () => {
  const { workbench } = editor();
  await workbench.editor.goTo(49);
  const before = await workbench.editor.annotationOf('layer["up"]');
  expect(before.line).toBe(49);
  await workbench.page.keyboard.press('End');
  await workbench.page.keyboard.type(' * 2');
  const stale = await workbench.editor.annotationOf('layer["up"] * 2', /\(edited since\)$/);
  expect(stale.annotation).toContain(share(before.annotation));
  expect(stale.line).toBe(before.line);
  expect(stale.colour).not.toBe(before.colour);
  const text = async () => (await workbench.editor.drawnLines()).find(({ line }) => line === before.line)?.text ?? '';
  // One at a time: the next undo would take back what was changed before.
  for (let changed = await text(); !changed.endsWith('layer["up"]'); changed = await text()) {
    await workbench.page.keyboard.press('Control+Z');
    await expect.poll(text).not.toBe(changed);
  }
  const again = await workbench.editor.annotationOf('layer["up"]', annotation);
  expect(again.annotation).toBe(before.annotation);
  await workbench.run('File: Save');
});

test('shows the same after the window is reloaded', async () => {
  const { workbench } = editor();
  await workbench.editor.goTo(45);
  const before = await workbench.editor.annotationOf('layer["up"]');
  await workbench.run('Scopelight: Open Hot Lines');
  await workbench.activeTab('Hot Lines').waitFor();
  await workbench.reload();
  await workbench.activeTab('Hot Lines').waitFor();
  // Of pages that start together one may be made a second time.
  await eventually(
    'rows of Hot Lines',
    async () => {
      const page = await workbench.webviews.over('editor', 'Hot Lines');
      return (await page.getByRole('row').filter({ hasText: 'decoder.py:' }).count()) > 0 || undefined;
    },
    60_000,
  );
  await workbench.statusItem(/\/step · \d+ % busy/).waitFor();
  await workbench.open('decoder.py');
  // The daemon says what it knows of the run before it has compared the lines of the file.
  await expect.poll(() => workbench.editor.annotationOf('layer["up"]')).toEqual(before);
});

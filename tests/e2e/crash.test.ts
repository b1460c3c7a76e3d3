import { expect, test } from 'vitest';
import { daemonOf } from './daemon.js';
import { useEditor } from './editor.js';

const editor = useEditor({ withRun: true });

const restarted = /Scopelight's daemon stopped and was started again/;

test('shows the run when the daemon is killed while it analyses', async () => {
  const { workbench, server } = editor();
  await workbench.open('decoder.py');
  await workbench.run('Scopelight: Focus on Runs View');
  await workbench.rows('Runs').filter({ hasText: 'transformer.py' }).waitFor();
  const daemon = await daemonOf(server);
  // It receives the request, and cannot have answered it when it dies.
  process.kill(daemon, 'SIGSTOP');
  await workbench.rows('Runs').filter({ hasText: 'transformer.py' }).click();
  await workbench.notifications.saying(/Opening .*transformer/);
  process.kill(daemon, 'SIGKILL');

  const message = await workbench.notifications.saying(restarted);
  expect(await message.buttons()).toEqual(['Show Log']);
  await workbench.editor.goTo(45);
  await workbench.editor.annotationOf('layer["up"]');
  await workbench.statusItem(/\/step · \d+ % busy/).waitFor();
  await workbench.notifications.clear();
});

test('shows the run again when the daemon is killed afterwards', async () => {
  const { workbench, server } = editor();
  const daemon = await daemonOf(server);
  process.kill(daemon, 'SIGKILL');
  await workbench.notifications.saying(restarted);
  expect(await daemonOf(server, daemon)).not.toBe(daemon);
  await workbench.statusItem(/\/step · \d+ % busy/).waitFor();
  // A card is the new daemon's: it must have read the run.
  await workbench.open('decoder.py');
  await workbench.editor.goTo(48);
  expect(await (await workbench.editor.hoverCard()).innerText()).toMatch(/of the (step|whole window)/);
  await workbench.page.keyboard.press('Escape');
  await workbench.notifications.clear();
});

test('keeps a capture when the daemon is killed meanwhile', async () => {
  const { workbench, workspace, server } = editor();
  await workbench.open('transformer.py');
  await workbench.run('Scopelight: Profile Training Script');
  await workbench.quickInput.answer(/Arguments/, '--steps 100 --layers 1 --batch 4');
  await workbench.quickInput.accept(/What part of the script to capture/);
  await workbench.notifications.saying(/Profiling transformer\.py/);
  await workbench.terminalShows(/step +0 +loss \d/);
  process.kill(await daemonOf(server), 'SIGKILL');

  await workbench.notifications.saying(restarted);
  await workbench.notifications.saying(/transformer\.py: \d+ steps of /, 150_000);
  expect(workspace.runs()).toHaveLength(2);
  await workbench.rows('Runs').filter({ hasText: '--layers 1' }).filter({ hasText: 'shown' }).waitFor();
  await workbench.open('decoder.py');
  await workbench.editor.goTo(45);
  await workbench.editor.annotationOf('layer["up"]');
});

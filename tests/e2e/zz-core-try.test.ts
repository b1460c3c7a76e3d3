import { test } from 'vitest';
import { useEditor } from './editor.js';
import { mkdirSync } from 'node:fs';

const which = process.env['TRY'] ?? 'interpreter';
const editor = useEditor(which === 'own' ? { settings: {}, environment: {} } : {});
mkdirSync('/tmp/coretry', { recursive: true });

test('try', async () => {
  const { workbench, server } = editor();
  await workbench.open('transformer.py');
  await workbench.run('Scopelight: Debug Information');
  await workbench.page.waitForTimeout(6000);
  await workbench.page.screenshot({ path: `/tmp/coretry/${which}-1.png` });
  if (which === 'own') {
    await workbench.run('Scopelight: Install Daemon');
    for (let i = 0; i < 12; i++) {
      await workbench.page.waitForTimeout(2500);
      await workbench.page.screenshot({ path: `/tmp/coretry/${which}-2-${i}.png` });
    }
    await workbench.run('Scopelight: Debug Information');
    await workbench.page.waitForTimeout(6000);
    await workbench.page.screenshot({ path: `/tmp/coretry/${which}-3.png` });
  }
  await workbench.run('Scopelight: Show Log');
  await workbench.page.waitForTimeout(2000);
  await workbench.page.screenshot({ path: `/tmp/coretry/${which}-log.png` });
  await editor().keepEvidence(`zz-core-${which}`);
}, 200_000);

/**
 * How soon the timeline of a file shows another place: `npm run --silent bench:timeline-editor -- PROFILE`. A real VS
 * Code opens the file, and a person goes from step to step. Prints one line of JSON: milliseconds from the key until
 * what the daemon answered for the new place is drawn (median and 95th percentile).
 */
import { mkdtempSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { developmentDaemon } from '../../e2e/development.js';
import { launchBrowser, openWorkbench } from '../../e2e/driver/browser.js';
import { startServer } from '../../e2e/driver/server.js';
import { Workbench } from '../../e2e/driver/workbench.js';
import { installEditor, packageExtension } from '../../e2e/packaged.js';
import { inFolder, namedProfile } from '../measuring.js';

const FILE = 'opened.xplane.pb';
const STEPS = 60;
/** Between two keys: a person looks at a step before going on, and what is fetched ahead has come by then. */
const PAUSE_MS = 300;

interface Figures {
  readonly drawn_ms: { readonly median: number; readonly p95: number };
  readonly steps: number;
}

/** From the next press of "]" until the status line tells of another window, drawn in the same frame. */
async function fromKeyUntilDrawn(page: FrameLocator, press: () => Promise<void>): Promise<number> {
  const measured = await page.locator('body').evaluateHandle((body) => {
    const told = (): string => {
      const parts = (body.querySelector('.status-line')?.textContent ?? '').split(' · ');
      // The first part is of what is in sight, whether it is drawn or not.
      return parts.slice(1).join(' · ');
    };
    return {
      took: new Promise<number>((resolve, reject) => {
        const pressed = (): void => {
          window.removeEventListener('keydown', pressed, true);
          const before = told();
          const from = performance.now();
          const look = (): void => {
            const took = performance.now() - from;
            if (told() !== before) {
              resolve(took);
            } else if (took > 10_000) {
              reject(new Error(`After the key the page still says: ${before}`));
            } else {
              requestAnimationFrame(look);
            }
          };
          requestAnimationFrame(look);
        };
        window.addEventListener('keydown', pressed, true);
      }),
    };
  });
  await press();
  return measured.evaluate(({ took }) => took);
}

async function measure(profile: string, folder: string): Promise<Figures> {
  const packaged = packageExtension(installEditor(), folder);
  const { installation } = packaged;
  const browser = await launchBrowser(installation.chrome);
  const server = await startServer({
    installation,
    settings: developmentDaemon,
    dataFolder: path.join(folder, 'data'),
    extensionsFolder: packaged.extensionsFolder,
  });
  try {
    const project = mkdtempSync(path.join(folder, 'project-'));
    symlinkSync(profile, path.join(project, FILE));
    const workbench = new Workbench((await openWorkbench(browser, server, project)).page);
    const press = (key: string) => workbench.page.keyboard.press(key);
    await workbench.openAny(FILE);
    await workbench.activeTab(FILE).waitFor();
    const page = await workbench.webviews.over('editor');
    const status = page.locator('.status-line');
    await status.filter({ hasText: 'read in' }).waitFor({ timeout: 120_000 });
    await status.filter({ hasNotText: /being (worked out|read)/ }).waitFor({ timeout: 120_000 });
    await page.locator('.surface').focus();
    await press('z');
    const times: number[] = [];
    for (let step = 0; step < STEPS; step++) {
      await workbench.page.waitForTimeout(PAUSE_MS);
      times.push(await fromKeyUntilDrawn(page, () => press(']')));
    }
    const sorted = times.sort((one, other) => one - other);
    const at = (ratio: number) => sorted[Math.floor(ratio * (sorted.length - 1))] ?? NaN;
    return { drawn_ms: { median: at(0.5), p95: at(0.95) }, steps: STEPS };
  } finally {
    await browser.close();
    await server.stop();
  }
}

const profile = namedProfile();
await inFolder(async (folder) => {
  console.log(JSON.stringify(await measure(profile, folder)));
});

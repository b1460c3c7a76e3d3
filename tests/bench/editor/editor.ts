/**
 * How quick the extension is in a real VS Code: `npm run --silent bench:editor -- PROFILE`, with a profile of the
 * examples' transformer. Prints one line of JSON: milliseconds from a person's key to what the page has drawn for it.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { developmentDaemon, root } from '../../e2e/development.js';
import { launchBrowser, openWorkbench } from '../../e2e/driver/browser.js';
import { startServer, type Server } from '../../e2e/driver/server.js';
import { Workbench } from '../../e2e/driver/workbench.js';
import { installEditor, packageExtension, type Packaged } from '../../e2e/packaged.js';
import { Workspace } from '../../e2e/workspace.js';
import { inFolder, namedProfile } from '../measuring.js';
import { median } from '../work.js';
import { fromKeyUntilDrawn } from './drawn.js';

const OPENINGS = 5;
const HOVERS = 40;
const WINDOWS = 7;
const BLOCKS = 8;
const KEYS_IN_BLOCK = 25;
const LONG_FILE_LINES = 2000;
/** Pauses between keys, so that what a key causes later falls on later keys, as when a person types. */
const PAUSE_MS = 60;

/** The folder that the profile's sources were in. */
const examples = path.join(root, 'daemon/examples');

interface Figures {
  readonly open_ms: number;
  readonly hover_ms: number;
  readonly hover_without_ms: number;
  readonly key_ms: number;
  readonly key_without_ms: number;
  readonly activation_ms: number;
}

/** Opens the profile as often as wanted, each time by another name, so that no answer is remembered. */
async function measureOpening(workbench: Workbench, profile: string, folder: string): Promise<number> {
  const times: number[] = [];
  for (let each = 0; each <= OPENINGS; each++) {
    const name = path.join(folder, `opening-${each}.xplane.pb`);
    copyFileSync(profile, name);
    await workbench.run('Scopelight: Open Profile…');
    await workbench.quickInput.enterPath(/Open Profile/, name);
    times.push(await fromKeyUntilDrawn(workbench.page, 'Enter', '.view-line span > span', '▰'));
    if (each < OPENINGS) {
      await workbench.run('Scopelight: Clear');
      await workbench.page.waitForFunction(
        () =>
          ![...document.querySelectorAll('.view-line span > span')].some((span) =>
            getComputedStyle(span, '::after').content.includes('▰'),
          ),
      );
    }
  }
  // The first starts the daemon and compiles nothing again after it: the bar is for a warm one.
  return median(times.slice(1));
}

/** A text on whose lines cards can be asked for, each of which says `said`. */
interface Hovered {
  readonly workbench: Workbench;
  readonly lines: readonly number[];
  readonly said: string;
}

/** Asks for cards by turns where the extension makes them and where the editor does. */
async function measureHovers(ours: Hovered, own: Hovered): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (const { workbench, lines } of [ours, own]) {
    // The first is not measured: what makes the cards of a new window may not have started, and then there is none.
    await workbench.editor.goTo(lines[0] ?? 1);
    await workbench.editor.hoverCard();
    await hideHover(workbench);
  }
  for (let each = 0; each < HOVERS; each++) {
    times[0].push(await timeHover(ours, each));
    times[1].push(await timeHover(own, each));
  }
  return [median(times[0]), median(times[1])];
}

async function timeHover({ workbench, lines, said }: Hovered, number: number): Promise<number> {
  await workbench.editor.goTo(lines[number % lines.length] ?? 1);
  await workbench.page.keyboard.press('Control+K');
  await workbench.page.keyboard.down('Control');
  const time = await fromKeyUntilDrawn(workbench.page, 'i', '.monaco-hover:not(.hidden)', said);
  await workbench.page.keyboard.up('Control');
  await hideHover(workbench);
  return time;
}

async function hideHover(workbench: Workbench): Promise<void> {
  await workbench.page.keyboard.press('Escape');
  await workbench.page.locator('.monaco-hover:not(.hidden)').first().waitFor({ state: 'hidden' });
}

/** The editor's own cards, of properties in a style sheet: what any card takes on this machine. */
async function openStyleSheet(browser: Browser, server: Server, folder: string): Promise<Hovered> {
  mkdirSync(folder);
  const rules = Array.from({ length: HOVERS }, () => 'p { color: red; }');
  writeFileSync(path.join(folder, 'page.css'), `${rules.join('\n')}\n`);
  const { page } = await openWorkbench(browser, server, folder);
  const workbench = new Workbench(page);
  await workbench.open('page.css');
  // A card is of what the cursor is on: "Go to Line" puts it at a line's start, where the element is.
  return { workbench, lines: [...rules.keys()].map((each) => each + 1), said: '(0, 0, 1)' };
}

/** Types into a comment; for each key the time until the page has drawn and has nothing more to do for it. */
async function typeKeys(page: Page, keys: number): Promise<number[]> {
  const times: number[] = [];
  for (let each = 0; each < keys; each++) {
    const measured = await page.evaluateHandle(() => ({
      took: new Promise<number>((resolve) => {
        window.addEventListener(
          'keydown',
          () => {
            const pressed = performance.now();
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)));
          },
          { capture: true, once: true },
        );
      }),
    }));
    await page.keyboard.press('x');
    times.push(await measured.evaluate(({ took }) => took));
    await page.waitForTimeout(PAUSE_MS);
  }
  return times;
}

/** The examples with a decoder of 2,000 lines: what was added is defined and not called. */
async function longProject(folder: string): Promise<{ workspace: Workspace; run: string }> {
  const workspace = Workspace.ofExamples(folder);
  const text = workspace.read('decoder.py');
  const missing = LONG_FILE_LINES - text.split('\n').length;
  const padding = Array.from({ length: Math.ceil(missing / 4) }, (_, each) => [
    '',
    '',
    `def unused_${each}(x, scale):`,
    `    return normalized(x, scale) * ${each}  # filler`,
  ]).flat();
  workspace.write('decoder.py', `${text}${padding.join('\n')}\n`);
  return { workspace, run: await workspace.profile('20260102-030405-transformer') };
}

async function openLongFile(browser: Browser, server: Server, workspace: Workspace): Promise<Workbench> {
  const { page } = await openWorkbench(browser, server, workspace.folder);
  const workbench = new Workbench(page);
  await workbench.open('decoder.py');
  return workbench;
}

async function putCursorInComment(workbench: Workbench): Promise<void> {
  await workbench.editor.goTo(45);
  await workbench.page.keyboard.press('Home');
  await workbench.page.keyboard.type('# ');
  await workbench.page.keyboard.press('Enter');
  await workbench.page.keyboard.press('ArrowUp');
  await workbench.page.keyboard.press('End');
}

/** Types by turns with the extension and in the same editor without it. */
async function measureTyping(
  browser: Browser,
  servers: readonly [Server, Server],
  folder: string,
): Promise<[number, number]> {
  const { workspace } = await longProject(path.join(folder, 'long'));
  const [annotated, bare] = [
    await openLongFile(browser, servers[0], workspace),
    await openLongFile(browser, servers[1], workspace),
  ];
  await annotated.run('Scopelight: Focus on Runs View');
  await annotated.rows('Runs').filter({ hasText: 'transformer.py' }).click();
  await annotated.open('decoder.py');
  await annotated.editor.goTo(45);
  await annotated.editor.annotationOf('layer["up"]');
  const times: [number[], number[]] = [[], []];
  for (const workbench of [annotated, bare]) {
    await putCursorInComment(workbench);
    await typeKeys(workbench.page, KEYS_IN_BLOCK);
  }
  for (let block = 0; block < BLOCKS; block++) {
    times[0].push(...(await typeKeys(annotated.page, KEYS_IN_BLOCK)));
    times[1].push(...(await typeKeys(bare.page, KEYS_IN_BLOCK)));
  }
  return [median(times[0]), median(times[1])];
}

/** What the editor itself says of the extension's start, in windows opened one after the other. */
async function measureActivation(browser: Browser, server: Server): Promise<number> {
  const times: number[] = [];
  for (let each = 0; each < WINDOWS; each++) {
    const { page, context } = await openWorkbench(browser, server, examples);
    const workbench = new Workbench(page);
    await workbench.open('decoder.py');
    times.push(await readActivation(workbench));
    await context.close();
  }
  return median(times);
}

async function readActivation(workbench: Workbench): Promise<number> {
  await workbench.run('Developer: Show Running Extensions');
  const row = workbench.page.locator('.runtime-extensions-editor .extension').filter({ hasText: 'Scopelight' });
  const said = await row.locator('.activation-time').innerText();
  const time = /(\d+)\s*ms/.exec(said)?.[1];
  if (time === undefined) {
    throw new Error(`The editor says of the activation: ${said}`);
  }
  return Number(time);
}

async function measure(packaged: Packaged, profile: string, folder: string): Promise<Figures> {
  const { installation } = packaged;
  const browser = await launchBrowser(installation.chrome);
  const servers: Server[] = [];
  try {
    const options = { installation, settings: developmentDaemon };
    const server = await startServer({
      ...options,
      dataFolder: path.join(folder, 'data'),
      extensionsFolder: packaged.extensionsFolder,
    });
    servers.push(server);
    const without = await startServer({
      ...options,
      dataFolder: path.join(folder, 'data-without'),
      extensionsFolder: path.join(folder, 'no-extensions'),
    });
    servers.push(without);

    const activation_ms = await measureActivation(browser, server);
    console.error({ activation_ms });
    const { page, context } = await openWorkbench(browser, server, examples);
    const workbench = new Workbench(page);
    await workbench.open('decoder.py');
    await workbench.editor.goTo(45);
    const open_ms = await measureOpening(workbench, profile, folder);
    console.error({ open_ms });
    const lines = (await workbench.editor.annotated()).map((each) => each.line);
    const style = await openStyleSheet(browser, without, path.join(folder, 'style'));
    const [hover_ms, hover_without_ms] = await measureHovers({ workbench, lines, said: 'of the step' }, style);
    await Promise.all([context.close(), style.workbench.page.context().close()]);
    console.error({ hover_ms, hover_without_ms });
    const [key_ms, key_without_ms] = await measureTyping(browser, [server, without], folder);
    return { open_ms, hover_ms, hover_without_ms, key_ms, key_without_ms, activation_ms };
  } finally {
    await browser.close();
    await Promise.all(servers.map((each) => each.stop()));
  }
}

const profile = namedProfile();
await inFolder(async (folder) => {
  const packaged = packageExtension(installEditor(), folder);
  console.log(JSON.stringify(await measure(packaged, profile, folder)));
});

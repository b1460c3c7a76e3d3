import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { panelIds } from '../../../extension/src/panels/panelList';
import { developmentPython, root } from '../development.js';
import { faultsOf } from '../driver/accessibility.js';
import { launchBrowser, wide } from '../driver/browser.js';
import { looksAreTaken } from '../driver/pictures.js';

// A report of an example in a browser without a network, from a file.
const EXAMPLES = path.join(root, 'daemon/examples');
const PICTURES = path.join(root, 'test-results/report');
const PLACES = [...panelIds, 'source'];
const THEMES = ['light', 'dark', 'contrast'];
const MOST_BYTES = 3_000_000;
const phone = { width: 390, height: 780 };
/** Its device has nothing to do for most of each step. */
const PAUSES = `import time

import jax
import jax.numpy as jnp

step = jax.jit(lambda x: jnp.tanh(x @ x) / 2)
x = jnp.ones((64, 64))
for _ in range(150):
    x = jax.block_until_ready(step(x))
    time.sleep(0.01)
`;

let browser: Browser;
let context: BrowserContext;
let page: Page;
let folder: string;
const problems: string[] = [];

function scopelight(...args: readonly string[]): void {
  const env = { ...process.env, JAX_PLATFORMS: 'cpu' };
  execFileSync(developmentPython, ['-m', 'scopelight.cli.main', ...args], { cwd: folder, env, stdio: 'ignore' });
}

function fileOf(example: string, kind = ''): string {
  return path.join(folder, `${example}${kind}.html`);
}

/** What went wrong since: checks and pictures do to the page what its policy forbids it to do itself. */
async function go(example: string, place: string, kind = ''): Promise<void> {
  await page.goto('about:blank');
  problems.length = 0;
  await page.goto(`${pathToFileURL(fileOf(example, kind)).href}#${place}`);
  await page.locator('.report-page main').first().waitFor();
  await page.locator('.report-page [aria-busy=true]').waitFor({ state: 'detached' });
}

beforeAll(async () => {
  const { packaged, temporaryFolder } = inject('prepared');
  folder = mkdtempSync(path.join(temporaryFolder, 'report-'));
  mkdirSync(PICTURES, { recursive: true });
  for (const file of ['mlp.py', 'transformer.py', 'decoder.py', 'optimizer.py']) {
    copyFileSync(path.join(EXAMPLES, file), path.join(folder, file));
  }
  writeFileSync(path.join(folder, 'pauses.py'), PAUSES);
  const steps = ['--steps', '60'];
  for (const [example, options] of [
    ['mlp', steps],
    ['transformer', steps],
    ['pauses', []],
  ] as const) {
    scopelight('run', '--no-calibration', '--out', `run-${example}`, `${example}.py`, ...options);
    scopelight('report', `run-${example}`, '--out', fileOf(example));
  }
  scopelight('report', 'run-transformer', '--no-source', '--out', fileOf('transformer', '-bare'));
  browser = await launchBrowser(packaged.installation.chrome);
  context = await browser.newContext({ viewport: wide, offline: true, colorScheme: 'dark', reducedMotion: 'reduce' });
  page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      problems.push(message.text());
    }
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!/^(file|blob|data|about):/.test(request.url())) {
      problems.push(`It asked the network for ${request.url()}.`);
    }
  });
}, 300_000);

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['mlp', 'transformer'])('of %s is small enough to be sent', (example) => {
  expect(statSync(fileOf(example)).size).toBeLessThan(MOST_BYTES);
});

describe.each(PLACES)('the page %s', (place) => {
  test('shows what the run has of it, and is accessible', async () => {
    await go('transformer', place);
    // No page of it is without an answer.
    expect(await page.getByText('This report does not hold that').count()).toBe(0);
    expect(problems).toEqual([]);
    // Pages share their colours: each theme is looked at on some, and on all where looks are what is tested.
    const seen = THEMES.filter((_, index) => looksAreTaken || index === PLACES.indexOf(place) % THEMES.length);
    for (const colours of seen) {
      await page.getByRole('combobox', { name: 'Theme' }).selectOption(colours);
      expect(await faultsOf(page), colours).toEqual([]);
    }
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark');
    await page.screenshot({ path: path.join(PICTURES, `${place}.png`) });
  });

  test('fits on a phone', async () => {
    await page.setViewportSize(phone);
    try {
      await go('transformer', place);
      await page.getByRole('combobox', { name: 'Page' }).waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(phone.width);
      await page.screenshot({ path: path.join(PICTURES, `${place}-phone.png`) });
      expect(problems).toEqual([]);
    } finally {
      await page.setViewportSize(wide);
    }
  });
});

test('leads from a line to its source, and back to its row', async () => {
  await go('transformer', 'overview');
  const text = readFileSync(path.join(EXAMPLES, 'decoder.py'), 'utf8').split('\n');
  const link = page.locator('.report-page .link.place').filter({ hasText: 'decoder.py' }).first();
  const line = Number((await link.innerText()).split(':').at(-1));
  await link.click();
  const row = page.locator('.source-text tr.wanted');
  await expect.poll(() => row.locator('code').innerText()).toBe(text[line - 1]);
  await row.getByRole('button').press('Enter');
  await expect.poll(() => page.url()).toContain('#hotLines');
  await page
    .getByRole('row', { selected: true })
    .filter({ hasText: String(line) })
    .waitFor();
});

test('leads on by the keyboard alone, from page to page and from step to timeline', async () => {
  await go('transformer', 'overview');
  await page.getByRole('link', { name: 'Step Trace' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain('#stepTrace');
  await page.locator('.step-chart .uplot').waitFor();
  await page.getByRole('application').first().focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain('#timeline');
  await page.getByRole('button', { name: /Step 1 of/ }).waitFor();
});

test('has the timeline with every event by name, as picture and as table', async () => {
  await go('transformer', 'timeline');
  await page
    .locator('.status-line')
    .filter({ hasText: /events in/ })
    .waitFor();
  await page.getByRole('textbox', { name: 'Search events' }).fill('jit_train_step');
  await page
    .getByText(/^\d+ of \d+|\d+ hits|1\//)
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('complementary').getByText('jit_train_step').first().waitFor();
});

test('leads from one gap of the timeline to the next', async () => {
  await go('pauses', 'timeline');
  const card = page.getByRole('complementary');
  const start = card.getByText('start', { exact: true }).locator('xpath=following-sibling::*').first();
  const starts: string[] = [];
  while (starts.length < 2) {
    await page.getByRole('button', { name: 'Next Gap' }).click();
    await card.getByText(/^idle/).first().waitFor();
    await expect.poll(() => start.innerText()).not.toBe(starts.at(-1));
    starts.push(await start.innerText());
  }
});

test('looks at another part of the run, and at other choices', async () => {
  await go('transformer', 'hotLines');
  await page.getByLabel('Looked at').selectOption('window');
  await page
    .getByText(/whole window/)
    .first()
    .waitFor();
  await page.goto(page.url().replace('#hotLines', '#opProfile'));
  await page.getByRole('treegrid').waitFor();
  expect(problems).toEqual([]);
});

test('leaves the source out where that was asked for', async () => {
  await go('transformer', 'source', '-bare');
  await page.getByText('The source was left out of this report.').waitFor();
  await go('transformer', 'hotLines', '-bare');
  await page.getByRole('row').nth(3).waitFor();
  const words = 'hidden @ layer["down"]';
  expect(readFileSync(path.join(EXAMPLES, 'decoder.py'), 'utf8')).toContain(words);
  expect(await page.content()).not.toContain(words);
});

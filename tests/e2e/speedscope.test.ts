import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { developmentPython, root } from './development.js';
import { emulated } from './driver/builtPage.js';

// What Scopelight exports for speedscope, read by speedscope itself and saved by it again.

interface Frame {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
}

interface Saved {
  readonly shared: { readonly frames: readonly Frame[] };
  readonly profiles: readonly {
    readonly unit: string;
    readonly endValue: number;
    readonly events: readonly { readonly type: 'O' | 'C'; readonly at: number; readonly frame: number }[];
  }[];
}

interface FlameRow {
  readonly key: string;
  readonly parent: string | null;
  readonly kind: string;
  readonly function: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly self_ps: number;
}

const PS_PER_NS = 1000;
let browser: Browser;

beforeAll(async () => {
  const { packaged } = inject('prepared');
  browser = await chromium.launch({
    executablePath: packaged.installation.chrome,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--allow-file-access-from-files', ...emulated],
  });
});

afterAll(() => browser.close());

function scopelight(...commandLine: readonly string[]): string {
  return execFileSync(developmentPython, ['-m', 'scopelight.cli.main', ...commandLine], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
}

/** Opens a file in speedscope, and says what it saves. */
async function throughSpeedscope(file: string, folder: string): Promise<Saved> {
  const page = await browser.newPage();
  const release = path.join(root, 'node_modules/speedscope/dist/release');
  // The way of its own command line: a script that calls what the page offers, here none.
  const nothing = path.join(release, 'release.txt');
  await page.goto(`${pathToFileURL(path.join(release, 'index.html')).href}#localProfilePath=${nothing}`);
  await page.waitForFunction('window.speedscope !== undefined');
  const data = readFileSync(file).toString('base64');
  await page.evaluate(`window.speedscope.loadFileFromBase64("flame.json", ${JSON.stringify(data)})`);
  await page.getByText('Left Heavy').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
  const saved = path.join(folder, 'saved.json');
  await download.saveAs(saved);
  await page.close();
  return JSON.parse(readFileSync(saved, 'utf8')) as Saved;
}

/** Self times in ps by the stack that has them, of what speedscope saved. */
function selfTimes({ shared, profiles }: Saved): Record<string, number> {
  const times: Record<string, number> = {};
  const names = shared.frames.map(({ name, file, line }) => `${name} ${file ?? ''}:${String(line ?? '')}`);
  const stack: string[] = [];
  let before = 0;
  for (const { type, at, frame } of profiles[0]?.events ?? []) {
    if (at > before && stack.length > 0) {
      times[stack.join(';')] = (times[stack.join(';')] ?? 0) + at - before;
    }
    before = at;
    if (type === 'O') {
      stack.push(names[frame] ?? '');
    } else {
      stack.pop();
    }
  }
  return Object.fromEntries(Object.entries(times).map(([key, time]) => [key, Math.round(time * PS_PER_NS)]));
}

/** The same of a record. */
function selfTimesOf(rows: readonly FlameRow[]): Record<string, number> {
  const times: Record<string, number> = {};
  const stacks = new Map<string | null, string>([[null, '']]);
  for (const { key, parent, kind, file, line, self_ps, function: name } of rows) {
    const shown = kind === 'frame' ? `${name} ${file ?? ''}:${String(line ?? '')}` : '(without source) :';
    const above = stacks.get(parent) ?? '';
    const stack = above === '' ? shown : `${above};${shown}`;
    stacks.set(key, stack);
    if (self_ps > 0) {
      times[stack] = (times[stack] ?? 0) + self_ps;
    }
  }
  return times;
}

const recorded = path.join(root, '../shared/data');

test.for([
  ['captured', null],
  ['an MI300X', 'mi300x-elementwise/tw003.xplane.pb'],
  ['a TPU v6e, whose times are of minutes', 'tpu-v6e-host-offload/tpu_inference_2.xplane.pb'],
] as const)('a profile %s comes back to the picosecond', async ([, name], context) => {
  const { captured, temporaryFolder } = inject('prepared');
  const profile = name === null ? captured : path.join(recorded, name);
  context.skip(name !== null && !existsSync(profile), `${profile} is absent`);
  const file = path.join(temporaryFolder, 'flame.speedscope.json');
  scopelight('export', profile, '--format', 'speedscope', '--out', file);
  const record = JSON.parse(scopelight('show', 'flame', profile, '--json')) as {
    readonly op_time_ps: number;
    readonly rows: readonly FlameRow[];
  };
  const saved = await throughSpeedscope(file, temporaryFolder);
  expect(saved.profiles).toHaveLength(1);
  expect(saved.profiles[0]?.unit).toBe('nanoseconds');
  expect(Math.round((saved.profiles[0]?.endValue ?? 0) * PS_PER_NS)).toBe(record.op_time_ps);
  expect(selfTimes(saved)).toEqual(selfTimesOf(record.rows));
});

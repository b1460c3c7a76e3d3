// How a run of tests ends: what counts as failed, and what is said of a test that passed at its second try.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'scopelight-tests-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a file of tests as those of a real editor are run. */
function run(text: string) {
  writeFileSync(path.join(folder, 'some.test.mjs'), text);
  const { status, stdout, stderr } = spawnSync(
    path.join(root, 'node_modules/.bin/vitest'),
    [
      'run',
      '--root',
      folder,
      '--globals',
      '--retry=1',
      '--reporter=default',
      '--reporter',
      `${root}tests/secondTries.ts`,
    ],
    { cwd: root, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', VITEST: undefined } },
  );
  return { status, printed: stdout + stderr };
}

const PASSES = "test('passes', () => undefined);";

test('what passes at its second try only is printed with its name and what failed at first', () => {
  const { status, printed } = run(`
    let tries = 0;
    describe('a window', () => {
      test('swallows a key', () => {
        tries += 1;
        if (tries === 1) throw new Error('no letter arrived');
      });
    });
    ${PASSES}
  `);
  expect(status).toBe(0);
  const [, said = ''] = printed.split('Passed at the second try only');
  expect(said).toContain('some.test.mjs > a window > swallows a key');
  expect(said).toContain('at first: no letter arrived');
  expect(said).not.toContain('> passes');
});

test('nothing is said where everything passed at once', () => {
  const { status, printed } = run(PASSES);
  expect(status).toBe(0);
  expect(printed).not.toContain('second try');
});

test('a test that fails twice fails', () => {
  const { status, printed } = run("test('fails', () => { throw new Error('no'); });");
  expect(status).toBe(1);
  expect(printed).not.toContain('second try');
});

test('a run in which no file failed and something else did fails', () => {
  const { status, printed } = run(`
    test('leaves something behind', () => void Promise.reject(new Error('nobody waits for this')));
  `);
  expect(printed).toContain('1 passed');
  expect(status).toBe(1);
});

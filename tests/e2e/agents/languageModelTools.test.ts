// The tools of language models in a real VS Code: another extension lists and calls them, as a chat does.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tools } from '../../../extension/src/agents/toolList.js';
import { eventually } from '../driver/processes.js';
import { useEditor } from '../editor.js';

/** What the other extension found. */
interface Found {
  readonly version: string;
  readonly listed: readonly { name: string; description: string; inputSchema: { properties: object } }[];
  readonly answers: Readonly<Record<string, string>>;
  readonly error: string | null;
}

const ASKER = `
const { writeFileSync } = require('node:fs');
const vscode = require('vscode');
exports.activate = async () => {
  const answers = {};
  let error = null;
  const listed = () => vscode.lm.tools.filter(({ name }) => name.startsWith('scopelight_'));
  try {
    while (listed().length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    const ask = async (name, input) => {
      const result = await vscode.lm.invokeTool('scopelight_' + name, { input, toolInvocationToken: undefined });
      return result.content.map(({ value }) => value).join('');
    };
    answers.list_runs = await ask('list_runs', {});
    answers.summary = await ask('summary', {});
    answers.hot_lines = await ask('hot_lines', { limit: 3 });
    answers.unknown = await ask('line_detail', { line: 'transformer.py:1', show: true });
    answers.shown = await ask('hot_lines', { limit: 3, show: true });
  } catch (thrown) {
    error = String(thrown && thrown.stack);
  }
  writeFileSync(
    process.env.SCOPELIGHT_TEST_FOUND,
    JSON.stringify({
      version: vscode.version,
      listed: listed().map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      answers,
      error,
    }),
  );
};
`;

const found = path.join(process.cwd(), 'test-results', 'agents', `found-${process.pid}.json`);
mkdirSync(path.dirname(found), { recursive: true });

/** An extension that asks, in place of a language model, of which there is none here. */
function installAsker(folder: string): void {
  const extension = path.join(folder, 'test.asker-1.0.0');
  mkdirSync(extension);
  const manifest = {
    name: 'asker',
    publisher: 'test',
    version: '1.0.0',
    engines: { vscode: '^1.100.0' },
    main: './main.js',
    activationEvents: ['onStartupFinished'],
  };
  writeFileSync(path.join(extension, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(extension, 'main.js'), ASKER);
}

const editor = useEditor({
  withRun: true,
  environment: { SCOPELIGHT_TEST_FOUND: found },
  addExtensions: installAsker,
});

async function answered(): Promise<Found> {
  await eventually('answer to the other extension', () => existsSync(found) || undefined, 120_000);
  return JSON.parse(readFileSync(found, 'utf8')) as Found;
}

/** What the hosts of extensions logged as an error that names this extension or its tools. */
function errorsLogged(): string[] {
  const logs = path.join(editor().folder, 'data/logs');
  return readdirSync(logs, { recursive: true, encoding: 'utf8' })
    .filter((each) => each.endsWith('.log'))
    .flatMap((each) => readFileSync(path.join(logs, each), 'utf8').split('\n'))
    .filter((line) => line.includes('[error]') && /scopelight/i.test(line));
}

describe('tools of language models', () => {
  test('are registered in VS Code 1.100, each of the list', async () => {
    const { version, listed, error } = await answered();
    expect(error).toBeNull();
    expect(version).toMatch(/^1\.100\./);
    expect(listed.map(({ name }) => name).sort()).toEqual(Object.keys(tools).sort());
    expect(listed.every(({ description }) => description.length > 40)).toBe(true);
  });

  test('answer with lines of the run, and a call that makes sense', async () => {
    const { answers } = await answered();
    expect(answers.list_runs).toMatch(/^1 run in /);
    expect(answers.summary).toContain('decoder.py:');
    expect(answers.hot_lines).toMatch(/decoder\.py:\d+ {2}\S+ % of the step/);
    expect(answers.unknown).toContain('the lines with most time are');
    for (const text of Object.values(answers)) {
      expect(text.length).toBeLessThanOrEqual(4000);
      expect(text.split('\n').at(-1)).toMatch(/^next: \w+\(/);
    }
  });

  test('open the panel that shows the person the same', async () => {
    await answered();
    await editor().workbench.page.locator('.tabs-container .tab', { hasText: 'Hot Lines' }).waitFor();
  });

  test('log no error', async () => {
    await answered();
    expect(errorsLogged()).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import { DUCKDB, installQueries } from '../../../extension/src/daemon/installQueries';
import type { ProcessRunner } from '../../../extension/src/daemon/process';
import type * as vscode from 'vscode';
import { fake, resetFake, silentLog } from '../vscode';

const log = (): vscode.LogOutputChannel => silentLog() as unknown as vscode.LogOutputChannel;

beforeEach(resetFake);

const ready = { locate: () => Promise.resolve({ state: 'ready', kind: 'own', python: '/own/bin/python' } as const) };

test('the version of DuckDB that is installed is the one that is tested', () => {
  const constraints = readFileSync(new URL('../../../constraints.txt', import.meta.url), 'utf8').split('\n');
  expect(constraints).toContain(DUCKDB);
});

test('it goes where the daemon runs, once it was said what that takes, and agreed to', async () => {
  const commands: string[] = [];
  const run: ProcessRunner = (command, args) => {
    commands.push([command, ...args].join(' '));
    return Promise.resolve({ code: 0, stdout: '', stderr: '' });
  };
  const installing = installQueries(ready, run, log());
  await vi.waitFor(() => expect(fake.messages).toHaveLength(1));
  expect(JSON.stringify(fake.messages[0]?.options)).toMatch(/70 MB.*nothing in your own environments changes/u);
  expect(commands).toEqual([]);
  fake.messages[0]?.press('Install');
  expect(await installing).toBe(true);
  expect(commands).toHaveLength(1);
  expect(commands[0]).toMatch(/^\/own\/bin\/python -m pip install .*duckdb==/u);
});

test('what is not agreed to is not done, and without a daemon that comes first', async () => {
  const run = vi.fn();
  const declined = installQueries(ready, run, log());
  await vi.waitFor(() => expect(fake.messages).toHaveLength(1));
  fake.messages[0]?.press(undefined);
  expect(await declined).toBe(false);
  const asked = vi.fn();
  fake.commands.set('scopelight.installDaemon', asked);
  const nowhere = { state: 'missing', kind: 'own', sentence: '', canInstall: true, agreed: false } as const;
  expect(await installQueries({ locate: () => Promise.resolve(nowhere) }, run, log())).toBe(false);
  expect(asked).toHaveBeenCalledOnce();
  expect(run).not.toHaveBeenCalled();
});

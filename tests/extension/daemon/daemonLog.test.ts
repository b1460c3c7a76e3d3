import { expect, test } from 'vitest';
import { daemonLogWriter } from '../../../extension/src/daemon/daemonLog';
import { silentLog } from '../vscode';

function written(...lines: string[]): readonly (readonly [string, string])[] {
  const log = silentLog();
  const all: (readonly [string, string])[] = [];
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    log[level].mockImplementation((line: string) => all.push([level, line]));
  }
  lines.forEach(daemonLogWriter(log));
  return all;
}

const at = (level: string, message: string) => `2026-11-22 20:27:54,123 ${level} scopelight.server: ${message}`;

test('lines are logged at the level that they name', () => {
  const lines = [at('DEBUG', 'a'), at('INFO', 'b'), at('WARNING', 'c'), at('ERROR', 'd'), at('CRITICAL', 'e')];
  expect(written(...lines).map(([level]) => level)).toEqual(['debug', 'info', 'warn', 'error', 'error']);
});

test('a traceback is an error as a whole, below a message and by itself', () => {
  const traceback = ['Traceback (most recent call last):', '  File "a.py", line 3, in f', 'ValueError: no such device'];
  expect(
    written(at('ERROR', 'the request failed'), ...traceback, at('INFO', 'goes on')).map(([level]) => level),
  ).toEqual(['error', 'error', 'error', 'error', 'info']);
  expect(written(at('INFO', 'reads'), ...traceback).map(([level]) => level)).toEqual([
    'info',
    'error',
    'error',
    'error',
  ]);
});

test('a word in a message is no level', () => {
  expect(written(at('INFO', 'there was no ERROR'))).toEqual([['info', at('INFO', 'there was no ERROR')]]);
  expect(written('usage: python -m scopelight')).toEqual([['info', 'usage: python -m scopelight']]);
});

import { expect, test } from 'vitest';
import { chooseBasePython } from '../../../extension/src/daemon/basePython';
import type { ProcessRunner } from '../../../extension/src/daemon/process';

const SUITS = { code: 0, stdout: JSON.stringify({ python: [3, 12], has_venv: true }), stderr: '' };

test('a Python that does not answer holds none of the others up', async () => {
  const asked: string[] = [];
  let tellLast = (): void => undefined;
  const last = new Promise<void>((resolve) => (tellLast = resolve));
  const run: ProcessRunner = async (python, _, { limit_ms } = {}) => {
    asked.push(python);
    expect(limit_ms, 'it is given a time to answer in').toBeGreaterThan(0);
    if (python === '/first') throw new Error('it does not start');
    if (python === '/hangs') {
      // It is ended when its time is over, and the last has been asked long before.
      await last;
      throw new Error('it has not ended in its time');
    }
    tellLast();
    return SUITS;
  };
  expect(await chooseBasePython(['/first', '/hangs', '/suits'], run)).toBe('/suits');
  expect(asked).toEqual(['/first', '/hangs', '/suits']);
});

test('where the first does, no other is started', async () => {
  const asked: string[] = [];
  const run: ProcessRunner = (python) => Promise.resolve((asked.push(python), SUITS));
  expect(await chooseBasePython(['/first', '/other'], run)).toBe('/first');
  expect(asked).toEqual(['/first']);
});

import { expect, test } from 'vitest';
import { parseSweep } from '../../../extension/src/preflight/sweep';

test.each([
  ['--batch-size 64,128,256', '--batch-size', ['64', '128', '256']],
  ['--batch-size=64,128', '--batch-size', ['64', '128']],
  ['  batch_size   64 , 128 ', 'batch_size', ['64', '128']],
  ['-b 1,2', '-b', ['1', '2']],
  ['--model.layers = 2,-4', '--model.layers', ['2', '-4']],
  ['--name a b,c', '--name', ['a b', 'c']],
  ['--x 1,1,2,', '--x', ['1', '2']],
])('%s', (text, name, values) => {
  expect(parseSweep(text)).toEqual({ name, values });
});

test.each(['', '--batch-size', '--batch-size 64', '--batch-size 64,', '--batch-size 64,64', '64,128', '-- 1,2'])(
  'is nothing to compare: %s',
  (text) => {
    expect(parseSweep(text)).toBeUndefined();
  },
);

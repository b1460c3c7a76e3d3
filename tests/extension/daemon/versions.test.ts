import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PYTHON_NAMES } from '../../../extension/src/daemon/basePython';
import { HIGHEST_MINOR, LOWEST_MINOR, suits } from '../../../extension/src/daemon/probe';
import { bundledWheel } from '../../../extension/src/daemon/bundledWheel';
import manifest from '../../../package.json';

const project = readFileSync('pyproject.toml', 'utf8');

test('the wheel that is built is the one that the extension looks for', () => {
  const version = /^version = "(.*)"$/m.exec(project)?.[1] ?? '';
  expect(version).toBe(manifest.version);
  const { wheel } = bundledWheel('.', manifest.version);
  expect(path.basename(wheel)).toBe(`scopelight-${version}-py3-none-any.whl`);
});

test('the Pythons that the daemon is installed for are those that the project allows', () => {
  expect(/^requires-python = ">=3\.(\d+)"$/m.exec(project)?.[1]).toBe(String(LOWEST_MINOR));
  expect(PYTHON_NAMES[0]).toBe(`python3.${HIGHEST_MINOR}`);
  expect([LOWEST_MINOR - 1, LOWEST_MINOR, HIGHEST_MINOR, HIGHEST_MINOR + 1].map((minor) => suits([3, minor]))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

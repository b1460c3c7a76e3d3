import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PYTHON_NAMES } from '../../../extension/src/daemon/basePython';
import { HIGHEST_MINOR, LOWEST_MINOR, suits } from '../../../extension/src/daemon/probe';
import { bundledWheels } from '../../../extension/src/daemon/bundledWheels';
import manifest from '../../../package.json';

const project = readFileSync('pyproject.toml', 'utf8');

test('the wheels that are built are those that the extension looks for', () => {
  const version = /^version = "(.*)"$/m.exec(project)?.[1] ?? '';
  expect(version).toBe(manifest.version);
  expect(readFileSync('daemon/agent/pyproject.toml', 'utf8')).toContain(`version = "${version}"`);
  expect(project).toContain(`"scopelight-agent==${version}"`);
  const { wheels } = bundledWheels('.', manifest.version);
  expect(wheels.map((wheel) => path.basename(wheel))).toEqual([
    `scopelight-${version}-py3-none-any.whl`,
    `scopelight_agent-${version}-py3-none-any.whl`,
  ]);
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

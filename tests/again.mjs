// node tests/again.mjs PROJECT [FILE...]
//
// Runs the tests of a project of vitest's, and once more, from nothing, each file of tests in which something failed: what
// a busy machine did to one window it does not do to two. Both tries are printed.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [project, ...asked] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'scopelight-tests-'));
const report = join(folder, 'report.json');

function run(files) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', project, ...reporters, ...files], {
    stdio: 'inherit',
  });
  return status ?? 1;
}

let status = run(asked);
if (status !== 0) {
  // Without a report the preparations failed, and no file was run.
  const files = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : null;
  const failed = files?.filter((file) => file.status !== 'passed').map((file) => file.name) ?? asked;
  console.log(`Once more: ${failed.join(' ')}`);
  status = run(failed);
}
rmSync(folder, { recursive: true });
process.exitCode = status;

// The tests of a real editor may be tried once more, for a busy window swallows a key now and then. That is said, by name.

import path from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

function told(test: TestCase): string {
  const { errors = [] } = test.result();
  const at = path.relative(process.cwd(), test.module.moduleId);
  return [`${at} > ${test.fullName}`, ...errors.map(({ message }) => `    at first: ${message}`)].join('\n');
}

/** Prints, after the last test, those that passed at their second try only, with what failed at the first. */
export default class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests('passed')]);
    const tried = tests.filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0);
    if (tried.length > 0) {
      console.log(`\nPassed at the second try only, which is a fault to be mended:\n${tried.map(told).join('\n')}`);
    }
  }
}

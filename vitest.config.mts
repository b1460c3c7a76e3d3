import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // Panels' pages are written with Preact.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    reporters: ['default', here('tests/secondTries.ts')],
    projects: [
      {
        extends: true,
        resolve: { alias: { vscode: here('tests/extension/vscode.ts') } },
        test: {
          name: 'unit',
          include: ['tests/extension/**/*.test.{ts,tsx}'],
          // A table of 30,000 rows is made of thousands of elements, which a document without a browser is slow at.
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/e2e/packaged.ts'],
          // A real editor: what is slow is slow, and two at once are slower than one after the other.
          fileParallelism: false,
          expect: { poll: { timeout: 60_000, interval: 50 } },
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // A busy window swallows a key now and then, which no wait can see. What passes only then is printed by name.
          retry: 1,
        },
      },
    ],
  },
});

import { cpSync } from 'node:fs';
import path from 'node:path';
import { root } from '../development.js';
import type { Workspace } from '../workspace.js';

/** Copies a small GPT into the workspace, as the package `gpt`. */
export function addGpt(workspace: Workspace): void {
  const isSource = (file: string): boolean => !file.includes('__pycache__');
  cpSync(path.join(root, 'tests/e2e/firstHour/scripts/gpt'), workspace.path('gpt'), {
    recursive: true,
    filter: isSource,
  });
}

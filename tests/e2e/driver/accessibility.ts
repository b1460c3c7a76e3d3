// What the rules of the Web Content Accessibility Guidelines find wrong with a page.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { root } from '../development.js';

const rules = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** A sentence for each element that breaks a rule. A `part` has no heading of its own: what it is in has one. */
export async function faultsOf(page: Page, part = false): Promise<readonly string[]> {
  await page.evaluate(rules);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run: (options: unknown) => Promise<AxeResults> } }).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
    }),
  );
  const meant = violations.filter(({ id }) => !(part && id === 'page-has-heading-one'));
  return meant.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}

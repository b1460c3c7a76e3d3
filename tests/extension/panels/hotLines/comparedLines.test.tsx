// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { FakeHost, click, giveElementsSize } from '../shared/fakePage';
import { aComparedRow, someSides } from '../shared/madeChanges';
import { MS } from '../shared/madeOps';
import { aView } from './madeLines';
import { openHotLines } from './openHotLines';

beforeEach(() => giveElementsSize(1600, 900));

async function open() {
  const host = new FakeHost();
  const view = aView();
  const opened = await openHotLines(view, host);
  await host.facts({ comparison: someSides, comparisonGeneration: 1 });
  expect(host.details).toMatchObject({ details: 'compared', params: { by: 'line' } });
  const rows = view.record.lines.map((line, at) =>
    aComparedRow({
      key: line.key,
      kind: 'line',
      before_key: line.key,
      after_key: line.key,
      before_ps: (10 + at) * MS,
      after_ps: 12 * MS,
      verdict: at === 0 ? 'worse' : 'cannot-tell',
    }),
  );
  const gone = aComparedRow({
    key: 'was',
    kind: 'line',
    label: 'old',
    before_path: 'gone.py',
    before_line: 3,
    after_ps: null,
    after_key: null,
    verdict: 'only-before',
  });
  await host.answerDetails({ rows: [...rows, gone], findings: [], before: {}, after: {} });
  return { ...opened, view };
}

test('has what lines were, and those that are gone', async () => {
  const { headers, rows } = await open();
  expect(headers()).toContain('Before');
  const texts = rows();
  expect(texts.some((text) => text.includes('+2.00 ms'))).toBe(true);
  expect(texts.some((text) => text.includes('gone.py:3 old') && text.includes('gone −10.0 ms'))).toBe(true);
});

test('has of a function what its lines have together', async () => {
  const { element } = await open();
  const functions = [...element.querySelectorAll('[role=radio]')].find(
    ({ textContent }) => textContent === 'Functions',
  );
  await click(functions as Element);
  const [first] = element.querySelectorAll('main .row:not(.gone)');
  expect(first?.querySelector('.change')?.textContent).toMatch(/[+−=]/);
});

test('has nothing of it while nothing is compared', async () => {
  const { headers } = await openHotLines();
  expect(headers()).not.toContain('Change');
});

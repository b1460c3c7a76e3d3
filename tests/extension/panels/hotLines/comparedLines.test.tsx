// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeHost, click, found, giveElementsSize } from '../shared/fakePage';
import { aComparedRow, someSides } from '../shared/madeChanges';
import { MS } from '../shared/madeOps';
import { aView } from './madeLines';
import { openHotLines } from './openHotLines';

/** As in a font whose characters are all as wide as its digits. */
const CHARACTER_PX = 7.3;
vi.mock('../../../../extension/webview/shared/charts/text', () => ({
  wordWidth: (text: string) => Math.ceil(CHARACTER_PX * text.length),
}));

beforeEach(() => giveElementsSize(1600, 900));
afterEach(() => delete document.body.dataset['place']);

async function open(rounds = 1) {
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
  await host.answerDetails({ rows: [...rows, gone], findings: [], before: {}, after: {}, rounds });
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

test('stands beside the time that it is of', async () => {
  const { headers } = await open();
  const titles = headers();
  const at = titles.indexOf('Per step');
  expect(at).toBeGreaterThan(titles.indexOf('Line'));
  expect(titles.slice(at + 1, at + 3)).toEqual(['Before', 'Change']);
});

test.each(['Per step', 'Of the step'])('keeps what is gone below the lines of the shown run, by %s', async (title) => {
  const { element, rows } = await open();
  const header = [...element.querySelectorAll('[role=columnheader]')].find(({ textContent }) => textContent === title);
  await click(header as Element);
  const gone = rows().findIndex((text) => text.includes('gone.py:3'));
  const lines = rows().flatMap((text, at) => (/^.*main\.py:\d|model\.py:\d/.test(text) ? [at] : []));
  expect(gone).toBeGreaterThan(Math.max(...lines));
});

test('shows every number whole in the side bar, and the hottest line first', async () => {
  const width_px = 289;
  giveElementsSize(width_px, 300);
  document.body.dataset['place'] = 'sideBar';
  const { element, headers, rows } = await open();
  expect(headers()).toEqual(['Line', 'Step', 'Change']);
  const tracks = found(element, 'main .sheet').style.getPropertyValue('--tracks').split(' ').map(parseFloat);
  expect(tracks.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(width_px);
  for (const cell of element.querySelectorAll('main .row .cell.end')) {
    const at = Number(cell.getAttribute('aria-colindex')) - 1;
    // A cell has a padding of eight at both sides.
    expect(tracks[at]).toBeGreaterThanOrEqual(CHARACTER_PX * cell.textContent.length + 16);
  }
  expect(rows()[0]).not.toContain('gone.py');
  const times = [...element.querySelectorAll('main .row:not(.gone) [aria-colindex="2"]')].map(({ textContent }) =>
    Number.parseFloat(textContent),
  );
  expect(times[0]).toBe(Math.max(...times));
});

test('shows its first row once nothing is compared any more', async () => {
  giveElementsSize(1600, 60);
  const { element, host } = await open();
  const table = found(element, 'main .table');
  await act(() => {
    table.scrollTop = 24;
    table.dispatchEvent(new Event('scroll'));
  });
  await host.facts({ comparison: null, comparisonGeneration: 2 });
  expect(table.scrollTop).toBe(0);
});

test('says of several rounds that they are averages, with what there is after beside them', async () => {
  const { element, headers, row } = await open(5);
  const titles = headers();
  const at = titles.indexOf('Before, 5 rounds');
  expect(titles.slice(at, at + 3)).toEqual(['Before, 5 rounds', 'Change, 5 rounds', 'After, 5 rounds']);
  const cells = [...row('+2.00 ms').querySelectorAll('[role=gridcell]')].map(({ textContent }) => textContent);
  expect(cells.slice(at, at + 3)).toEqual(['10.0 ms', '+2.00 ms', '12.0 ms']);
  expect(found(element, '.status-line').textContent).toContain(
    'This is one of 5 rounds; before, change and after are their averages',
  );
});

// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import { click, FakeHost, found, giveElementsSize, press } from '../shared/fakePage';
import { aComparedNode, aComparedTree, someSides } from '../shared/madeChanges';
import { MS } from '../shared/madeOps';
import { openOpProfile } from './openOpProfile';

beforeEach(() => giveElementsSize(1800, 900));

const total = aComparedNode({ key: 'total', kind: 'total', label: 'total', before: 130 * MS, after: 120 * MS });

const tree = aComparedTree(
  [
    { ...total, verdict: 'better' },
    aComparedNode({
      key: 'category:convolution',
      parent: 'total',
      depth: 1,
      kind: 'category',
      before: 60 * MS,
      after: 65 * MS,
    }),
    aComparedNode({
      key: 'category:loop fusion',
      parent: 'total',
      depth: 1,
      kind: 'category',
      before: 34 * MS,
      after: 35 * MS,
      verdict: 'cannot-tell',
    }),
    aComparedNode({ key: 'idle', parent: 'total', depth: 1, kind: 'idle', before: 20 * MS, after: 20 * MS }),
    aComparedNode({ key: 'lost', parent: 'total', depth: 1, kind: 'category', label: 'copy', before: 16 * MS }),
  ],
  { whole: aComparedNode({ kind: 'rest', before: 110 * MS, after: 100 * MS, verdict: 'better' }) },
);

async function openCompared() {
  const host = new FakeHost();
  const opened = await openOpProfile(undefined, host);
  await host.facts({ comparison: someSides, comparisonGeneration: 1 });
  expect(host.details).toMatchObject({ details: 'comparedProfile', params: { by: 'category', device: null } });
  await host.answerDetails(tree);
  return { ...opened, host };
}

describe('while its run is compared', () => {
  test('says of every row what it was, and its change with a sign', async () => {
    const { cell, names } = await openCompared();
    expect(names()).toEqual(['Total', 'convolution', 'loop fusion', 'copy']);
    expect(cell('convolution', 'Before').textContent).toBe('60.0 ms');
    expect(cell('convolution', 'Change').textContent).toBe('+5.00 ms');
    expect(cell('loop fusion', 'Change').textContent).toBe('+1.00 ms ±');
    expect(cell('loop fusion', 'Change').querySelector('.cannot-tell')).not.toBeNull();
    expect(cell('copy', 'Change').textContent).toBe('gone −16.0 ms');
    expect(cell('copy', 'Self').textContent).toBe('');
    // Without the idle time, which is left out here.
    expect(cell('Total', 'Before').textContent).toBe('110 ms');
    expect(cell('Total', 'Change').textContent).toBe('−10.0 ms');
  });

  test('counts idle time where that is shown', async () => {
    const { cell, button } = await openCompared();
    await click(button('Exclude Idle'));
    expect(cell('Total', 'Before').textContent).toBe('130 ms');
    expect(cell('Idle, in the whole window', 'Change').textContent).toBe('=');
  });

  test('colours bars by change until a person chooses otherwise', async () => {
    const { cell, element } = await openCompared();
    expect(cell('convolution', 'Of op time').className).toContain('tinted more');
    expect(cell('loop fusion', 'Of op time').className).toContain('tinted untold');
    expect(cell('Total', 'Of op time').className).toContain('tinted less');
    await click(found(element, '[aria-label="Colour by"] > button'));
    expect(cell('convolution', 'Of op time').className).not.toContain('tinted');
  });

  test('is ordered by change, and copied with it as numbers', async () => {
    const { element, host, names, row } = await openCompared();
    const header = [...element.querySelectorAll('[role=columnheader]')].find((each) =>
      each.textContent.startsWith('Change'),
    );
    await click(header as Element);
    expect(names()).toEqual(['Total', 'convolution', 'loop fusion', 'copy']);
    await click(header as Element);
    expect(names()).toEqual(['Total', 'copy', 'loop fusion', 'convolution']);
    await click(row('copy'));
    await press(row('copy'), 'c', { ctrlKey: true });
    const copied = host.sent.findLast((message) => message.type === 'copy');
    expect(copied?.text).toContain(`\t${String(16 * MS)}\t${String(-16 * MS)}\t`);
  });

  test('selects nothing by a row that is only before', async () => {
    const { host, row } = await openCompared();
    const sent = host.sent.length;
    await click(row('copy'));
    expect(host.sent.slice(sent).filter(({ type }) => type === 'select')).toEqual([]);
  });
});

test('has nothing of it while nothing is compared', async () => {
  const { element } = await openOpProfile();
  const titles = [...element.querySelectorAll('[role=columnheader]')].map(({ textContent }) => textContent);
  expect(titles).not.toContain('Before');
  expect(element.querySelector('[aria-label="Colour by"]')).toBeNull();
});

// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import type { CountersRecord } from '../../../../extension/src/protocol';
import { valueText } from '../../../../extension/webview/panels/counters/columns';
import { Counters } from '../../../../extension/webview/panels/counters/counters';
import { anEmpty } from '../shared/madeFindings';
import { click, FakeHost, found, giveElementsSize, rendered } from '../shared/fakePage';
import { countersView } from './madeCounters';

beforeEach(() => giveElementsSize(1400, 600));

async function open(values: Partial<CountersRecord> = {}) {
  const host = new FakeHost();
  const element = await rendered(host.page('counters'), <Counters />);
  await host.facts();
  await host.answer(countersView(values));
  return { host, element, pane: () => found(element, 'aside').textContent };
}

test('each op has its mean of each counter', async () => {
  const { element } = await open();
  const rows = [...element.querySelectorAll('[role=grid] .row')].map((row) =>
    [...row.querySelectorAll('[role=gridcell]')].map(({ textContent }) => textContent),
  );
  expect(rows.map((cells) => [cells[0], ...cells.slice(4, 6)])).toEqual([
    ['dot_general', '71.5', '812 G'],
    ['add', '3.2', '1.02 T'],
    ['copy', '–', '≈ 12.3 k'],
  ]);
});

test('an op is selected everywhere, and says how much of it was sampled', async () => {
  const { element, host, pane } = await open();
  expect(pane()).toContain('every 100 µs');
  await click(element.querySelectorAll('[role=grid] .row')[2] as Element);
  expect(host.sent.at(-1)).toMatchObject({ type: 'select', selection: { kind: 'op', key: 'copy' } });
  expect(pane()).toContain('Of it sampled40.0 %');
  expect(pane()).toContain('shorter than a sample');
});

test('a trace without counters says why, and how to count', async () => {
  const findings = anEmpty('The profiler of a CPU samples no counters.', 'Count from outside: `perf stat`.');
  const { element } = await open({ findings, counters: [], rows: [] });
  expect(element.textContent).toContain('The profiler of a CPU samples no counters.');
  expect(element.textContent).toContain('perf stat');
});

test.each([
  [0.5, '0.5'],
  [1234, '1230'],
  [43_210, '43.2 k'],
  [-5.2e9, '-5.2 G'],
])('%s is written as %s', (value, text) => {
  expect(valueText(value)).toBe(text);
});

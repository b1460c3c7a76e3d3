// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test } from 'vitest';
import type { MonitorFacts, MonitorPageMessage } from '../../../extension/src/monitor/messages';
import { readingInShort } from '../../../extension/src/monitor/monitorItem';
import type { WatchedReading } from '../../../extension/src/protocol';
import { chartsOf, costRatio, timesOf, topOf } from '../../../extension/webview/monitor/curves';
import { Monitor } from '../../../extension/webview/monitor/monitor';
import { click, found, giveElementsSize, press } from '../panels/shared/fakePage';

const MS = 1e9;

function aReading(values: Partial<WatchedReading> = {}): WatchedReading {
  return {
    time_ns: 1e18,
    line: 'busy 60.0 %',
    said: [],
    device_type: 'cpu',
    utilisation_ratio: 0.6,
    utilisation_basis: 'device-busy',
    idle_ratio: 0.4,
    cores: 1,
    step_avg_ps: 30 * MS,
    step_min_ps: 25 * MS,
    step_max_ps: 40 * MS,
    step_basis: 'counted',
    infeed_avg_ratio: 0.25,
    infeed_min_ratio: 0.2,
    infeed_max_ratio: 0.3,
    infeed_basis: 'host-input',
    memory_used_bytes: null,
    traced_ps: 200 * MS,
    pause_ps: 3 * MS,
    ...values,
  };
}

const NOTHING = aReading({
  time_ns: 1e18 + 5e9,
  said: ['The script traces itself now.'],
  utilisation_ratio: null,
  idle_ratio: null,
  step_avg_ps: null,
  step_min_ps: null,
  step_max_ps: null,
  infeed_avg_ratio: null,
  infeed_min_ratio: null,
  infeed_max_ratio: null,
  traced_ps: null,
  pause_ps: null,
});

function factsOf(values: Partial<MonitorFacts> = {}): MonitorFacts {
  return { title: 'train.py', isWatching: true, why: null, seconds: 5, readings: [aReading(), NOTHING], ...values };
}

beforeEach(() => giveElementsSize(1000, 600));

async function open(first: MonitorFacts) {
  const facts = signal<MonitorFacts | null>(first);
  const told: MonitorPageMessage[] = [];
  const element = document.createElement('div');
  document.body.replaceChildren(element);
  await act(() => render(<Monitor facts={facts} tell={(message) => told.push(message)} />, element));
  return { element, told, facts };
}

test('the last reading, why it lacks something, and what watching costs are said', async () => {
  const { element, facts } = await open(factsOf({ readings: [aReading()] }));
  const figures = [...element.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
  expect(figures).toEqual([
    'Busy60.0 %1 × CPU',
    'Idle40.0 %',
    'Step30.0 ms25.0 ms to 40.0 ms',
    'Waits for input25.0 %20.0 % to 30.0 %',
  ]);
  expect(found(element, '[role=status]').textContent).toMatch(/^The job is traced for 4\.0 % of the time/);
  await act(() => {
    facts.value = factsOf();
  });
  expect(element.textContent).toContain('The script traces itself now.');
  expect(element.querySelector('dl dd')?.textContent).toBe('–');
  // The cost is still that of the last trace.
  expect(found(element, '[role=status]').textContent).toContain('4.0 %');
  await act(() => {
    facts.value = factsOf({ isWatching: false, why: 'The job has ended.' });
  });
  expect(found(element, '[role=status]').textContent).toBe('The job has ended.');
});

test('curves are read by the keyboard, and are a table as well', async () => {
  const { element } = await open(factsOf());
  const charts = [...element.querySelectorAll('.series-chart')];
  expect(charts.map((each) => each.getAttribute('aria-label'))).toEqual(['Devices and input', 'Time of a step']);
  await press(charts[0] as Element, 'Home');
  const readouts = [...element.querySelectorAll('.readout')].map(({ textContent }) => textContent);
  expect(readouts[0]).toMatch(/busy 60\.0 % · idle 40\.0 % · waits for input 25\.0 %$/);
  expect(readouts[1]).toMatch(/average 30\.0 ms · least 25\.0 ms · most 40\.0 ms$/);
  await click(found(element, 'vscode-toolbar-button'));
  const rows = [...element.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].slice(1).map(({ textContent }) => textContent),
  );
  expect(rows).toEqual([
    ['–', '–', '–', '–', '–', '–'],
    ['60.0 %', '40.0 %', '25.0 %', '30.0 ms', '25.0 ms', '40.0 ms'],
  ]);
});

test('it is stopped and begun again, as often as is chosen; without a job one is chosen', async () => {
  const { element, told, facts } = await open(factsOf());
  await click(found(element, 'vscode-button'));
  await act(() => {
    facts.value = factsOf({ isWatching: false });
  });
  await click(found(element, 'vscode-button'));
  const periods = [...element.querySelectorAll('[role=radio]')];
  expect(periods.map(({ textContent }) => textContent)).toEqual(['1 s', '2 s', '5 s', '10 s', '30 s']);
  await click(periods[0] as Element);
  await act(() => {
    facts.value = factsOf({ title: null, readings: [] });
  });
  expect(element.textContent).toContain('No job is watched.');
  await click(found(element, 'vscode-button'));
  expect(told).toEqual([{ type: 'stop' }, { type: 'start' }, { type: 'every', seconds: 1 }, { type: 'choose' }]);
});

test('what no reading has is in no chart, and times count from the first', () => {
  const plain = [aReading({ infeed_avg_ratio: null }), NOTHING];
  expect(chartsOf(plain)[0]?.curves.map(({ name }) => name)).toEqual(['busy', 'idle']);
  expect(chartsOf([NOTHING])).toEqual([]);
  expect(timesOf(plain)).toEqual([0, 5e12]);
  expect(chartsOf(plain).map((chart) => topOf(chart, plain))).toEqual([1, 44 * MS]);
  expect(costRatio([NOTHING], 5)).toBeNull();
  expect(readingInShort(aReading())).toBe('busy 60.0 % · step 30.0 ms');
  expect(readingInShort(NOTHING)).toBe('nothing known now');
});

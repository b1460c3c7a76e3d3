// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import type { Selection } from '../../../../extension/src/panels/messages';
import type { StepTraceRecord } from '../../../../extension/src/protocol';
import { chartNames, curvesOf } from '../../../../extension/webview/panels/stepTrace/charts';
import { collectiveColumns, stepColumns } from '../../../../extension/webview/panels/stepTrace/columns';
import { statusParts } from '../../../../extension/webview/panels/stepTrace/status';
import { StepTrace } from '../../../../extension/webview/panels/stepTrace/stepTrace';
import { click, FakeHost, found, giveElementsSize, press, rendered } from '../shared/fakePage';
import { aRow, collective, MS, stepTraceRecord, stepTraceView } from './madeStepTrace';

beforeEach(() => giveElementsSize(1000, 600));

async function open(values: Partial<StepTraceRecord> = {}, selection: Selection | null = null) {
  const host = new FakeHost();
  const element = await rendered(host.page('stepTrace'), <StepTrace />);
  await host.facts({ selection });
  await host.answer(stepTraceView(values));
  return {
    host,
    element,
    pane: () => found(element, 'aside').textContent,
    button: (text: string) =>
      [...element.querySelectorAll('button')].find(({ textContent }) => textContent === text) as Element,
    field: (label: string) =>
      [...element.querySelectorAll<HTMLElement & { label: string; value: string }>('vscode-textfield')].find(
        (each) => each.label === label,
      ) as HTMLElement & { value: string },
  };
}

describe('the charts', () => {
  test('stack what sums to the step', () => {
    const record = stepTraceRecord();
    for (const row of record.rows) {
      const sum = curvesOf(record, 'spans').reduce((all, { of }) => all + of(row), 0);
      expect(sum).toBe(row.number === 1 ? 24 * MS : row.duration_ps);
      const interval = curvesOf(record, 'interval').reduce((all, { of }) => all + of(row), 0);
      expect(interval).toBe(row.interval_ps);
    }
  });

  test('are those that have something to draw', () => {
    expect(chartNames(stepTraceRecord())).toEqual(['spans', 'phases', 'interval', 'communication']);
    const without = stepTraceRecord({ collectives: [], rows: [aRow(1, { interval_ps: 0 })] });
    expect(chartNames(without)).toEqual(['spans', 'phases']);
  });

  test('are read by keys; Enter opens the step in the timeline', async () => {
    const { host, element, pane } = await open();
    const chart = found(element, '.series-chart');
    await press(chart, 'Home');
    expect(found(element, '.readout').textContent).toBe(
      'Step step 1 · interval 0 ps · forward and backward 20.0 ms · tail 4.00 ms',
    );
    expect(pane()).toContain('it is in no mean');
    await press(chart, 'Enter');
    expect(host.sent.at(-1)).toMatchObject({ type: 'showIn', panel: 'timeline', selection: { start_ps: 30 * MS } });
  });
});

describe('the status line', () => {
  test('says of a prediction that all devices do the same', () => {
    expect(statusParts(stepTraceRecord({ predicted_devices: 8 }))).toContain('each of 8 devices');
    expect(statusParts(stepTraceRecord({ predicted_devices: 1, device_names: ['TPU v5e'] }))).toContain('1 device');
  });
});

describe('how a step is cut', () => {
  test('is said of what waits, which nothing does of a prediction', () => {
    const meanings = (values: Partial<StepTraceRecord>): string =>
      stepColumns(stepTraceRecord(values))
        .map(({ meaning }) => meaning ?? '')
        .join();
    expect(meanings({ steps_source: 'repetition' })).toContain('the wait before it');
    expect(meanings({ steps_source: 'annotation' })).not.toContain('the wait before it');
    expect(meanings({ steps_source: 'repetition', predicted_for: 'TPU v5e' })).not.toContain('the wait before it');
  });
});

describe('collectives', () => {
  test('of which a prediction knows no time take none that is shown as 0', () => {
    const columns = collectiveColumns().filter(({ id }) => id === 'mean' || id === 'exposed');
    const texts = (has_estimate: boolean) =>
      columns.map((each) => each.text({ ...collective, mean_ps: 0, exposed_ps: 0, has_estimate }));
    expect(texts(true)).toEqual(['0 ps', '0 ps']);
    expect(texts(false)).toEqual(['–', '–']);
  });
});

describe('where a step is divided', () => {
  test('is asked for by what is written, and found by itself again', async () => {
    const { host, field, button } = await open();
    const start = field('Forward begins at');
    start.value = ' model.py:40 ';
    await press(start, 'Enter');
    expect(host.request.params).toEqual({ device: null, forward_start: 'model.py:40', backward_end: null });
    await host.answer(stepTraceView({ starts_by: 'option' }));
    await click(button('Find by Itself'));
    expect(host.request.params).toMatchObject({ forward_start: null });
  });

  test('is a line that another panel has selected', async () => {
    const { host, button } = await open({}, { kind: 'line', file: '/w/model.py', line: 41 });
    await click(button('Backward Ends There'));
    expect(host.request.params).toMatchObject({ backward_end: '/w/model.py:41' });
  });

  test('is a program by its name, in which nothing is an expression', async () => {
    const { host, button } = await open({}, { kind: 'program', name: 'jit_f(x) (123)', file: null, line: null });
    await click(button('Forward Begins There'));
    expect(host.request.params).toMatchObject({ forward_start: 'jit_f\\(x\\)' });
  });

  test('says what found it', async () => {
    const { element } = await open({ starts_by: 'variable', ends_at: '' });
    const found_ = [...element.querySelectorAll('.border .ellipsis')].map(({ textContent }) => textContent);
    expect(found_).toEqual([
      'model.py:40 · dot_general · as the script’s environment says',
      'no op is there (found by the phases of ops)',
    ]);
  });
});

test('the pane has the mean until a step is read, and says where there is none', async () => {
  const { pane } = await open();
  expect(pane()).toContain('The mean step');
  expect(pane()).toMatch(/interval6\.00 ms20\.0 %forward to backward20\.0 ms66\.7 %tail4\.00 ms13\.3 %/);
  const without = await open({ mean: null });
  expect(without.pane()).toContain('In every step something was compiled');
});

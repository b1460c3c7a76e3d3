// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import type { OverviewRecord } from '../../../../extension/src/protocol';
import { figures } from '../../../../extension/webview/panels/overview/head';
import { Overview } from '../../../../extension/webview/panels/overview/overview';
import { opened } from '../../features/openedRun';
import { aComparedRow, someSides } from '../shared/madeChanges';
import { aFinding, anEmpty } from '../shared/madeFindings';
import { click, FakeHost, found, giveElementsSize, press, rendered } from '../shared/fakePage';
import { aStep, MS, overviewRecord, overviewView } from './madeOverview';

beforeEach(() => giveElementsSize(1000, 600));

async function open(values: Partial<OverviewRecord> = {}) {
  const host = new FakeHost();
  const element = await rendered(host.page('overview'), <Overview />);
  await host.facts();
  await host.answer(overviewView(values));
  const section = (name: string) => found(element, `section[aria-label="${name}"]`);
  const button = (within: Element, text: string) =>
    [...within.querySelectorAll('button')].find(({ textContent }) => textContent.includes(text)) as Element;
  return { host, element, section, button, pane: () => found(element, 'aside').textContent };
}

describe('the head', () => {
  test('says each figure with what it is of, and which are estimates', () => {
    const said = figures(overviewRecord()).map(({ name, text, of }) => `${name} ${text} ${of}`);
    expect(said).toEqual([
      'Step 34.5 ms ± 6.61 ms, 32.0 ms to 52.0 ms · of 7 of 8 steps',
      'Devices idle 38.4 % of the steps',
      'Host idle ≈ 21.0 % of the steps',
      'Waits for input 29.0 % of 7 of 8 steps',
      'MFU 31.2 % of the peak',
      'HFU ≥ 35.5 % of the peak',
      'Bandwidth – not known',
      'Memory 12 GiB at most, of 80 GiB',
    ]);
  });

  test.each([
    [1, '1 step'],
    [3, '3 equal steps'],
  ])('says of steps that do not differ how many they are, such as those of a prediction: %d', (number, said) => {
    const record = overviewRecord({ steps: Array.from({ length: number }, (_, at) => aStep(at + 1)) });
    const summary = record.summary.map((each) => (each.quantity === 'step' ? { ...each, greatest: each.least } : each));
    expect(figures({ ...record, summary })[0]?.of).toBe(said);
  });
});

describe('what to do next', () => {
  test('says what is saved at best, and leads to the line and to the panel', async () => {
    const { host, section, button } = await open();
    const items = [...section('What to do next').querySelectorAll('ol > li')];
    expect(items.map((item) => found(item, '.saving').textContent)).toEqual(['−10.0 ms29.0 %', '−6 MiB', '']);
    await click(button(items[0] as Element, 'train.py'));
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/home/ada/train/train.py', line: 71 });
    await click(button(items[0] as Element, 'Show Input Pipeline'));
    expect(host.sent.at(-1)).toEqual({ type: 'run', command: 'scopelight.openInputPipeline' });
  });

  test('says so where nothing is known, and whether that could be told', async () => {
    const { section } = await open({ advice: [] });
    expect(section('What to do next').textContent).toContain('no rule found what would save time or memory');
    const without = await open({ advice: [], steps: [] });
    expect(without.section('What to do next').textContent).toContain('Without complete steps');
  });
});

describe('a run that was predicted too', () => {
  const text = 'What a TPU would do with this script was predicted before.';

  test('leads to both side by side', async () => {
    const { host, element, button } = await open();
    expect(element.textContent).not.toContain(text);
    await host.facts({ shownRun: opened('/runs/measured', { predicted_by: '/runs/predicted' }) });
    expect(element.textContent).toContain(text);
    await click(button(element, 'Beside the Prediction'));
    expect(host.sent.at(-1)).toEqual({ type: 'run', command: 'scopelight.besidePrediction' });
  });

  test('leads nowhere in a report', async () => {
    const { host, element } = await open();
    await host.facts({ shownRun: opened('/runs/measured', { predicted_by: '/runs/predicted' }), isReport: true });
    expect(element.textContent).not.toContain(text);
  });
});

test('what was promised of the run before is set against what is measured', async () => {
  const { section } = await open();
  expect(section('What to do next').textContent).toContain('predicted at best 8.00 ms, measured 7.10 ms.');
  expect((await open({ effects: [] })).element.textContent).not.toContain('Since the run before');
});

describe('the steps', () => {
  test('are read by keys, and one is opened in the timeline', async () => {
    const { host, section, element, pane } = await open();
    const chart = found(section('Where the steps went'), '.series-chart');
    await press(chart, 'Home');
    await press(chart, 'ArrowRight');
    await press(chart, 'ArrowRight');
    expect(found(element, '.readout').textContent).toBe(
      'step 3 · 52.0 ms · compiling 38.5 % · computing 32.7 % · waiting for input 19.2 % · communication not hidden 5.8 %',
    );
    expect(pane()).toContain('A program was compiled in it.');
    await press(chart, 'Enter');
    expect(host.sent.at(-1)).toEqual({
      type: 'showIn',
      panel: 'timeline',
      selection: { kind: 'time', start_ps: 64 * MS, end_ps: 116 * MS, file: null, line: null },
    });
  });

  test('have the same numbers as a table, whose parts sum to the step', async () => {
    const { element } = await open();
    await click(found(element, '[title="Show as Table"]'));
    const rows = [...element.querySelectorAll('[role=grid][aria-label="Steps"] .row')];
    expect(rows).toHaveLength(8);
    const cells = [...(rows[2] as Element).querySelectorAll('[role=gridcell]')].map(({ textContent }) => textContent);
    expect(cells.slice(0, 2)).toEqual(['3', '52.0 ms']);
    const parts = cells.slice(2, -1).map((text) => parseFloat(text));
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(52);
    expect(cells.at(-1)).toBe('unlike most · compiles');
  });
});

test('pictures open the panels that they are of', async () => {
  const { host, section } = await open();
  const pictures = [...section('More').querySelectorAll('.picture')];
  for (const picture of pictures) {
    await click(picture);
  }
  expect(host.sent.flatMap((message) => (message.type === 'run' ? message.command : []))).toEqual([
    'scopelight.openTimeline',
    'scopelight.openStepTrace',
    'scopelight.openInputPipeline',
    'scopelight.openOpStatistics',
    'scopelight.openMemoryProfile',
  ]);
});

test('the pane says what it ran on until a step is read', async () => {
  const { element, pane } = await open();
  expect(pane()).toContain('2 × NVIDIA H100 80GB HBM3');
  expect(pane()).toContain('python train.py --steps 200');
  expect(pane()).toContain('4b825dc642cb, with changes');
  await press(found(element, '.series-chart'), 'Home');
  expect(pane()).not.toContain('NVIDIA');
  await press(found(element, '.series-chart'), 'Escape');
  expect(pane()).toContain('NVIDIA');
});

test('a run of which nothing is known says why', async () => {
  const { element } = await open({ findings: anEmpty('Nothing ran in the window.') });
  expect(element.textContent).toContain('Nothing ran in the window.');
});

describe('of a run that was predicted', () => {
  const after = (element: Element, text: string) => element.textContent.split(text)[1] ?? '';

  test('that it does not fit is said before all figures', async () => {
    const { element } = await open({
      findings: [aFinding('error', 'Does not fit: 91.2 of 15.75 GiB.', { code: 'does-not-fit-target' })],
    });
    expect(after(element, 'Does not fit: 91.2 of 15.75 GiB.')).toContain('MFU');
  });

  test('that it fits as well, and nowhere else', async () => {
    const { element, pane } = await open({
      findings: [aFinding('note', 'Fits: 2.1 of 15.75 GiB.', { code: 'fits-target' })],
    });
    expect(after(element, 'Fits: 2.1 of 15.75 GiB.')).toContain('MFU');
    expect(pane()).not.toContain('Fits:');
  });
});

describe('while it is compared', () => {
  async function compared(rounds: number) {
    const opened = await open();
    await opened.host.facts({ comparison: someSides, comparisonGeneration: 1 });
    const [line] = overviewRecord().lines;
    const row = aComparedRow({ kind: 'line', key: line?.key ?? '', before_key: 'was', after_key: line?.key ?? '' });
    const asked = opened.host.sent.findLast(
      (each) => each.type === 'details' && JSON.stringify(each.params) === JSON.stringify({ by: 'line' }),
    );
    const record = { rows: [row], findings: [], before: {}, after: {}, rounds, has_steps: true };
    await opened.host.say({ type: 'result', id: (asked as { id: number }).id, result: record });
    const table = found(opened.section('Lines that took longest'), 'table.tops');
    const titles = () => [...table.querySelectorAll('th')].map(({ textContent }) => textContent);
    return { ...opened, table, titles };
  }

  test('has what lines were, in a table that leaves their names room', async () => {
    const { table, titles } = await compared(1);
    expect(titles().slice(-3)).toEqual(['Per step', 'Before', 'Change']);
    expect(table.classList.contains('compared')).toBe(true);
    expect(found(table, 'td.changed').textContent).toBe('+2.00 ms');
  });

  test('says of rounds that they are averages', async () => {
    const { element, titles } = await compared(5);
    expect(titles().slice(-3)).toEqual(['Before, 5 rounds', 'Change, 5 rounds', 'After, 5 rounds']);
    expect(found(element, '.status-line').textContent).toContain('This is one of 5 rounds');
  });
});

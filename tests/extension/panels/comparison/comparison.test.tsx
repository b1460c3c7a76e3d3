// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ComparedRow, ComparisonRecord, Phase } from '../../../../extension/src/protocol';
import { comparisonColumns } from '../../../../extension/webview/panels/comparison/columns';
import { Comparison } from '../../../../extension/webview/panels/comparison/comparison';
import { outcome } from '../../../../extension/webview/panels/comparison/head';
import { laidOut } from '../../../../extension/webview/panels/comparison/memory';
import { valueText } from '../../../../extension/webview/panels/comparison/quantities';
import { amountsOf, barOf, selectionOf, totalsOf } from '../../../../extension/webview/panels/comparison/rows';
import { commonIndent } from '../../../../extension/webview/panels/comparison/sourceLines';
import { statusParts } from '../../../../extension/webview/panels/comparison/status';
import { shortVerdict } from '../../../../extension/webview/panels/comparison/told';
import { distribution, median } from '../../../../extension/webview/panels/comparison/steps';
import { layout } from '../../../../extension/webview/shared/table/layout';
import { signedShare, verdictText, visibleText } from '../../../../extension/webview/shared/comparison/words';
import { rowsAsText } from '../../../../extension/webview/shared/table/copy';
import { showBasisOf } from '../../../../extension/webview/shared/text/basis';
import { anEmpty } from '../shared/madeFindings';
import { click, FakeHost, found, giveElementsSize, press, rendered } from '../shared/fakePage';
import { MS } from '../shared/madeOps';
import { aQuantity, aRow, comparisonRecord, comparisonView, FILE, sides } from './madeComparison';

const US = MS / 1000;
/** As wide is the table of a window of 1400 pixels beside the side bar and the details. */
const BESIDE_DETAILS_PX = 755;
/** And in one of 900 pixels, whose details are below. */
const NARROW_PX = 550;

beforeEach(() => giveElementsSize(1200, 600));

async function open(values: Partial<ComparisonRecord> = {}) {
  const host = new FakeHost();
  const element = await rendered(host.page('comparison'), <Comparison />);
  await host.facts({ comparison: sides });
  await host.answer(comparisonView(values));
  const rows = () => [...element.querySelectorAll<HTMLElement>('[role=row][data-position]')];
  return {
    host,
    element,
    rows,
    texts: () => rows().map(({ textContent }) => textContent),
    pane: () => found(element, 'aside').textContent,
    choose: (label: string) =>
      click([...element.querySelectorAll('[role=radio]')].find(({ textContent }) => textContent === label) as Element),
  };
}

describe('without a comparison', () => {
  test('the page says so, and offers to choose one', async () => {
    const host = new FakeHost();
    const element = await rendered(host.page('comparison'), <Comparison />);
    await host.facts();
    expect(element.textContent).toContain('compared with no other');
    const [first] = element.querySelectorAll('vscode-button');
    await click(first as Element);
    expect(host.sent.at(-1)).toEqual({ type: 'run', command: 'scopelight.compareWith' });
    expect(host.sent.some(({ type }) => type === 'request')).toBe(false);
  });
});

test('a comparison that failed offers another one, and none', async () => {
  const host = new FakeHost();
  const element = await rendered(host.page('comparison'), <Comparison />);
  await host.facts({ comparison: sides });
  await host.say({ type: 'failure', id: host.request.id, message: 'vm.xplane.pb is not a readable profile.' });
  const buttons = [...element.querySelectorAll('vscode-button')];
  expect(buttons.map(({ textContent }) => textContent)).toEqual([
    ...['Show Log', 'Try Again', 'Compare with…', 'Stop Comparing'],
  ]);
  await click(buttons[2] as Element);
  expect(host.sent.at(-1)).toEqual({ type: 'run', command: 'scopelight.compareWith' });
  await click(buttons[3] as Element);
  expect(host.sent.at(-1)).toEqual({ type: 'run', command: 'scopelight.stopComparing' });
});

describe('the rows', () => {
  test('are in the order of what changed most, the rest last', async () => {
    const { texts } = await open();
    expect(texts().map((text) => /(:\d+|\(of no line\))/.exec(text)?.[0])).toEqual([
      ':25',
      ':31',
      ':40',
      ':12',
      ':13',
      '(of no line)',
    ]);
  });

  test('say by signs and words what can be told', async () => {
    const [worse = '', fresh = '', gone = '', unsure = '', same = ''] = (await open()).texts();
    expect(worse).toContain('+12 %');
    expect(worse).toContain('more');
    expect(worse).toContain('+10 %');
    expect(fresh).toContain('new');
    expect(gone).toContain('gone');
    expect(unsure).toContain('± cannot tell');
    expect(same).toContain('no change');
    const record = comparisonRecord();
    const verdict = comparisonColumns(record).find(({ id }) => id === 'verdict');
    expect(record.rows.slice(3, 5).map((row) => verdict?.text(row))).toEqual([
      'cannot tell; 30 % would have been seen',
      'no change seen; 9.0 % would have been',
    ]);
  });

  test('have the ratio of the change beside it, and what CPU time tells in a column of its own', async () => {
    const judged = aRow(11, 1920 * US, 1724 * US, {
      verdict: 'worse',
      judged_by: 'cpu-time',
      judged_change_ratio: 0.18,
      before_cpu_ps: 500 * US,
      after_cpu_ps: 590 * US,
    });
    const unsure = aRow(12, MS, 2 * MS, {
      verdict: 'cannot-tell',
      judged_by: 'cpu-time',
      judged_change_ratio: -0.02,
    });
    const rows = [judged, unsure, aRow(13, MS, 2 * MS, { verdict: 'worse', judged_change_ratio: 0.9 })];
    const record = comparisonRecord({ rows });
    const texts = (id: string) =>
      rows.map((row) =>
        comparisonColumns(record)
          .find((each) => each.id === id)
          ?.text(row),
      );
    expect(texts('change')).toEqual(['−196 µs', '+1.00 ms', '+1.00 ms']);
    expect(texts('ratio')).toEqual(['−10 %', '+100 %', '+100 %']);
    expect(texts('cpu')).toEqual(['+18 %', '−2.0 %', '']);
    expect(texts('verdict')[0]).toBe('more CPU time');
    // The bar is of what was judged: the clock went the other way.
    expect(rows.map((row) => Math.sign(barOf(row)))).toEqual([1, 1, 1]);
    expect(comparisonColumns(comparisonRecord()).map(({ id }) => id)).not.toContain('cpu');
    const { pane, rows: shown } = await open({ rows });
    await click(shown()[0] as Element);
    expect(pane()).toContain('Change−196 µs (−10\u00a0%)');
    expect(pane()).toContain('Change of CPU time+18 %');
    await click(shown()[2] as Element);
    expect(pane()).toContain('Change that was judged+90 %');
  });

  test('sum to what they were and are, and before and change are after', () => {
    const record = comparisonRecord();
    const sum = { before: 0, change: 0, after: 0 };
    for (const row of record.rows) {
      const { before, change, after } = amountsOf(row);
      expect((before ?? 0) + (change ?? 0)).toBe(after ?? 0);
      sum.before += before ?? 0;
      sum.change += change ?? 0;
      sum.after += after ?? 0;
    }
    expect(totalsOf(record)).toEqual(sum);
    expect(statusParts(record)).toContain('84.0 ms +8.00 ms = 92.0 ms, wall clock of a step on average');
    expect(statusParts(comparisonRecord({ by: 'op' }))[1]).toContain('op time of a step on average');
  });

  test('are copied with numbers without units', () => {
    const record = comparisonRecord();
    const [header = '', first = ''] = rowsAsText(record.rows, comparisonColumns(record), 'tsv').split('\n');
    const cells = Object.fromEntries(header.split('\t').map((title, at) => [title, first.split('\t')[at]]));
    expect(cells).toMatchObject({
      'Before (ps)': String(50 * MS),
      'Change (ps)': String(6 * MS),
      'After (ps)': String(56 * MS),
    });
  });

  test('select what other panels know of them, and nothing that is gone', () => {
    const op = aRow(3, MS, 2 * MS, { kind: 'op', after_key: 'op 3' });
    expect(selectionOf(op)).toEqual({ kind: 'op', key: 'op 3', file: FILE, line: 3 });
    expect(selectionOf(aRow(3, MS, MS))).toEqual({ kind: 'line', file: FILE, line: 3 });
    expect(selectionOf(aRow(3, MS, null))).toBeNull();
  });

  test('lead to their line by Enter, those that are gone to the source as it was', async () => {
    const { host, rows } = await open();
    await click(rows()[0] as Element);
    await press(rows()[0] as Element, 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: FILE, line: 25 });
    await click(rows()[2] as Element);
    await press(rows()[2] as Element, 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'openRecorded', run: '/runs/before', file: FILE, line: 39 });
  });

  test('by another grouping are asked for', async () => {
    const { host, element } = await open();
    const select = found(element, 'select') as HTMLSelectElement;
    select.selectedIndex = 4;
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await host.facts({ comparison: sides });
    expect(host.request).toMatchObject({ view: 'comparison', params: { by: 'memory' } });
  });

  test('of ops are told apart by their line and phase, and have what they are after', () => {
    const op = (line: number, phase: Phase) =>
      aRow(line, 2 * MS, 3 * MS, { kind: 'op', label: 'dot_general f32[256,512]', phase, verdict: 'cannot-tell' });
    const record = comparisonRecord({ by: 'op', rows: [op(15, 'forward'), op(15, 'backward'), op(17, 'forward')] });
    const columns = comparisonColumns(record);
    const shown = layout(columns, BESIDE_DETAILS_PX, {}).map(({ column }) => column);
    expect(shown.map(({ id }) => id)).toEqual([...['name', 'line', 'phase', 'before', 'change', 'after', 'verdict']]);
    const said = record.rows.map((row) => shown.slice(0, 3).map(({ text }) => text(row)));
    expect(said).toEqual([
      ['dot_general f32[256,512]', 'train.py:15', 'forward'],
      ['dot_general f32[256,512]', 'train.py:15', 'backward'],
      ['dot_general f32[256,512]', 'train.py:17', 'forward'],
    ]);
    expect(columns[0]?.exact?.(record.rows[1] as ComparedRow)).toBe(
      'dot_general f32[256,512] · train.py:15 · backward',
    );
  });

  test.each([
    ['op', 'op time of a step on average; what runs at once counts each.'],
    ['line', 'wall clock of a step on average.'],
    ['memory', 'in memory at the peak.'],
  ] as const)('by %s say above what their amounts are', async (by, said) => {
    const { element } = await open({ by });
    expect(found(element, '.amounts').textContent).toContain(said);
  });

  test('say in full in a tooltip what has no room', () => {
    const record = comparisonRecord();
    const line = comparisonColumns(record)[0];
    expect(record.rows.map((row) => line?.exact?.(row))).toEqual([
      ...[25, 31, 40, 12, 13].map((at) => `train.py:${String(at)} · block`),
      '(of no line)',
    ]);
  });

  test('that there are none say why', async () => {
    const { element } = await open({ rows: [], findings: anEmpty('Neither run has ops.') });
    expect(element.textContent).toContain('Neither run has ops.');
  });
});

describe('the outcome', () => {
  test('counts what is told and what is not, and says from when on nothing would have been missed', () => {
    const record = comparisonRecord();
    expect(outcome(record)).toBe('1 more, 1 new, 1 gone; 1 cannot be told from noise');
    const same = record.rows.filter(({ verdict }) => verdict === 'same');
    expect(outcome(comparisonRecord({ rows: same }))).toBe('no change seen; 36 % would have been');
    expect(outcome(comparisonRecord({ rows: same, quantities: [] }))).toBe('no change');
  });
});

describe('what is exact', () => {
  const more = aRow(15, 5 * MS, 14 * MS, { verdict: 'cannot-tell', before_flops: 806e6, after_flops: 1612e6 });
  const less = aRow(16, MS, MS, { verdict: 'same', before_flops: 4e6, after_flops: 2e6, flops_are_estimated: true });
  const unsure = aRow(17, MS, 2 * MS, { verdict: 'cannot-tell', before_flops: 4e6, after_flops: 4e6 });
  const rows = [more, less, unsure];

  test('is told where time is not: in a column, in verdicts and in the headline', () => {
    const record = comparisonRecord({ rows });
    const texts = (id: string) =>
      rows.map((row) =>
        comparisonColumns(record)
          .find((each) => each.id === id)
          ?.text(row),
      );
    expect(texts('flops')).toEqual(['+100 %', '≈−50 %', '']);
    expect(texts('verdict')).toEqual([
      'more work: FLOPs +100 %; of its time: cannot tell; 9.0 % would have been seen',
      'less work: FLOPs ≈−50 %; of its time: no change seen; 9.0 % would have been',
      'cannot tell; 9.0 % would have been seen',
    ]);
    expect(rows.map(shortVerdict)).toEqual(['more work', 'less work', '± cannot tell']);
    expect(outcome(record)).toBe('1 has more work, 1 has less work; 2 cannot be told from noise');
    expect(comparisonColumns(comparisonRecord({ rows: [unsure] })).map(({ id }) => id)).not.toContain('flops');
  });

  test('is in the details and beside the source', async () => {
    const { host, pane, rows: shown, element } = await open({ rows });
    await click(shown()[0] as Element);
    expect(pane()).toContain('FLOPs806 MFLOP → 1.61 GFLOP (+100\u00a0%)');
    const line = (at: number) => ({ before_line: at - 1, after_line: at, text: 'x' });
    await host.answerDetails({ lines: [line(15), line(16), line(17), line(18)] });
    const marks = [...element.querySelectorAll('.source-lines .end')].map(({ textContent }) => textContent);
    expect(marks).toEqual(['FLOPs +100 %', 'FLOPs ≈−50 %', '±', '']);
  });
});

describe('what is predicted', () => {
  const step = (before: number | null, after: number | null) =>
    aQuantity('predicted-step', { unit: 'ps', before, after, verdict: 'cannot-tell' });
  const rows = [aRow(15, 5 * MS, 14 * MS, { verdict: 'cannot-tell' })];
  const said = (record: ComparisonRecord) =>
    comparisonColumns(record)
      .filter(({ id }) => ['before', 'change', 'after', 'ratio'].includes(id))
      .map(({ text }) => text(rows[0] as ComparedRow));

  afterEach(() => showBasisOf(null));

  test('is marked on its side, and what rests on it, also beside what was measured', () => {
    const before = comparisonRecord({ rows, quantities: [step(123 * MS, null)] });
    expect(said(before)).toEqual(['≈5.00 ms', '≈+9.00 ms', '14.0 ms', '≈+180 %']);
    expect(statusParts(before)).toContain('≈84.0 ms ≈+8.00 ms = 92.0 ms, wall clock of a step on average');
    // The page marks all times where the run that is shown was predicted.
    showBasisOf({ predicted_for: 'TPU v5e', prediction: [] });
    const after = comparisonRecord({ rows, quantities: [step(null, 123 * MS)] });
    expect(said(after)).toEqual(['5.00 ms', '≈+9.00 ms', '≈14.0 ms', '≈+180 %']);
    expect(said(comparisonRecord({ rows, predicted_for: 'TPU v5e' }))[0]).toBe('≈5.00 ms');
  });

  test('is marked among figures of whole runs, and what was measured is not', () => {
    const [predicted, measured] = [
      step(123 * MS, null),
      aQuantity('step', { unit: 'ps', before: null, after: 9 * MS }),
    ];
    showBasisOf({ predicted_for: 'TPU v5e', prediction: [] });
    expect(valueText(predicted, predicted.before)).toBe('≈123 ms');
    expect(valueText(measured, measured.after)).toBe('9.00 ms');
  });
});

test('the figures of the head say how much more or less they are, or that there is nothing to compare with', async () => {
  const { element } = await open({
    quantities: [
      aQuantity('step', { kind: 'noisy', unit: 'ps', before: MS, after: 2 * MS, verdict: 'cannot-tell' }),
      aQuantity('cpu-time', { kind: 'steady', unit: 'ps', before: null, after: 2 * MS, verdict: 'cannot-tell' }),
      aQuantity('flops', { unit: 'flops', before: 1.93e9, after: 3.55e9, verdict: 'worse' }),
      aQuantity('planned-peak', { unit: 'bytes', before: 4, after: 4 }),
    ],
  });
  const said = [...element.querySelectorAll('.figures dd.quiet')].map(({ textContent }) => textContent);
  expect(said).toEqual(['cannot tell', 'known only after', '+84 %', 'no change']);
});

test('what is many times as much is written as that', () => {
  expect([0.12, -0.5, 8.9, 9, 17.4, 304.2, 5432.1, 2e6].map(signedShare)).toEqual([
    ...['+12 %', '−50 %', '+890 %', '×10', '×18.4', '×305', '>×1\u202f000', '>×1\u202f000'],
  ]);
});

test.each([
  [NARROW_PX, ['line', 'before', 'change', 'after', 'ratio', 'verdict']],
  [BESIDE_DETAILS_PX, ['line', 'before', 'change', 'after', 'ratio', 'flops', 'verdict']],
])('rows of %i pixels have before, change and after, and a verdict that is not cut', (width_px, ids) => {
  const shown = layout(comparisonColumns(comparisonRecord()), width_px, {});
  expect(shown.map(({ column }) => column.id)).toEqual(expect.arrayContaining(ids));
  const of = (id: string) => shown.find(({ column }) => column.id === id)?.width_px;
  expect(of('verdict')).toBeGreaterThanOrEqual(108);
  expect(shown.reduce((sum, each) => sum + each.width_px, 0)).toBeLessThanOrEqual(width_px);
});

test('what only many times as much would show is said with no figure', () => {
  expect(verdictText('cannot-tell', 305)).toBe('cannot tell; nothing below 500 % would have been seen');
  expect([0.09, 305].map(visibleText)).toEqual(['9.0 % or more', 'more than 500 %']);
});

describe('the details', () => {
  test('are of all rows, then of the one that is chosen, with both texts', async () => {
    const { host, pane, rows, element } = await open();
    expect(pane()).toContain('Only after');
    await click(rows()[0] as Element);
    expect(host.details).toMatchObject({
      details: 'comparedLines',
      params: { before_file: FILE, before_line: 24, after_file: FILE, after_line: 25 },
    });
    await host.answerDetails({
      lines: [
        { before_line: 24, after_line: null, text: '    y = x @ w' },
        { before_line: null, after_line: 25, text: '    y = x @ w @ w' },
      ],
    });
    expect(pane()).toContain('+4.00 ms to +8.00 ms');
    expect(pane()).toContain('the line was changed');
    expect([...element.querySelectorAll('.source-lines tr')].map((row) => row.className.trim())).toEqual([
      'removed',
      'added meant',
    ]);
  });
});

test('lines that are all indented are shown without that', () => {
  const line = (text: string) => ({ before_line: 1, after_line: 1, text });
  expect(commonIndent([line('    a'), line(''), line('      b')])).toBe(4);
  expect(commonIndent([line(''), line('  ')])).toBe(0);
});

describe('the figures of whole runs', () => {
  test('have a verdict, and what would have been seen', async () => {
    const { choose, texts } = await open();
    await choose('Whole runs');
    const [step = '', , flops = '', compilations = '', peak = ''] = texts();
    expect(step).toContain('step (median)');
    expect(step).toContain('noisy');
    expect(step).toContain('36 % or more');
    expect(flops).toMatch(/exact.*\+800 GFLOP.*more.*every change/);
    expect(compilations).toMatch(/none.*no change/);
    expect(peak).toMatch(/−256 MiB.*less/);
  });
});

describe('the charts', () => {
  test('of steps mark the medians, and have a table', async () => {
    const { choose, element } = await open();
    await choose('Steps');
    expect(element.textContent).toContain('median 86.0 ms');
    expect(element.textContent).toContain('median 94.0 ms');
    expect(median([3, 1, 2, 4])).toBe(2.5);
    expect(median([])).toBeNull();
    expect(distribution([5, 1, 3])).toHaveLength(101);
    expect([distribution([5, 1, 3])[0], distribution([5, 1, 3])[50], distribution([5, 1, 3])[100]]).toEqual([1, 3, 5]);
  });

  test('of memory keep the peak, however many places there are', () => {
    const bytes = Array.from({ length: 3210 }, (_, at) => (at === 1234 ? 9000 : at));
    const places = laidOut({ program: 'step', peak_bytes: 9000, bytes });
    expect(Math.max(...places.map((each) => each ?? 0))).toBe(9000);
    expect(new Set(laidOut({ program: 'step', peak_bytes: 2, bytes: [1, 2] }))).toEqual(new Set([1, 2]));
    expect(new Set(laidOut(null))).toEqual(new Set([null]));
  });
});

// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import type { HostFacts } from '../../../../extension/src/panels/messages';
import type { QueryAnswer, QuerySchema } from '../../../../extension/src/protocol';
import { answerRows } from '../../../../extension/webview/panels/query/answerRows';
import { chartOf } from '../../../../extension/webview/panels/query/chartOf';
import { fittedColumns } from '../../../../extension/webview/panels/query/columns';
import { Query } from '../../../../extension/webview/panels/query/query';
import { wordWidth } from '../../../../extension/webview/shared/charts/text';
import { layout } from '../../../../extension/webview/shared/table/layout';
import { opened } from '../../features/openedRun';
import { click, FakeHost, found, giveElementsSize, nextFrame, press, rendered } from '../shared/fakePage';
import { lines, outcome, queryView, refusal, steps } from './madeQueries';

vi.mock('../../../../extension/webview/shared/charts/text', () => ({ wordWidth: (text: string) => 8 * text.length }));

beforeEach(() => giveElementsSize(1400, 600));

async function open(values: Partial<QuerySchema> = {}, facts: Partial<HostFacts> = {}) {
  const host = new FakeHost();
  const element = await rendered(host.page('query'), <Query />);
  await host.facts(facts);
  await host.answer(queryView(values));
  const field = (): HTMLTextAreaElement => found(element, 'textarea') as HTMLTextAreaElement;
  return {
    host,
    element,
    field,
    write: (text: string) =>
      act(() => {
        field().value = text;
        field().dispatchEvent(new InputEvent('input', { bubbles: true }));
      }),
    ask: () => press(field(), 'Enter', { ctrlKey: true }),
    rows: () =>
      [...element.querySelectorAll('[role=grid][aria-label="Answer"] .row')].map((row) =>
        [...row.querySelectorAll('[role=gridcell]')].map(({ textContent }) => textContent),
      ),
    button: (label: string) =>
      [...element.querySelectorAll('vscode-button, vscode-toolbar-button')].find(
        (each) => each.textContent === label || each.getAttribute('title') === label,
      ),
    choose: (label: string, at: number) =>
      act(() => {
        const select = [...element.querySelectorAll('label.select')].find(({ textContent }) =>
          textContent.startsWith(label),
        );
        const list = found(select as Element, 'select') as HTMLSelectElement;
        list.selectedIndex = at;
        list.dispatchEvent(new Event('change', { bubbles: true }));
      }),
  };
}

test('a query is asked by keyboard, and its answer is a table with units that leads to lines', async () => {
  const { host, element, write, ask, rows } = await open();
  expect(element.textContent).toContain('Write a query, or choose an example');
  await write('select * from lines');
  await ask();
  expect(host.details).toMatchObject({
    details: 'queryAnswer',
    params: { query: 'select * from lines', rows: 10_000 },
  });
  expect(host.sent).toContainEqual({ type: 'keepQuery', query: 'select * from lines' });
  await host.answerDetails(outcome(lines));
  expect(rows()).toEqual([
    ['train.py', 'train.py:12', '21.6 ms', '1 MiB', 'yes'],
    ['model.py', 'model.py:40', '9.57 ms', '2 KiB', 'no'],
    ['–', '', '3.10 ms', '–', '–'],
  ]);
  expect(found(element, '.status-line').textContent).toBe('3 rows · answered in 61.2 ms');
  await click(found(element, '.row button.link'));
  expect(host.sent).toContainEqual({ type: 'goToLine', file: '/home/user/train.py', line: 12 });
});

test('a query can be cancelled, and the next one takes its place', async () => {
  const { host, element, write, ask, button, field } = await open();
  await write('select 1');
  await ask();
  expect(element.textContent).toContain('Asking…');
  const first = host.details;
  await press(field(), 'Escape');
  expect(host.sent.at(-1)).toEqual({ type: 'cancel', id: first.id });
  await nextFrame();
  expect(element.textContent).toContain('The query was ended before it had an answer.');
  await click(button('Run') as Element);
  const second = host.details;
  await ask();
  expect(host.sent).toContainEqual({ type: 'cancel', id: second.id });
  await host.answerDetails(outcome(lines));
  expect(element.textContent).not.toContain('Asking…');
});

test('what is refused or wrong is one sentence, and the answer before is gone', async () => {
  const { host, element, write, ask, rows } = await open();
  await write("copy lines to 'x'");
  await ask();
  await host.answerDetails(refusal('refused', 'COPY is refused: a query is one statement that reads.'));
  expect(found(element, '[role=alert]').textContent).toContain('COPY is refused');
  expect(rows()).toEqual([]);
});

test('the chart of a name and a number has bars, of two numbers a curve, and either its table', async () => {
  const { host, element, write, ask, button, rows } = await open();
  await write('select 1');
  await ask();
  await host.answerDetails(outcome(lines));
  await click(button('Show as Chart') as Element);
  const bars = [...element.querySelectorAll('.answer-bars li')].map(({ textContent }) => textContent);
  expect(bars).toEqual(['train.py:1221.6 ms', 'model.py · 409.57 ms', 'NULL · NULL3.10 ms']);
  await ask();
  await host.answerDetails(outcome(steps));
  expect(found(element, '.answer-curve').getAttribute('aria-label')).toBe('self_ms over step');
  await click(button('Show as Table') as Element);
  expect(rows()).toEqual([
    ['1', '2.50 ms'],
    ['2', '2.40 ms'],
    ['3', '–'],
    ['4', '7.10 ms'],
  ]);
});

test('what can be drawn is told by the columns', () => {
  const of = (columns: typeof lines.columns, rows: typeof lines.rows) => {
    const answer = { ...lines, columns, rows };
    return chartOf(answer, answerRows(answer, {}));
  };
  const [name, number, other] = [
    { name: 'name', kind: 'text', unit: null } as const,
    { name: 'self_ms', kind: 'number', unit: 'ms' } as const,
    { name: 'flops', kind: 'integer', unit: 'flops' } as const,
  ];
  expect(of([name], [['a']])).toBeNull();
  expect(of([name, number], [])).toBeNull();
  expect(of([name, number], [['a', 1]])).toEqual({ kind: 'bars', names: [0], value: 1 });
  expect(of([{ ...number, name: 'op_id', unit: null }], [[3]])).toBeNull();
  // What does not grow has no curve, and what nothing names no bars: it has a point for each row.
  const unordered = [
    [2, 1],
    [1, 1],
  ];
  expect(of([number, other], unordered)).toEqual({ kind: 'points', x: 0, y: 1 });
  expect(of([{ name: 'step', kind: 'integer', unit: null }, number], unordered)).toEqual({
    kind: 'bars',
    names: [0],
    value: 1,
  });
  // Heights begin at zero.
  expect(of([other, number], [[2, -1], ...unordered])).toBeNull();
  expect(
    of(
      [number, other],
      [
        [1, 1],
        [2, 1],
      ],
    ),
  ).toEqual({ kind: 'curve', x: 0, values: [1] });
  expect(
    of(
      [number, other, { ...number, name: 'b_ms' }],
      [
        [1, 1, 1],
        [2, 1, 1],
      ],
    ),
  ).toEqual({
    kind: 'curve',
    x: 0,
    values: [1],
  });
});

test('examples and earlier queries are taken and asked', async () => {
  const { host, choose, field } = await open({}, { queries: ['select 7', 'select 8'] });
  await choose('Examples', 1);
  expect(field().value).toBe('select name, self_ms from ops_ms');
  expect(host.details.params).toMatchObject({ query: 'select name, self_ms from ops_ms' });
  await choose('History', 2);
  expect(host.details.params).toMatchObject({ query: 'select 8' });
});

test('the tables are beside it, with a sentence for each column, and their names at a press', async () => {
  const { element, write, field } = await open();
  const pane = found(element, 'aside');
  expect(pane.textContent).toContain('The number of the line, from 1.');
  await write('select ');
  field().setSelectionRange(7, 7);
  const names = [...pane.querySelectorAll('button')];
  await click(names.find(({ textContent }) => textContent === 'self_ps') as Element);
  expect(field().value).toBe('select self_ps');
  field().setSelectionRange(14, 14);
  await click(names.find(({ textContent }) => textContent === 'path') as Element);
  expect(field().value).toBe('select self_ps path');
});

test('rows that were left out are told, and so is an answer without rows', async () => {
  const { host, element, write, ask } = await open();
  await write('select 1');
  await ask();
  await host.answerDetails(outcome({ ...lines, is_cut: true, left_out: 9997 }));
  expect(found(element, '.notice').textContent).toBe('The first 3 of 10\u202f000 rows: group, or filter with where.');
  await host.answerDetails(outcome({ ...lines, is_cut: true, left_out: null }));
  await ask();
  await host.answerDetails(outcome({ ...lines, rows: [] }));
  expect(element.textContent).toContain('The query has no rows.');
});

test('where DuckDB is missing it can be installed, and the command is named', async () => {
  const { host, element, button, write, ask } = await open({ is_installed: false });
  expect(element.textContent).toContain("pip install 'scopelight[sql]'");
  await click(button('Install DuckDB') as Element);
  expect(host.sent.at(-1)).toEqual({ type: 'run', command: 'scopelight.installQueries' });
  await write('select 1');
  await ask();
  await host.answerDetails(refusal('missing', 'Queries in SQL need DuckDB.'));
  expect(button('Install DuckDB')).toBeDefined();
});

test('another run has no answer yet, and a report none at all', async () => {
  const { host, write, ask, rows } = await open();
  await write('select 1');
  await ask();
  await host.answerDetails(outcome(lines));
  expect(rows()).toHaveLength(3);
  await host.facts({ shownRun: opened('/runs/b'), shownRunGeneration: 2 });
  await host.answer({ ...queryView(), run: opened('/runs/b') });
  expect(rows()).toEqual([]);
  const report = await rendered(host.page('query'), <Query />);
  await host.facts({ isReport: true });
  expect(report.textContent).toContain('A report holds no tables');
});

/** FLOPs and times of ops, in the order of neither. */
const unnamed: QueryAnswer = {
  ...lines,
  columns: [
    { name: 'flops', kind: 'integer', unit: 'flops' },
    { name: 'self_ms', kind: 'number', unit: 'ms' },
  ],
  rows: [
    [2_680_000_000, 5],
    [671_000_000, 2],
    [2_680_000_000, 6],
    [13_100_000, null],
  ],
};

test('two numbers that nothing names are points of one over the other, read with both names', async () => {
  const { host, element, write, ask, button } = await open();
  await write('select flops, self_ms from ops_ms');
  await ask();
  await host.answerDetails(outcome(unnamed));
  await click(button('Show as Chart') as Element);
  expect(element.querySelector('.answer-bars')).toBeNull();
  const chart = found(element, '[role=application]');
  expect(chart.getAttribute('aria-label')).toBe('self_ms over flops');
  const readout = () => found(element, '.answer-curve .readout').textContent;
  await press(chart, 'Home');
  expect(readout()).toBe('flops 671 MFLOP · self_ms 2.00 ms');
  await press(chart, 'End');
  expect(readout()).toBe('flops 2.68 GFLOP · self_ms 6.00 ms');
});

test('columns of an answer are as wide as their numbers, whatever room there is', () => {
  giveElementsSize(300, 600);
  const names = ['self_ms', 'inclusive_ms', 'wall_ms', 'waiting_ms'];
  const answer: QueryAnswer = {
    ...lines,
    columns: names.map((name) => ({ name, kind: 'number', unit: 'ms' })),
    rows: [[115.3, 115.3, 55.9, 0]],
  };
  const columns = fittedColumns(answer, answerRows(answer, {}));
  const laidOut = layout(columns, 300, {});
  expect(laidOut.map(({ column }) => column.title)).toEqual(names);
  const [row] = answerRows(answer, {});
  for (const { column, width_px } of laidOut) {
    expect(width_px).toBeGreaterThanOrEqual(wordWidth(row === undefined ? '' : column.text(row)) + 16);
    expect(width_px).toBeGreaterThanOrEqual(wordWidth(column.title) + 16);
  }
});

test('what came of the query before is dim while the next one is asked', async () => {
  const { host, element, write, ask } = await open();
  await write('select 1');
  await ask();
  await host.answerDetails(outcome(lines));
  expect(found(element, '.answer').getAttribute('aria-busy')).toBe('false');
  await ask();
  expect(found(element, '.answer').getAttribute('aria-busy')).toBe('true');
  const style = readFileSync('extension/webview/panels/query/query.css', 'utf8');
  expect(style).toMatch(/\.answer\[aria-busy='true'\] > :not\(\.asking\) \{\s*opacity: 0\.5/);
});

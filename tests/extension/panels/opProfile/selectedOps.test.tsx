// @vitest-environment happy-dom
import { anEmpty } from '../shared/madeFindings';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import { OpProfile } from '../../../../extension/webview/panels/opProfile/opProfile';
import { opened } from '../../features/fakeDaemon';
import { click, FakeHost, found, giveElementsSize, press, rendered } from '../shared/fakePage';
import { aCard, aProfileRow, manyProfileRows, profileView } from '../shared/madeOps';
import { manyOps, openOpProfile, restored } from './openOpProfile';

beforeEach(() => giveElementsSize(1800, 900));

describe('an op', () => {
  test('is gone to by Enter, double click, link and menu', async () => {
    const { host, row, element, expand } = await openOpProfile();
    await expand('convolution');
    const line = { type: 'goToLine', file: '/w/model.py', line: 3 };
    await press(row('Total'), 'ArrowDown');
    await press(row('convolution'), 'ArrowDown');
    await press(row('dot.1'), 'Enter');
    expect(host.sent.at(-1)).toEqual(line);
    await act(() => void row('dot.1').dispatchEvent(new MouseEvent('dblclick', { bubbles: true })));
    expect(host.sent.at(-1)).toEqual(line);
    await click(found(row('dot.1'), '.link'));
    expect(host.sent.filter((each) => each.type === 'goToLine')).toHaveLength(3);
    await press(row('dot.1'), 'F10', { shiftKey: true });
    const items = [...element.querySelectorAll<HTMLElement>('[role=menuitem]')];
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Go to LineEnter',
      'Show in Timeline',
      'Show in Op Statistics',
      'Show in FLOPs',
      'Show in Flame Graph',
      'Show in Roofline',
      'Show in Graph',
      'Show in Memory Viewer',
      'Show in Hot Lines',
      'Copy RowCtrl+C',
      'Copy Table as TSV',
      'Copy Table as CSV',
    ]);
    await click(items[5] as Element);
    expect(host.sent.at(-1)).toEqual({
      type: 'showIn',
      panel: 'roofline',
      selection: { kind: 'op', key: '7/dot.1', file: '/w/model.py', line: 3 },
    });
  });

  test('has its card beside it', async () => {
    const { host, row, element, expand } = await openOpProfile();
    await expand('convolution');
    await click(row('dot.1'));
    expect(host.details).toMatchObject({ details: 'opCard', params: { key: '7/dot.1', device: null } });
    await host.answerDetails(aCard());
    expect(found(element, 'aside').textContent).toContain('dot(f32[8,512]');
  });

  test('that is an element leads to its line and to its fusion', async () => {
    const { host, row, element, selected, expand } = await openOpProfile();
    await expand('loop fusion');
    await expand('fusion.2');
    await click(row('tanh.5'));
    expect(found(element, 'aside').textContent).toContain('it has no time of its own');
    const [line, fusion] = element.querySelectorAll('aside .link');
    await click(line as Element);
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 5 });
    await click(fusion as Element);
    expect(selected()).toBe('fusion.2');
  });
});

describe('selection', () => {
  test('of an op is told to the other panels, that of a group is not', async () => {
    const { host, row, expand } = await openOpProfile();
    await click(row('convolution'));
    expect(host.sent.some(({ type }) => type === 'select')).toBe(false);
    await expand('convolution');
    await click(row('dot.7'));
    expect(host.sent).toContainEqual({
      type: 'select',
      selection: { kind: 'op', key: '7/dot.7', file: '/w/model.py', line: 4 },
    });
  });

  test('of an op elsewhere opens the path to it, also below the rows that are shown first', async () => {
    const { host, selected, names } = await openOpProfile(manyOps(14));
    await host.facts({ selection: { kind: 'op', key: '7/op.12', file: null, line: null } });
    expect(selected()).toBe('op.12');
    expect(names()).toContain('4 more');
  });

  test('of a line elsewhere selects its heaviest op, and stays where an op of the line is selected', async () => {
    const { host, selected, row, expand } = await openOpProfile();
    await host.facts({ selection: { kind: 'line', file: '/w/model.py', line: 4 } });
    expect(selected()).toBe('fusion.2');
    await expand('convolution');
    await click(row('dot.7'));
    await host.facts({ selection: { kind: 'op', key: '7/dot.7', file: '/w/model.py', line: 4 } });
    expect(selected()).toBe('dot.7');
  });

  test('of a group is shown in the panels that have it, where that is asked for', async () => {
    const { host, row, element } = await openOpProfile();
    await click(row('convolution'));
    await press(row('convolution'), 'F10', { shiftKey: true });
    const items = () => [...element.querySelectorAll<HTMLElement>('[role=menuitem]')];
    expect(items().map(({ textContent }) => textContent)).toEqual([
      'Show in Op Statistics',
      'Show in Roofline',
      'Expand→',
      'Copy RowCtrl+C',
      'Copy Table as TSV',
      'Copy Table as CSV',
    ]);
    await click(items()[0] as Element);
    const selection = { kind: 'category', name: 'convolution', file: null, line: null };
    expect(host.sent.at(-1)).toEqual({ type: 'showIn', panel: 'opStatistics', selection });
    await press(row('convolution'), 'F10', { shiftKey: true });
    await click(items()[2] as Element);
    expect(row('convolution').getAttribute('aria-expanded')).toBe('true');
    await press(row('convolution'), 'F10', { shiftKey: true });
    expect(items()[2]?.textContent).toBe('Collapse←');
  });

  test('of a group elsewhere brings its grouping, once', async () => {
    const { host, selected, button } = await openOpProfile();
    await host.facts({ selection: { kind: 'category', name: 'loop fusion', file: null, line: null } });
    expect(selected()).toBe('loop fusion');
    const selection = { kind: 'scope', name: 'block/mlp', file: null, line: null } as const;
    await host.facts({ selection });
    expect(host.request.params).toEqual({ by: 'scope', device: null });
    const rows = [
      aProfileRow({ key: 'total', depth: 0, kind: 'total', label: 'total' }),
      aProfileRow({ key: 'scope:block', depth: 1, kind: 'scope', label: 'block' }),
      aProfileRow({ key: 'scope:block/mlp', depth: 2, kind: 'scope', label: 'mlp' }),
    ];
    await host.answer(profileView({ grouping: 'scope', rows }));
    expect(selected()).toBe('mlp');
    await click(button('Category'));
    await host.answer(profileView());
    expect(button('Category').getAttribute('aria-checked')).toBe('true');
  });

  test('follows another panel once, and then the person here', async () => {
    const { host, selected, row, button } = await openOpProfile();
    await host.facts({ selection: { kind: 'op', key: '7/dot.1', file: '/w/model.py', line: 3 } });
    expect(selected()).toBe('dot.1');
    await click(row('loop fusion'));
    await click(button('Exclude Idle'));
    expect(selected()).toBe('loop fusion');
  });
});

describe('states', () => {
  test('a record without rows says why and what to do', async () => {
    const { element } = await openOpProfile(
      profileView({ rows: [], findings: anEmpty('Nothing ran.', 'Capture a step.') }),
    );
    expect(element.textContent).toBe('Nothing ran.Capture a step.');
  });

  test('a program that did not run leads to its FLOPs, and what is code is written as code', async () => {
    const host = new FakeHost();
    const element = await rendered(host.page('opProfile'), <OpProfile />);
    await host.facts({ shownRun: opened('/runs/a', { never_ran: true }) });
    const remedy = 'Open a profile of a run instead; `scopelight run SCRIPT` makes one.';
    await host.answer(profileView({ rows: [], findings: anEmpty('Nothing of it ran.', remedy) }));
    expect(found(element, '.remedy code').textContent).toBe('scopelight run SCRIPT');
    expect(element.textContent).not.toContain('`');
    const buttons = [...element.querySelectorAll('vscode-button')];
    expect(buttons.map(({ textContent }) => textContent)).toEqual([
      'Show FLOPs',
      'Show Graph',
      'Show Memory Viewer',
      'Open a Profile',
    ]);
    await click(buttons[0] as Element);
    expect(host.sent.at(-1)).toEqual({ type: 'run', command: 'scopelight.openFlops' });
    await click(buttons[2] as Element);
    expect(host.sent.at(-1)).toEqual({ type: 'run', command: 'scopelight.openMemoryViewer' });
  });

  test.each([
    [{ memory_alone: true, has: ['memory'] as const }, ['Show Memory Profile', 'Open a Profile']],
    [{ never_ran: true, has: [] }, ['Show FLOPs', 'Open a Profile']],
    [{}, []],
  ])('a record without rows leads to the panels that have something of its run: %o', async (changes, expected) => {
    const host = new FakeHost();
    const element = await rendered(host.page('opProfile'), <OpProfile />);
    await host.facts({ shownRun: opened('/runs/a', changes) });
    await host.answer(profileView({ rows: [], findings: anEmpty('Nothing of it ran.') }));
    const buttons = [...element.querySelectorAll('vscode-button')];
    expect(buttons.map(({ textContent }) => textContent)).toEqual(expected);
  });

  test('is as it was left after a reload', async () => {
    const host = new FakeHost();
    const first = await openOpProfile(profileView(), host);
    await first.expand('convolution');
    await click(first.row('dot.7'));
    const again = await openOpProfile(profileView(), host);
    expect(again.names()).toContain('dot.7');
    expect(again.selected()).toBe('dot.7');
  });

  test('a narrow page has the columns that matter', async () => {
    giveElementsSize(420, 700);
    const { element } = await openOpProfile();
    const headers = [...element.querySelectorAll('main [role=columnheader]')].map(({ textContent }) => textContent);
    expect(headers).toEqual(['Name', 'Of op time']);
  });

  test('a page that is ordered by wasted time shows it, however narrow it is', async () => {
    giveElementsSize(420, 700);
    const { element, button } = await openOpProfile();
    await click(button('Wasted Time'));
    const headers = [...element.querySelectorAll('main [role=columnheader]')].map(({ textContent }) => textContent);
    expect(headers).toEqual(['Name', 'Of op time', 'Wasted']);
  });
});

// The stand-in for a browser takes long for a page of rows; how long a browser takes is measured in one.
describe('30,000 ops', { timeout: 60_000 }, () => {
  const all = profileView({ rows: manyProfileRows(30_000) });
  const size = (element: Element) => element.querySelectorAll('*').length;

  test('are opened, sorted and searched with few elements on the page', async () => {
    const { element, names, button, status, expand } = await openOpProfile(all, restored({ top: false }));
    await expand('convolution');
    expect(found(element, 'main [role=treegrid]').getAttribute('aria-rowcount')).toBe('30003');
    expect(names().slice(0, 3)).toEqual(['Total', 'convolution', 'dot.0']);
    expect(size(element)).toBeLessThan(2000);
    await click(button('Wasted Time'));
    expect(names()[2]).toBe('dot.29999');
    expect(size(element)).toBeLessThan(2000);
    await click(found(element, '[role=columnheader]'));
    expect(names().slice(2, 5)).toEqual(['dot.0', 'dot.1', 'dot.2']);
    const field = found(element, 'vscode-textfield') as HTMLElement & { value: string };
    await act(() => {
      field.value = 'dot.2999';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    expect(names().slice(2)).toHaveLength(11);
    expect(status()).toContain('11 rows have “dot.2999”');
  });

  test('are walked by keys', async () => {
    const { element, row, selected, expand } = await openOpProfile(all, restored({ top: false }));
    await expand('convolution');
    await press(row('Total'), 'End');
    expect(selected()).toBe('dot.29999');
    await press(found(element, 'main [aria-selected=true]'), 'Home');
    expect(selected()).toBe('Total');
  });
});

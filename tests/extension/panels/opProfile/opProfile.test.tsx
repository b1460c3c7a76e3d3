// @vitest-environment happy-dom
import { aFinding, anEmpty, noUtilisation } from '../shared/madeFindings';
import { act } from 'preact/test-utils';
import type { OpProfileRow } from '../../../../extension/src/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { OpProfile } from '../../../../extension/webview/panels/opProfile/opProfile';
import { opened } from '../../features/fakeDaemon';
import { click, FakeHost, found, giveElementsSize, press, rendered, rowName } from '../shared/fakePage';
import { aCard, aProfileRow, manyProfileRows, MS, profileRows, profileView } from '../shared/madeOps';

beforeEach(() => giveElementsSize(1800, 900));

async function open(view = profileView(), host = new FakeHost()) {
  const element = await rendered(host.page('opProfile'), <OpProfile />);
  await host.facts();
  await host.answer(view);
  const elements = () => [...element.querySelectorAll<HTMLElement>('main .row')];
  const names = () => elements().map(rowName);
  const row = (name: string) => {
    const one = elements().find((each) => rowName(each) === name);
    if (one === undefined) {
      throw new Error(`No row is ${name}`);
    }
    return one;
  };
  const expand = (name: string) => click(found(row(name), '.twistie'));
  const cell = (name: string, column: string) => {
    const at = [...element.querySelectorAll('main [role=columnheader]')].findIndex((header) =>
      header.textContent.startsWith(column),
    );
    return found(row(name), `[role=gridcell]:nth-child(${at + 1})`);
  };
  const button = (text: string) => {
    const one = [...element.querySelectorAll<HTMLElement>('.tool-row button')].find(
      (each) => each.textContent === text,
    );
    if (one === undefined) {
      throw new Error(`No button is ${text}`);
    }
    return one;
  };
  const selected = () => {
    const row = element.querySelector('main [role=row][aria-selected=true]');
    return row === null ? undefined : rowName(row);
  };
  const status = () => found(element, '.status-line').textContent;
  return { element, host, names, row, expand, cell, button, selected, status };
}

/** A category with so many ops: 100, 99, 98, … ms. */
function manyOps(count: number) {
  return profileView({
    rows: [
      aProfileRow({ key: 'total', depth: 0, kind: 'total', label: 'total' }),
      ...Array.from({ length: count }, (_, index) =>
        aProfileRow({
          key: `7/op.${String(index)}`,
          op_key: `7/op.${String(index)}`,
          depth: 1,
          label: `op.${String(index)}`,
          self_ps: (100 - index) * MS,
          wasted_ps: index * MS,
        }),
      ),
    ],
  });
}

const restored = (values: Record<string, unknown>) => {
  const host = new FakeHost();
  host.state = { panel: 'opProfile', values };
  return host;
};

describe('the tree', () => {
  test('opens from the whole to the groups, their ops, and the elements of a fusion', async () => {
    const { names, row } = await open();
    expect(names()).toEqual(['Total', 'convolution', 'loop fusion']);
    await press(row('Total'), 'End');
    await press(row('loop fusion'), 'ArrowRight');
    expect(names()).toEqual(['Total', 'convolution', 'loop fusion', 'fusion.2']);
    await click(found(row('fusion.2'), '.twistie'));
    expect(names()).toEqual(['Total', 'convolution', 'loop fusion', 'fusion.2', 'tanh.5', 'constant.6']);
    expect(row('tanh.5').getAttribute('aria-level')).toBe('4');
    await press(row('loop fusion'), 'ArrowLeft');
    expect(names()).toEqual(['Total', 'convolution', 'loop fusion']);
  });

  test('gives shares of the op time, which the groups sum to', async () => {
    const { cell } = await open();
    expect(cell('Total', 'Of op time').textContent).toBe('100.0 %');
    expect(cell('Total', 'Self').textContent).toBe('100 ms');
    expect(cell('convolution', 'Of op time').textContent).toBe('65.0 %');
    expect(cell('loop fusion', 'Of op time').textContent).toBe('35.0 %');
    expect(cell('convolution', 'Of op time').title).toBe('65 ms of 100 ms');
  });

  test('shows idle time on request, and shares are then of both', async () => {
    const { names, button, cell, status } = await open();
    expect(status()).toContain(
      '3 ops took 100 ms of op time over the whole window, 120 ms · 20.0 ms idle excluded, 16.7 % of the wall clock',
    );
    await click(button('Exclude Idle'));
    const idle = 'Idle, in the whole window';
    expect(names()).toEqual(['Total', 'convolution', 'loop fusion', idle]);
    expect(cell('Total', 'Self').textContent).toBe('120 ms');
    expect(cell(idle, 'Name').title).toBe('16.7 % of the wall clock over the whole window, 120 ms');
    expect(cell(idle, 'Of all time').textContent).toBe('16.7 %');
    expect(cell('convolution', 'Of all time').textContent).toBe('54.2 %');
    expect(status()).toContain('20.0 ms idle, 16.7 % of the wall clock');
    expect(status()).not.toContain('excluded');
  });

  test('asks for another grouping, and keeps what it shows until that is there', async () => {
    const { host, names, button } = await open();
    await click(button('Source Line'));
    expect(host.request.params).toEqual({ by: 'line', device: null });
    expect(names()).toContain('convolution');
    const line = aProfileRow({
      key: 'line:model.py:3',
      depth: 1,
      kind: 'line',
      path: 'model.py',
      file: '/w/model.py',
      line: 3,
    });
    await host.answer(profileView({ grouping: 'line', rows: [...profileRows().slice(0, 1), line] }));
    expect(names()).toEqual(['Total', 'model.py:3']);
  });

  test('asks for one device where there are several', async () => {
    const { element, host } = await open(profileView({}, ['TPU:0', 'TPU:1']));
    const select = found(element, '.top-bar label:not(.scope) select') as HTMLSelectElement;
    expect([...select.options].map(({ text }) => text)).toEqual(['All 2 devices', 'TPU:0', 'TPU:1']);
    await act(() => {
      select.selectedIndex = 2;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    expect(host.request.params).toEqual({ by: 'category', device: 'TPU:1' });
    // Another run has devices of its own.
    await host.facts({ shownRun: opened('/runs/b'), shownRunGeneration: 2 });
    expect(host.request.params).toEqual({ by: 'category', device: null });
    const { element: ofOne } = await open();
    expect(ofOne.querySelector('.top-bar label:not(.scope)')).toBeNull();
  });
});

describe('what is expensive', () => {
  test('is shown first: ten rows, and the others below one that opens', async () => {
    const { names, cell, expand } = await open(manyOps(14));
    expect(names()).toHaveLength(12);
    expect(names().at(-1)).toBe('4 more');
    // 90 + 89 + 88 + 87 ms
    expect(cell('4 more', 'Self').textContent).toBe('354 ms');
    await expand('4 more');
    expect(names().slice(-4)).toEqual(['op.10', 'op.11', 'op.12', 'op.13']);
  });

  test('is as many rows as the limit says, or all', async () => {
    const { names, button, element } = await open(manyOps(40));
    const select = found(element, '.tool-row select') as HTMLSelectElement;
    await act(() => {
      select.selectedIndex = 1;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    expect(names().at(-1)).toBe('20 more');
    await click(button('Top 20'));
    expect(names()).toHaveLength(41);
  });

  test('is what makes up 90 % of a row, where that is asked for', async () => {
    const times = [60, 31, 5, 4];
    const { rows } = manyOps(4).record;
    const view = profileView({
      rows: rows.map((each, at) => (each.kind === 'op' ? { ...each, self_ps: (times[at - 1] ?? 0) * MS } : each)),
    });
    const { names, button, cell } = await open(view);
    expect(names()).toHaveLength(5);
    await click(button('Top 90 %'));
    expect(names()).toEqual(['Total', 'op.0', 'op.1', '2 more']);
    expect(cell('2 more', 'Self').textContent).toBe('9.00 ms');
  });

  test('is ordered by wasted time, and chosen by it', async () => {
    const { names, button } = await open(manyOps(14));
    await click(button('Wasted Time'));
    expect(names().slice(0, 3)).toEqual(['Total', 'op.13', 'op.12']);
    expect(names().at(-1)).toBe('4 more');
    expect(names()).not.toContain('op.0');
  });

  test('never stands between a person and a search', async () => {
    const { names, status } = await open(manyOps(40), restored({ search: 'op.39' }));
    expect(names()).toEqual(['Total', 'op.39']);
    expect(status()).toContain('1 row has “op.39”');
  });
});

describe('the search', () => {
  test('opens the path to what it finds, by name and by line', async () => {
    const { names, status } = await open(profileView(), restored({ search: 'tanh' }));
    expect(names()).toEqual(['Total', 'loop fusion', 'fusion.2', 'tanh.5']);
    expect(status()).toContain('1 row has “tanh”');
    const byLine = await open(profileView(), restored({ search: 'model.py:4' }));
    expect(byLine.names()).toEqual(['Total', 'convolution', 'dot.7', 'loop fusion', 'fusion.2']);
    expect(byLine.status()).toContain('2 rows have');
  });

  test('opens a row that was found itself too, where more was found below it', async () => {
    const { names } = await open(profileView(), restored({ search: 'fusion' }));
    expect(names()).toEqual(['Total', 'loop fusion', 'fusion.2']);
  });

  test('says when there is nothing', async () => {
    const { element, names } = await open(profileView(), restored({ search: 'absent' }));
    expect(names()).toEqual([]);
    expect(element.textContent).toContain('No row has “absent”.');
  });
});

describe('utilisation', () => {
  test('is a number beside its bar, graded besides', async () => {
    const { cell } = await open();
    expect(cell('convolution', 'FLOP utilisation').textContent).toBe('60.0 %');
    expect(cell('convolution', 'FLOP utilisation').className).toContain('metered high');
    expect(cell('convolution', 'Bandwidth').style.getPropertyValue('--fill')).toBe('max(1px, 9.76%)');
  });

  test('above the peak is the number that it is, in a full bar, and says why', async () => {
    const note = 'Faster than the measured peak: its data was in cache.';
    const rows = profileRows().map((each) =>
      each.label === 'convolution'
        ? { ...each, bandwidth_utilisation_ratio: 1.304, findings: [aFinding('note', note)] }
        : each,
    );
    const { cell, row, element } = await open(profileView({ rows }));
    expect(cell('convolution', 'Bandwidth').textContent).toBe('130.4 %');
    expect(cell('convolution', 'Bandwidth').style.getPropertyValue('--fill')).toBe('max(1px, 100%)');
    expect(cell('convolution', 'Bandwidth').title).toBe(`130.4 % of the peak\n${note}`);
    await click(row('convolution'));
    expect(found(element, 'aside').textContent).toContain(note);
  });

  test('that leaves out work without a known peak is at least that', async () => {
    const note = 'Some of the FLOPs are of a type whose peak is not known.';
    const rows = profileRows().map((each) =>
      each.label === 'convolution' ? { ...each, utilisation_is_least: true, findings: [aFinding('note', note)] } : each,
    );
    const { cell } = await open(profileView({ rows }));
    expect(cell('convolution', 'FLOP utilisation').textContent).toBe('≥ 60.0 %');
    expect(cell('convolution', 'FLOP utilisation').title).toContain(note);
    expect(cell('convolution', 'Bandwidth').textContent).toBe('9.8 %');
  });

  test('of a type without a peak is a dash with the note that says so', async () => {
    const note = 'The peak of the type that it computes in is not known.';
    const rows = profileRows().map((each) =>
      each.label === 'convolution'
        ? { ...each, flop_utilisation_ratio: null, findings: [aFinding('note', note)] }
        : each,
    );
    const { cell } = await open(profileView({ rows }));
    expect(cell('convolution', 'FLOP utilisation').textContent).toBe('–');
    expect(cell('convolution', 'FLOP utilisation').title).toBe(note);
  });

  test('that is unknown is a dash that says why', async () => {
    const { cell, expand } = await open();
    expect(cell('loop fusion', 'FLOP utilisation').textContent).toBe('–');
    expect(cell('loop fusion', 'FLOP utilisation').title).toBe('The FLOPs are not known.');
    expect(cell('loop fusion', 'FLOP utilisation').className).toContain('unmetered');
    await expand('loop fusion');
    await expand('fusion.2');
    expect(cell('tanh.5', 'Of op time').textContent).toBe('');
    expect(cell('tanh.5', 'FLOPs').textContent).toBe('1.00 GFLOP');
    expect(cell('constant.6', 'FLOPs').textContent).toBe('–');
  });

  test('counts ops, not the rows that they have where lines share them', async () => {
    const rows = profileRows();
    const dot = rows.find(({ label }) => label === 'dot.1') as OpProfileRow;
    const { status } = await open(
      profileView({ rows: [...rows, { ...dot, key: 'again', op_key: dot.op_key ?? dot.key }] }),
    );
    expect(status()).toContain('3 ops took 100 ms of op time over the whole window, 120 ms · in 4 rows');
    expect((await open()).status()).not.toContain('rows');
  });

  test('without a peak says once why, and what to do', async () => {
    const unknown = {
      flop_utilisation_ratio: null,
      bandwidth_utilisation_ratio: null,
      wasted_ps: null,
      bound_by: null,
    };
    const rows = profileRows().map((each) => ({ ...each, ...unknown }));
    const { element } = await open(
      profileView({ rows, findings: noUtilisation('The CPU was not calibrated.', 'Capture it again.') }),
    );
    const notices = [...element.querySelectorAll('.notice')].map(({ textContent }) => textContent);
    expect(notices).toEqual(['The CPU was not calibrated. Capture it again.']);
    // Of no peak there is no share: neither a column nor an order of it.
    const headers = [...element.querySelectorAll('main [role=columnheader]')].map(({ textContent }) => textContent);
    expect(headers).toEqual(['Name', 'Of op time', 'Self', 'FLOPs', 'Executions', 'Line']);
    expect(element.textContent).not.toContain('Wasted');
  });
});

describe('an op', () => {
  test('is gone to by Enter, double click, link and menu', async () => {
    const { host, row, element, expand } = await open();
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
    const { host, row, element, expand } = await open();
    await expand('convolution');
    await click(row('dot.1'));
    expect(host.details).toMatchObject({ details: 'opCard', params: { key: '7/dot.1', device: null } });
    await host.answerDetails(aCard());
    expect(found(element, 'aside').textContent).toContain('dot(f32[8,512]');
  });

  test('that is an element leads to its line and to its fusion', async () => {
    const { host, row, element, selected, expand } = await open();
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
    const { host, row, expand } = await open();
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
    const { host, selected, names } = await open(manyOps(14));
    await host.facts({ selection: { kind: 'op', key: '7/op.12', file: null, line: null } });
    expect(selected()).toBe('op.12');
    expect(names()).toContain('4 more');
  });

  test('of a line elsewhere selects its heaviest op, and stays where an op of the line is selected', async () => {
    const { host, selected, row, expand } = await open();
    await host.facts({ selection: { kind: 'line', file: '/w/model.py', line: 4 } });
    expect(selected()).toBe('fusion.2');
    await expand('convolution');
    await click(row('dot.7'));
    await host.facts({ selection: { kind: 'op', key: '7/dot.7', file: '/w/model.py', line: 4 } });
    expect(selected()).toBe('dot.7');
  });

  test('of a group is shown in the panels that have it, where that is asked for', async () => {
    const { host, row, element } = await open();
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
    const { host, selected, button } = await open();
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
    const { host, selected, row, button } = await open();
    await host.facts({ selection: { kind: 'op', key: '7/dot.1', file: '/w/model.py', line: 3 } });
    expect(selected()).toBe('dot.1');
    await click(row('loop fusion'));
    await click(button('Exclude Idle'));
    expect(selected()).toBe('loop fusion');
  });
});

describe('states', () => {
  test('a record without rows says why and what to do', async () => {
    const { element } = await open(profileView({ rows: [], findings: anEmpty('Nothing ran.', 'Capture a step.') }));
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
      'Show Memory Viewer',
      'Open a Profile',
    ]);
    await click(buttons[0] as Element);
    expect(host.sent.at(-1)).toEqual({ type: 'run', command: 'scopelight.openFlops' });
    await click(buttons[1] as Element);
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
    const first = await open(profileView(), host);
    await first.expand('convolution');
    await click(first.row('dot.7'));
    const again = await open(profileView(), host);
    expect(again.names()).toContain('dot.7');
    expect(again.selected()).toBe('dot.7');
  });

  test('a narrow page has the columns that matter', async () => {
    giveElementsSize(420, 700);
    const { element } = await open();
    const headers = [...element.querySelectorAll('main [role=columnheader]')].map(({ textContent }) => textContent);
    expect(headers).toEqual(['Name', 'Of op time']);
  });

  test('a page that is ordered by wasted time shows it, however narrow it is', async () => {
    giveElementsSize(420, 700);
    const { element, button } = await open();
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
    const { element, names, button, status, expand } = await open(all, restored({ top: false }));
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
    const { element, row, selected, expand } = await open(all, restored({ top: false }));
    await expand('convolution');
    await press(row('Total'), 'End');
    expect(selected()).toBe('dot.29999');
    await press(found(element, 'main [aria-selected=true]'), 'Home');
    expect(selected()).toBe('Total');
  });
});

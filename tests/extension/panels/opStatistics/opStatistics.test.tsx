// @vitest-environment happy-dom
import { anEmpty, noUtilisation } from '../shared/madeFindings';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import { opColumns } from '../../../../extension/webview/panels/opStatistics/columns';
import { OpStatistics } from '../../../../extension/webview/panels/opStatistics/opStatistics';
import { opTypes, REST } from '../../../../extension/webview/panels/opStatistics/types';
import type { TypesShown } from '../../../../extension/webview/panels/opStatistics/typesView';
import { aComparedNode, aComparedTree, someSides } from '../shared/madeChanges';
import { click, FakeHost, found, giveElementsSize, press, rendered } from '../shared/fakePage';
import { aCard, anOpRow, manyOpRows, MS, opRows, opsView } from '../shared/madeOps';
import { namedRowsIn, toolButton } from '../shared/rowsIn';
import { anExtent, aProgram, aWindow } from '../shared/madeExtents';

beforeEach(() => giveElementsSize(2400, 900));

const everyColumn = opColumns(opsView().record).map(({ id }) => id);

/** A host of a page in which the types were last shown in some way. */
function shownAs(types: TypesShown): FakeHost {
  const host = new FakeHost();
  host.state = { panel: 'opStatistics', values: { types } };
  return host;
}

async function open(view = opsView(), host = shownAs('bars')) {
  const element = await rendered(host.page('opStatistics'), <OpStatistics />);
  await host.facts();
  await host.answer(view);
  const table = () => found(element, '[role=grid][aria-label="Ops"]');
  const { names, row, selected } = namedRowsIn(table);
  const headers = () => [...table().querySelectorAll('[role=columnheader]')].map(({ textContent }) => textContent);
  const cell = (name: string, column: string) =>
    found(row(name), `[role=gridcell]:nth-child(${headers().indexOf(column) + 1})`);
  const button = (text: string) => toolButton(element, text);
  const types = () => [...element.querySelectorAll<HTMLElement>('.types-list .type')];
  const status = () => found(element, '.status-line').textContent;
  const search = (text: string) => {
    const field = found(element, 'vscode-textfield') as HTMLElement & { value: string };
    return act(() => {
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
  };
  return { element, host, names, headers, row, cell, button, types, status, selected, search };
}

/** An op of each of many types, the longest first. */
function manyTypes(count: number) {
  return Array.from({ length: count }, (_, index) =>
    anOpRow({
      key: `k${String(index)}`,
      name: `op.${String(index)}`,
      category: `type ${String(index)}`,
      self_ps: (count - index) * MS,
    }),
  );
}

/** The same ops, of compiled programs alone. */
function didNotRunView() {
  const rows = opRows().map((each) => ({ ...each, executions: 0, self_ps: 0, wall_ps: 0, share_ratio: 0, mean_ps: 0 }));
  return opsView({ rows, op_time_ps: 0, extent: aProgram }, []);
}

describe('types', () => {
  test('are a table at first, and what they are shown as is kept', async () => {
    const host = new FakeHost();
    const { element, button } = await open(opsView(), host);
    const table = found(element, '[role=grid][aria-label="Types of ops"]');
    expect(table.querySelector('.row')?.textContent).toBe('convolution60.0 %60.0 ms12.0 ms51');
    await click(button('Hidden'));
    expect(element.querySelector('.types')).toBeNull();
    expect(host.state).toMatchObject({ values: { types: 'none' } });
  });

  test('are as bars, each with its number, name, share and time', async () => {
    const { element, types } = await open();
    expect(types().map(({ textContent }) => textContent)).toEqual([
      '1convolution60.0 %60.0 ms',
      '2loop fusion25.0 %25.0 ms',
      '3custom-call10.0 %10.0 ms',
      '4infeed5.0 %5.00 ms',
    ]);
    expect(element.querySelector('svg.pie')).toBeNull();
    const fills = types().map((type) => found(type, '.meter').style.getPropertyValue('--fill'));
    expect(fills[0]).toBe('max(1px, 100%)');
    expect(fills[1]).toMatch(/^max\(1px, 41\.66/);
  });

  test('are as a pie with a name and a line to it for each slice', async () => {
    const { element, types } = await open(opsView(), shownAs('pie'));
    const texts = ['convolution60.0 %', 'loop fusion25.0 %', 'custom-call10.0 %', 'infeed5.0 %'];
    expect(types().map(({ textContent }) => textContent)).toEqual(texts);
    expect(element.querySelectorAll('.pie .slice')).toHaveLength(4);
    expect(element.querySelectorAll('.pie-lines polyline')).toHaveLength(4);
    expect(types()[1]?.title).toBe('loop fusion: 25 ms of 1 ops in 10 executions');
  });

  test('are a list where there is no room for names around a pie', async () => {
    giveElementsSize(390, 900);
    const { element, types } = await open(opsView(), shownAs('pie'));
    expect(element.querySelector('svg.pie')).toBeNull();
    expect(types()[0]?.textContent).toBe('1convolution60.0 %60.0 ms');
  });

  test('show their ops alone when they are pressed, by mouse and by keyboard', async () => {
    const { element, types, names, status, button } = await open(opsView(), shownAs('pie'));
    await click(types()[1] as Element);
    expect(names()).toEqual(['fusion.2']);
    expect(types()[1]?.getAttribute('aria-pressed')).toBe('true');
    expect(status()).toContain('1 of 4 ops: loop fusion');
    await click(button('loop fusion'));
    expect(names()).toHaveLength(4);
    await click(found(element, '.slice:nth-child(3)'));
    expect(names()).toEqual(['custom-call.9']);
    await press(found(element, '.types-list'), 'End');
    expect(document.activeElement).toBe(types()[3]);
    await press(found(element, '.types-list'), 'ArrowUp');
    expect(document.activeElement).toBe(types()[2]);
    expect(types().filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  });

  test('beyond twenty are one, and their times sum to those of the ops', () => {
    const rows = manyTypes(25);
    const types = opTypes(rows);
    expect(types).toHaveLength(21);
    expect(types.at(-1)).toMatchObject({ key: REST, amount: 15 * MS, ops: 5 });
    expect(types.reduce((sum, { amount }) => sum + amount, 0)).toBe(325 * MS);
    expect(types.reduce((sum, { share_ratio }) => sum + share_ratio, 0)).toBeCloseTo(1, 12);
    expect(opTypes(rows.slice(0, 21))).toHaveLength(21);
    expect(opTypes(rows.slice(0, 21)).at(-1)?.key).toBe('type 20');
  });

  test('look different each, by hue and pattern, in the pie as in its names', async () => {
    const { types, element } = await open(opsView({ rows: manyTypes(25) }), shownAs('pie'));
    const look = (element: Element) => `${element.getAttribute('class') ?? ''} ${element.getAttribute('style') ?? ''}`;
    const marks = types().map((type) => look(found(type, '.type-mark')));
    expect(new Set(marks).size).toBe(9);
    const slices = [...element.querySelectorAll('.pie .slice')].map(
      (slice) => `${look(slice)} ${slice.querySelector('.sector-pattern')?.getAttribute('fill') ?? ''}`,
    );
    expect(new Set(slices).size).toBe(9);
    for (const pattern of element.querySelectorAll('.pie .sector-pattern')) {
      const id = /url\(#(.*)\)/.exec(pattern.getAttribute('fill') ?? '')?.[1] ?? '';
      expect(element.querySelector(`.pie pattern#${id}`)).not.toBeNull();
    }
    const listed = (await open(opsView({ rows: manyTypes(25) }))).types();
    expect(new Set(listed.map((type) => look(found(type, '.type-mark')))).size).toBe(21);
  });

  test('beyond eight have one slice, with the ops of all of them', async () => {
    const { types, names } = await open(opsView({ rows: manyTypes(12) }), shownAs('pie'));
    expect(types().map(({ textContent }) => textContent)[8]).toMatch(/^4 other types/);
    await click(types()[8] as Element);
    expect(names()).toEqual(['op.8', 'op.9', 'op.10', 'op.11']);
  });

  test('that have no slice of their own stay chosen in the pie', async () => {
    const { types, names, button } = await open(opsView({ rows: manyTypes(12) }));
    await click(types()[10] as Element);
    await click(button('Pie'));
    expect(names()).toEqual(['op.10']);
    await click(button('type 10'));
    expect(names()).toHaveLength(12);
  });

  test('that stand for others show the ops of those', async () => {
    const { types, names } = await open(opsView({ rows: manyTypes(25) }));
    expect(types().at(-1)?.textContent).toContain('5 other types');
    await click(types().at(-1) as Element);
    expect(names()).toEqual(['op.20', 'op.21', 'op.22', 'op.23', 'op.24']);
  });
});

describe('the table', () => {
  test('lists the ops by share, the longest first', async () => {
    const { names, cell, headers } = await open();
    expect(names()).toEqual(['dot.1', 'fusion.2', 'custom-call.9', 'infeed.4']);
    expect(headers()).toEqual([
      'Op',
      'Type',
      'Side',
      'Of op time',
      'Self',
      'Mean',
      'Executions',
      'FLOP rate',
      'FLOP utilisation',
      'Bandwidth',
      'Bound by',
      'Line',
      'Shape',
    ]);
    expect(cell('dot.1', 'Mean').textContent).toBe('12.0 ms');
    expect(cell('dot.1', 'FLOP rate').textContent).toBe('600 GFLOP/s');
    expect(cell('fusion.2', 'Bound by').textContent).toBe('main memory');
    expect(cell('fusion.2', 'Line').textContent).toBe('model.py:4');
  });

  test('tells device, host and callback apart by word and icon, and shows one alone', async () => {
    const { cell, button, names, types, status } = await open();
    expect(cell('dot.1', 'Side').textContent.trim()).toBe('device');
    expect(cell('infeed.4', 'Side').textContent.trim()).toBe('host');
    expect(cell('custom-call.9', 'Side').textContent.trim()).toBe('callback');
    const icons = ['dot.1', 'infeed.4', 'custom-call.9'].map((name) => found(cell(name, 'Side'), '.codicon').className);
    expect(new Set(icons).size).toBe(3);
    await click(button('callback 1'));
    expect(names()).toEqual(['custom-call.9']);
    expect(types().map(({ textContent }) => textContent)).toEqual(['1custom-call100.0 %10.0 ms']);
    expect(status()).toContain('1 of 4 ops: callback');
  });

  test('has no choice of sides where there is one only', async () => {
    const { element, headers } = await open(opsView({ rows: opRows().slice(0, 2) }));
    expect(element.querySelector('[aria-label="Side"]')).toBeNull();
    expect(headers()).not.toContain('Side');
  });

  test('never writes the unknown as nothing, and says why it is unknown', async () => {
    const { cell } = await open();
    expect(cell('custom-call.9', 'FLOP utilisation').textContent).toBe('–');
    expect(cell('custom-call.9', 'FLOP utilisation').title).toBe('The FLOPs are not known.');
    expect(cell('infeed.4', 'FLOP utilisation').textContent).toBe('0.0 %');
    const without = await open(
      opsView({
        rows: opRows().map((each) => ({ ...each, flop_utilisation_ratio: null, bandwidth_utilisation_ratio: null })),
        findings: noUtilisation('The CPU was not calibrated.'),
      }),
    );
    // Of no peak there is no share.
    expect(without.headers()).not.toContain('FLOP utilisation');
    expect(without.headers()).not.toContain('Bandwidth');
    expect(without.element.querySelectorAll('.notice')).toHaveLength(1);
  });

  test('has columns of a step where complete steps are looked at, and none where they are not', async () => {
    for (const [extent, isThere] of [
      [anExtent(), true],
      [aWindow(120), false],
    ] as const) {
      const { element, button } = await open(opsView({ extent }));
      await click(button('Columns'));
      const offered = [...element.querySelectorAll('.column-ticks label')].map(({ textContent }) => textContent);
      expect(offered.includes('Per step')).toBe(isThere);
      expect(offered.includes('Executions/step')).toBe(isThere);
    }
  });

  test('of a program that did not run has what its ops compute instead of times', async () => {
    const { element, headers, cell, names, status, types } = await open(didNotRunView());
    expect(names()[0]).toBe('dot.1');
    expect(headers()).not.toContain('Of op time');
    expect(headers()).not.toContain('Self');
    expect(cell('dot.1', 'FLOPs').textContent).toBe('36.0 GFLOP');
    expect(cell('dot.1', 'Bytes').textContent).toBe('600 MiB');
    expect(cell('custom-call.9', 'FLOPs').textContent).toBe('–');
    expect(status()).toContain('4 ops of one run of the program, which did not run');
    expect(types().map(({ textContent }) => textContent)).toEqual([
      '1convolution97.3 %36.0 GFLOP',
      '2loop fusion2.7 %1.00 GFLOP',
      '3custom-call––',
      '4infeed0.0 %0 FLOP',
    ]);
    const pie = await open(didNotRunView(), shownAs('pie'));
    expect(pie.element.querySelectorAll('.pie .slice')).toHaveLength(2);
    expect(pie.types().map(({ textContent }) => textContent)[2]).toBe('custom-call–');
    expect(element.textContent).not.toContain('0 ps');
  });

  test('of a program that did not run has its times as unknown where they are chosen', async () => {
    const host = new FakeHost();
    host.state = { panel: 'opStatistics', values: { columns: everyColumn } };
    const { cell } = await open(didNotRunView(), host);
    expect(['Of op time', 'Self', 'Mean'].map((column) => cell('dot.1', column).textContent)).toEqual(['–', '–', '–']);
  });

  test('sorts by every column that there is', async () => {
    const host = new FakeHost();
    host.state = { panel: 'opStatistics', values: { columns: everyColumn } };
    const { element, headers, names } = await open(opsView(), host);
    expect(headers()).toHaveLength(everyColumn.length);
    const header = (at: number) =>
      element.querySelectorAll('[aria-label="Ops"] [role=columnheader]')[at] as HTMLElement;
    for (const [at, title] of headers().entries()) {
      await press(header(at), 'Enter');
      const [order, first] = [header(at).getAttribute('aria-sort'), names()];
      await press(header(at), 'Enter');
      expect(header(at).getAttribute('aria-sort'), title).not.toBe(order);
      expect([...names()].sort(), title).toEqual([...first].sort());
    }
    await press(header(0), 'Enter');
    // By what they are in jax: dot_general, pure_callback, tanh; one has no name there.
    expect(names()).toEqual(['dot.1', 'infeed.4', 'custom-call.9', 'fusion.2']);
    await press(header(headers().indexOf('Greatest')), 'Enter');
    await press(header(headers().indexOf('Executions')), 'Enter');
    expect(names()[0]).toBe('fusion.2');
  });

  test('goes to the line by Enter, and leads to the other panels', async () => {
    const { row, host, element } = await open();
    await press(row('dot.1'), 'ArrowDown');
    await press(row('fusion.2'), 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 4 });
    await press(row('fusion.2'), 'ContextMenu');
    const items = [...element.querySelectorAll('[role=menuitem]')];
    expect(items.map(({ textContent }) => textContent).slice(0, 10)).toEqual([
      'Go to LineEnter',
      'Show This Type Alone',
      'Show in Timeline',
      'Show in Op Profile',
      'Show in FLOPs',
      'Show in Flame Graph',
      'Show in Roofline',
      'Show in Graph',
      'Show in Memory Viewer',
      'Show in Hot Lines',
    ]);
    await click(items[3] as Element);
    expect(host.sent.at(-1)).toEqual({
      type: 'showIn',
      panel: 'opProfile',
      selection: { kind: 'op', key: '7/fusion.2', file: '/w/model.py', line: 4 },
    });
  });

  test('copies numbers in full, with their units in the header', async () => {
    const { row, host, element } = await open();
    await press(row('dot.1'), 'ContextMenu');
    await click([...element.querySelectorAll('[role=menuitem]')].at(-1) as Element);
    const copied = host.sent.at(-1);
    const [header, first, second, third] = copied?.type === 'copy' ? copied.text.split('\n') : [];
    expect(header).toContain('Self (ps),Mean (ps),Executions,FLOP rate (FLOP/s),FLOP utilisation (ratio)');
    expect(first).toContain('dot.1,convolution,device,0.600000,60000000000,12000000000,5,600000000000,0.600000');
    expect(second).toContain('fusion.2');
    expect(third).toContain('custom-call.9,custom-call,callback,0.100000,10000000000,12000000000,5,,,');
  });
});

describe('the columns', () => {
  test('are ticked in a list, kept over a reload, and brought back to the usual', async () => {
    const host = new FakeHost();
    const { element, headers, button } = await open(opsView(), host);
    await click(button('Columns'));
    const list = found(element, '[role=dialog]');
    const box = (title: string) => {
      const label = [...list.querySelectorAll('label')].find(({ textContent }) => textContent === title);
      return found(label as Element, 'input') as HTMLInputElement;
    };
    expect(box('Op').disabled).toBe(true);
    expect(document.activeElement).toBe(box('Type'));
    await press(document.activeElement as Element, 'ArrowDown');
    expect(document.activeElement).toBe(box('Side'));
    await act(() => box('Bytes, main memory').click());
    await act(() => box('Line').click());
    expect(headers()).toContain('Bytes, main memory');
    expect(headers()).not.toContain('Line');
    await press(box('Line'), 'Escape');
    expect(element.querySelector('[role=dialog]')).toBeNull();
    expect(document.activeElement).toBe(button('Columns'));
    const again = await open(opsView(), host);
    expect(again.headers()).toContain('Bytes, main memory');
    await click(again.button('Columns'));
    await click(found(again.element, '[role=dialog] .link'));
    expect(again.headers()).not.toContain('Bytes, main memory');
    expect(again.headers()).toContain('Line');
  });

  test('that were not chosen give way where there is no room', async () => {
    giveElementsSize(420, 700);
    const { headers } = await open();
    expect(headers()).toEqual(['Op', 'Of op time']);
  });
});

describe('the search', () => {
  test('is in names or in types', async () => {
    const { names, search, button, status } = await open();
    await search('infeed');
    expect(names()).toEqual(['infeed.4']);
    expect(status()).toContain('1 of 4 ops: with “infeed”');
    await search('loop');
    expect(names()).toEqual([]);
    await click(button('Type'));
    expect(names()).toEqual(['fusion.2']);
    await search('absent');
    expect(found(document.body, '.nothing-found').textContent).toBe('No row has “absent”.');
  });

  test('finds an op by its full name and by its line', async () => {
    const { names, search } = await open();
    await search('transpose(jvp(gelu))');
    expect(names()).toEqual(['fusion.2']);
    await search('model.py:9');
    expect(names()).toEqual(['custom-call.9']);
  });
});

describe('selection', () => {
  test('opens the card of the op and is told to the other panels', async () => {
    const { row, host, element } = await open();
    expect(found(element, 'aside').textContent).toContain('Peaks of TPU v5e');
    await click(row('dot.1'));
    expect(host.sent).toContainEqual({
      type: 'select',
      selection: { kind: 'op', key: '7/dot.1', file: '/w/model.py', line: 3 },
    });
    await host.answerDetails(aCard());
    expect(found(element, 'aside .op-in-xla').textContent).toBe('dot.1');
  });

  test('of a category shows the ops of that type alone', async () => {
    const { host, names, status } = await open();
    await host.facts({ selection: { kind: 'category', name: 'loop fusion', file: null, line: null } });
    expect(names()).toEqual(['fusion.2']);
    expect(status()).toContain('1 of 4 ops: loop fusion');
  });

  test('made elsewhere is shown, also where it was filtered out', async () => {
    const { host, selected, types, names } = await open();
    await click(types()[0] as Element);
    await host.facts({ selection: { kind: 'line', file: '/w/model.py', line: 9 } });
    expect(selected()).toBe('custom-call.9');
    expect(names()).toHaveLength(4);
    await host.facts({ selection: { kind: 'op', key: '7/fusion.2', file: '/w/model.py', line: 4 } });
    expect(selected()).toBe('fusion.2');
  });
});

test('a record without ops says why and what to do', async () => {
  const { element } = await rendersEmpty();
  expect(element.textContent).toBe('Nothing ran.Capture a step.');
});

async function rendersEmpty() {
  const host = new FakeHost();
  const element = await rendered(host.page('opStatistics'), <OpStatistics />);
  await host.facts();
  await host.answer(opsView({ rows: [], findings: anEmpty('Nothing ran.', 'Capture a step.') }));
  return { element };
}

// The stand-in for a browser takes long for a page of rows; how long a browser takes is measured in one.
describe('30,000 ops', { timeout: 60_000 }, () => {
  const all = opsView({ rows: manyOpRows(30_000) });

  test('are filtered, sorted and searched with few elements on the page', async () => {
    const { element, names, types, search, status } = await open(all);
    const size = () => element.querySelectorAll('*').length;
    expect(names()[0]).toBe('dot.0');
    expect(types()).toHaveLength(21);
    expect(size()).toBeLessThan(2000);
    await press(found(element, '[aria-label="Ops"] [role=columnheader]'), 'Enter');
    expect(names().slice(0, 3)).toEqual(['dot.0', 'dot.1', 'dot.2']);
    await press(found(element, '[aria-label="Ops"] [role=columnheader]'), 'Enter');
    expect(names()[0]).toBe('dot.29999');
    await search('dot.2999');
    expect(names()).toHaveLength(11);
    await search('');
    await click(types()[2] as Element);
    expect(status()).toContain('1\u202f000 of 30\u202f000 ops: category 2');
    expect(size()).toBeLessThan(2000);
  });

  test('have few elements with every column too', async () => {
    const host = new FakeHost();
    host.state = { panel: 'opStatistics', values: { columns: everyColumn } };
    const { element } = await open(all, host);
    expect(element.querySelectorAll('*').length).toBeLessThan(2000);
  });
});

test('has what types took before, with those that are gone, while it is compared', async () => {
  const host = shownAs('table');
  const { element } = await open(opsView({ extent: anExtent() }), host);
  await host.facts({ comparison: someSides, comparisonGeneration: 1 });
  const asked = host.sent.findLast((each) => each.type === 'details' && each.details === 'comparedProfile');
  expect(asked).toMatchObject({ params: { by: 'category' } });
  const type = (label: string, before: number | null, after: number | null) =>
    aComparedNode({ key: label, parent: 'total', depth: 1, kind: 'category', label, before, after });
  const tree = aComparedTree([type('convolution', 10 * MS, 12 * MS), type('was', 3 * MS, null)]);
  await host.say({ type: 'result', id: (asked as { id: number }).id, result: tree });
  const table = found(element, '[role=grid][aria-label="Types of ops"]');
  const rows = [...table.querySelectorAll('.row')].map(({ textContent }) => textContent);
  expect(rows.find((text) => text.startsWith('convolution'))).toContain('10.0 ms+2.00 ms12.0 ms');
  expect(rows.find((text) => text.startsWith('was'))).toContain('3.00 msgone −3.00 ms');
});

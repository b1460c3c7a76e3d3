// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Selection } from '../../../../extension/src/panels/messages';
import type { Graph as GraphRecord } from '../../../../extension/src/protocol';
import { Graph } from '../../../../extension/webview/panels/graph/graph';
import { layoutOf } from '../../../../extension/webview/panels/graph/layout/layout';
import { layoutRequest } from '../../../../extension/webview/panels/graph/model/boxes';
import { modelOf } from '../../../../extension/webview/panels/graph/model/model';
import { fitted } from '../../../../extension/webview/panels/graph/picture/viewport';
import { anEmpty } from '../shared/madeFindings';
import { click, FakeHost, found, giveElementsSize, press, rendered, until } from '../shared/fakePage';
import { aGraph, aHit, anEdge, aNode, graphView, opsGraph } from './madeGraph';

const SIZE = { width_px: 1000, height_px: 700 };

beforeEach(() => giveElementsSize(SIZE.width_px, SIZE.height_px));

async function open(record: GraphRecord = aGraph(), selection: Selection | null = null) {
  const host = new FakeHost();
  const element = await rendered(host.page('graph'), <Graph />);
  await host.facts({ selection });
  await host.answer(graphView(record));
  const place = (): HTMLElement => found(element, '.graph-place');
  const answer = async (next: GraphRecord): Promise<void> => {
    await host.answer(graphView(next));
    await act(() => Promise.resolve());
  };
  return {
    host,
    element,
    place,
    answer,
    readout: () => found(element, '.readout').textContent,
    details: () => found(element, '.details').textContent,
    status: () => found(element, '.status-line').textContent,
    keys: async (...keys: readonly string[]) => {
      for (const key of keys) {
        await press(place(), key);
      }
    },
    option: (label: string) =>
      [...element.querySelectorAll('[role=radio]')].find(({ textContent }) => textContent === label) as HTMLElement,
    params: () => host.request.params as Record<string, unknown>,
  };
}

/** Where the middle of a node is, as long as nobody moved the picture. */
function middleOf(record: GraphRecord, key: string): { clientX: number; clientY: number } {
  const layout = layoutOf(layoutRequest(modelOf(record)));
  const boxes = [...layout.nodes, ...layout.groups];
  const longest = record.nodes.toSorted((one, other) => (other.self_ps ?? 0) - (one.self_ps ?? 0))[0];
  const center = boxes.find(({ id }) => id === (record.center ?? longest?.key)) ?? null;
  const view = fitted(layout, SIZE, center);
  const box = boxes.find(({ id }) => id === key);
  if (box === undefined) {
    throw new Error(`There is no ${key}.`);
  }
  return {
    clientX: view.x_px + (box.left_px + box.width_px / 2) * view.scale,
    clientY: view.y_px + (box.top_px + 20) * view.scale,
  };
}

function mouse(element: HTMLElement, type: string, at: { clientX: number; clientY: number }): Promise<void> {
  return act(() => void element.dispatchEvent(new MouseEvent(type, { ...at, bubbles: true, cancelable: true })));
}

describe('the levels', () => {
  test('begin with lines, and ask for no more than that', async () => {
    const { params, status } = await open();
    expect(Object.entries(params()).filter(([, value]) => value !== null && value !== false)).toEqual([]);
    expect(status()).toContain('17 nodes, 31 edges');
    expect(status()).toContain('100 ms of op time');
    expect(status()).toContain('1.00 ms without a line');
  });

  test('are chosen, and Home leads back to the lines', async () => {
    const { params, option, answer, keys } = await open();
    await click(option('Scopes'));
    expect(params()).toMatchObject({ level: 'scopes' });
    await click(option('Ops'));
    expect(params()).toMatchObject({ level: 'ops', op: null });
    await answer(opsGraph());
    await keys('Home');
    expect(params()).toMatchObject({ level: null });
  });

  test('say what is left out', async () => {
    const { status, readout, keys } = await open(opsGraph());
    expect(status()).toContain('38 nodes left out');
    await keys('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    expect(readout()).not.toBe('');
  });

  test('are found again after a reload of the page, but not of another run', async () => {
    const { host, option } = await open();
    await click(option('Scopes'));
    const again = await rendered(host.page('graph'), <Graph />);
    await host.facts();
    expect(host.request.params).toMatchObject({ level: 'scopes' });
    expect(again).toBeDefined();
    await host.facts({ shownRun: { ...graphView().run, path: '/runs/b' }, shownRunGeneration: 2 });
    expect(host.request.params).toMatchObject({ level: null });
  });
});

describe('by keys', () => {
  test('the walk begins in the middle and goes along edges, announced', async () => {
    const { keys, readout, host } = await open(opsGraph());
    await keys('ArrowDown');
    expect(readout()).toContain('dot_general · decoder.py:41');
    await keys('ArrowDown');
    expect(readout()).toContain('exp · decoder.py:44');
    await keys('[');
    expect(readout()).toContain('dot_general');
    await keys('[');
    expect(readout()).toContain('mul · decoder.py:22');
    await keys(']');
    expect(readout()).toMatch(/dot_general|add/);
    expect(host.sent.filter(({ type }) => type === 'select').length).toBeGreaterThan(3);
  });

  test('Enter goes to the line, O opens and closes, N shows neighbours', async () => {
    const { keys, host, params, answer, readout } = await open(opsGraph());
    await keys('ArrowDown', 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model/decoder.py', line: 41 });
    await keys('[', ']');
    await host.facts({ selection: { kind: 'op', key: 'scan', file: null, line: null } });
    expect(readout()).toContain('24 passes');
    await keys('n');
    expect(params()).toMatchObject({ level: 'ops', op: 'scan' });
    await answer(opsGraph({ center: 'scan' }));
    expect(readout()).toContain('24 passes');
    await keys('o');
    expect(params()).toMatchObject({ open: ['scan'] });
    await answer(opsGraph({ center: 'scan' }));
    await keys('o');
    expect(params()).not.toHaveProperty('open');
  });

  test('Backspace leads out of an opened op, and out of a loop', async () => {
    const { keys, params, readout } = await open(opsGraph());
    await keys('ArrowDown', 'ArrowDown', 'Backspace');
    expect(readout()).toContain('softmax');
    expect(readout()).toContain('open');
    await keys('Backspace');
    expect(params()).toMatchObject({ level: 'ops', op: 'loop' });
  });

  test('+ and − widen and narrow the neighbourhood, within what there is', async () => {
    const { keys, params } = await open(opsGraph());
    await click(found(document.body, '[role=radio]:nth-child(3)'));
    await keys('+');
    expect(params()).toMatchObject({ radius: 3 });
    await keys('-', '-', '-', '-');
    expect(params()).toMatchObject({ radius: 1 });
  });

  test('Escape lets go', async () => {
    const { keys, readout, host } = await open();
    await keys('ArrowDown');
    expect(readout()).toContain('in, ');
    await keys('Escape');
    expect(readout()).toContain('Arrow keys walk');
    expect(host.sent.at(-1)).toEqual({ type: 'select', selection: null });
  });

  test('the menu has what the graph does with an op, and the other panels', async () => {
    const { keys, element, params } = await open(opsGraph());
    await keys('ArrowDown', 'ArrowDown', 'ContextMenu');
    const items = [...element.querySelectorAll('[role=menuitem]')];
    const labels = items.map((item) => item.querySelector('span')?.textContent);
    expect(labels).toEqual(
      expect.arrayContaining(['Go to Line', 'Show Neighbours', 'Show the Way from dot_general', 'Show in Op Profile']),
    );
    await click(items[labels.indexOf('Show the Way from dot_general')] as HTMLElement);
    expect(params()).toMatchObject({ level: 'ops', op: 'dot', to: 'exp' });
  });
});

test('scopes are opened with all of them in sight, where lines would be larger', async () => {
  const keys = Array.from({ length: 18 }, (_, at) => `scope ${String.fromCharCode(65 + at)}`);
  const nodes = keys.map((key) => aNode(key, { kind: 'scope', scope: key, ops: 2 }));
  const edges = keys.slice(1).map((key, before) => anEdge(keys[before] ?? '', key));
  const record = aGraph({ level: 'scopes', nodes, edges });
  const layout = layoutOf(layoutRequest(modelOf(record)));
  const whole = fitted(layout, SIZE, null, 0);
  expect(whole.scale).toBeLessThan(fitted(layout, SIZE, null).scale);
  const { place, readout } = await open(record);
  for (const { id, left_px, top_px } of layout.nodes) {
    await mouse(place(), 'pointermove', {
      clientX: whole.x_px + (left_px + 10) * whole.scale,
      clientY: whole.y_px + (top_px + 10) * whole.scale,
    });
    expect(readout()).toContain(id);
  }
});

test('Home shows the lines as they were opened, wherever the picture was moved', async () => {
  const record = aGraph();
  const { keys, place, readout } = await open(record);
  const at = middleOf(record, 'line 5 forward');
  await mouse(place(), 'pointermove', at);
  const there = readout();
  expect(there).toContain('decoder.py:61 · forward');
  await keys('z', 'z', 'z', 'z');
  await mouse(place(), 'pointermove', at);
  expect(readout()).not.toBe(there);
  await keys('Home');
  await mouse(place(), 'pointermove', at);
  expect(readout()).toBe(there);
});

describe('by mouse', () => {
  test('a node is told of, selected, and gone to by a double click', async () => {
    const record = opsGraph();
    const { place, readout, host, element } = await open(record);
    const at = middleOf(record, 'norm');
    await mouse(place(), 'pointermove', at);
    expect(readout()).toContain('mul · decoder.py:22');
    expect(found(element, '.pointer-card').textContent).toContain('time per step500 µs');
    await mouse(place(), 'click', at);
    expect(host.sent.at(-1)).toMatchObject({ type: 'select', selection: { kind: 'op', key: 'norm' } });
    await mouse(place(), 'dblclick', at);
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model/decoder.py', line: 22 });
    await mouse(place(), 'pointerleave', at);
    expect(element.querySelector('.pointer-card')).toBeNull();
  });

  test('a click beside all nodes lets go', async () => {
    const record = opsGraph();
    const { place, host } = await open(record);
    await mouse(place(), 'click', middleOf(record, 'norm'));
    await mouse(place(), 'click', { clientX: 1, clientY: 1 });
    expect(host.sent.at(-1)).toEqual({ type: 'select', selection: null });
  });
});

describe('the selection of all panels', () => {
  const op: Selection = { kind: 'op', key: 'elsewhere', file: '/w/model/decoder.py', line: 41 };

  test('leads to the neighbours of an op that the panel was opened for', async () => {
    const { params } = await open(aGraph(), op);
    expect(params()).toMatchObject({ level: 'ops', op: 'elsewhere' });
  });

  test('leads to the line of an op while lines are shown, and to its neighbours when it is asked for', async () => {
    const { host, readout, params } = await open();
    await host.facts({ selection: { kind: 'line', file: '/w/model/decoder.py', line: 61 } });
    expect(readout()).toContain('decoder.py:61 · backward');
    await host.facts({ selection: op });
    expect(readout()).toContain('decoder.py:41 · backward');
    await host.facts({ selection: op, selectionGeneration: 1 });
    expect(params()).toMatchObject({ level: 'ops', op: 'elsewhere' });
  });

  test('leads from ops to a line that is asked for', async () => {
    const { host, params, answer, readout, option } = await open(aGraph());
    await click(option('Ops'));
    await answer(opsGraph());
    await host.facts({
      selection: { kind: 'line', file: '/w/model/decoder.py', line: 63 },
      selectionGeneration: 1,
    });
    expect(params()).toMatchObject({ level: null });
    await answer(aGraph());
    expect(readout()).toContain('decoder.py:63');
  });
});

describe('the search', () => {
  async function searched(text: string, hits: GraphRecord['hits'], more: Partial<GraphRecord> = {}) {
    const page = await open();
    const field = found(page.element, 'vscode-textfield') as HTMLElement & { value: string };
    await act(() => {
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await until(() => page.params()['search'] === text);
    await page.answer(aGraph({ hits, ...more }));
    return { ...page, field, hits: () => found(page.element, '.graph-hits').textContent };
  }

  test('counts its hits, and steps through them, opening the way to each', async () => {
    const { field, hits, params, host } = await searched('dot', [aHit('one', { open: ['fusion'] }), aHit('two')], {
      hits_left_out: 3,
    });
    expect(hits()).toBe('5 hits');
    await press(field, 'Enter');
    expect(hits()).toBe('1 of 5');
    expect(params()).toMatchObject({ level: 'ops', op: 'one', open: ['fusion'] });
    await press(field, 'Enter');
    expect(params()).toMatchObject({ op: 'two' });
    expect(params()).not.toHaveProperty('open');
    await press(field, 'Enter', { shiftKey: true });
    expect(host.request.params).toMatchObject({ op: 'one' });
  });

  async function atOpsOfLine() {
    const page = {
      ...(await open()),
      field: () => found(page.element, 'vscode-textfield') as HTMLElement & { value: string },
    };
    await page.host.facts({ selection: { kind: 'line', file: '/w/model/decoder.py', line: 41 } });
    await page.keys('n');
    await until(() => page.params()['search'] === 'decoder.py:41');
    const hits = [aHit('other', { line: 411 }), aHit('forward'), aHit('backward', { phase: 'backward' })];
    await page.answer(aGraph({ hits }));
    expect(page.params()).toMatchObject({ level: 'ops', op: 'backward' });
    const asked = page.host.sent.length;
    await page.answer(opsGraph({ center: 'backward' }));
    // It is still what was searched, and the third of it.
    expect(page.host.sent).toHaveLength(asked);
    expect(found(page.element, '.graph-hits').textContent).toBe('3 of 3');
    await press(found(page.element, 'vscode-textfield'), 'Enter');
    expect(page.params()).toMatchObject({ level: 'ops', op: 'other' });
    return page;
  }

  test('leads from a line to its ops: first to one of its phase, then to the others', async () => {
    await atOpsOfLine();
  });

  test('of the ops of a line is none any more where one has left them; what a person searches stays', async () => {
    const { option, answer, field, element } = await atOpsOfLine();
    await click(found(element, '[title="Show as Table"]'));
    expect(rowsIn(element)).toHaveLength(opsGraph().nodes.length);
    await click(option('Lines'));
    await answer(aGraph());
    expect(field().value).toBe('');
    expect(rowsIn(element)).toHaveLength(aGraph().nodes.length);
    const { status, ...typed } = await searched('decoder.py:41', []);
    await click(typed.option('Scopes'));
    await click(typed.option('Lines'));
    await typed.answer(aGraph());
    expect(typed.field.value).toBe('decoder.py:41');
    await click(found(typed.element, '[title="Show as Table"]'));
    expect(rowsIn(typed.element)).toHaveLength(2);
    expect(status()).toContain('2 of 17 rows have “decoder.py:41”');
  });

  test('says where there are none', async () => {
    const { hits } = await searched('nothing', []);
    expect(hits()).toBe('no hits');
  });
});

describe('the table', () => {
  test('has the same nodes and edges', async () => {
    const { element, host } = await open(opsGraph());
    await click(found(element, '[title="Show as Table"]'));
    const rows = () => [...element.querySelectorAll('[role=treegrid] .row[role=row], [role=grid] .row[role=row]')];
    expect(
      rows()
        .map((row) => row.textContent)
        .join('\n'),
    ).toMatch(/dot_general[\s\S]*softmax/);
    const edges = [...element.querySelectorAll('[role=radio]')].find(({ textContent }) => textContent === 'Edges');
    await click(edges as HTMLElement);
    expect(
      rows()
        .map((row) => row.textContent)
        .join('\n'),
    ).toMatch(/exp · decoder\.py:44/);
    expect(host.sent.filter(({ type }) => type === 'request')).toHaveLength(1);
  });
});

describe('the rows of the table', () => {
  async function cellsOf(record: GraphRecord): Promise<readonly string[]> {
    const { element } = await open(record);
    await click(found(element, '[title="Show as Table"]'));
    return rowsIn(element).map((row) =>
      [...row.children]
        .slice(0, 4)
        .map((cell) => cell.textContent)
        .join(' | '),
    );
  }

  test('of lines say of which phase and function they are', async () => {
    const cells = await cellsOf(aGraph());
    expect(cells).toContainEqual(expect.stringContaining('decoder.py:41 | forward · attention'));
    expect(cells).toContainEqual(expect.stringContaining('decoder.py:41 | backward · attention'));
    expect(new Set(cells).size).toBe(cells.length);
  });

  test('of ops of one kind on one line say what XLA named them', async () => {
    const nodes = ['subtract.1', 'subtract.2'].map((name) => aNode(name, { primitive: 'sub', phase: 'optimizer' }));
    const cells = await cellsOf(aGraph({ level: 'scopes', nodes, edges: [] }));
    expect(cells).toEqual(['sub |  | optimizer | subtract.1', 'sub |  | optimizer | subtract.2']);
  });
});

function rowsIn(element: HTMLElement): readonly Element[] {
  return [...element.querySelectorAll('[role=treegrid] .row[role=row], [role=grid] .row[role=row]')];
}

describe('what cannot be shown', () => {
  test('is said in place of the picture, with the ways elsewhere', async () => {
    const { element } = await open(aGraph({ nodes: [], edges: [], findings: anEmpty('Nothing is in it.') }));
    expect(found(element, '.nothing-drawn').textContent).toBe('Nothing is in it.');
    expect(element.querySelector('[role=radio]')).not.toBeNull();
  });
});

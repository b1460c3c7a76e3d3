// @vitest-environment happy-dom
import { aFinding, anEmpty, noUtilisation } from '../shared/madeFindings';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RooflineRow } from '../../../../extension/src/protocol';
import {
  chosenRows,
  placeOf,
  plotOf,
  roofsOver,
  scalesOf,
  wholeView,
} from '../../../../extension/webview/panels/roofline/points';
import { Roofline } from '../../../../extension/webview/panels/roofline/roofline';
import { FakeHost, click, found, giveElementsSize, press, rendered } from '../shared/fakePage';
import { rowsIn } from '../shared/rowsIn';
import { aPeak, MS } from '../flops/madeFlops';
import { aCeiling, aPoint, points, rooflineView } from './madeRoofline';

const SIZE = { width_px: 1000, height_px: 600 };

beforeEach(() => giveElementsSize(SIZE.width_px, SIZE.height_px));

async function open(view = rooflineView(), host = new FakeHost()) {
  const element = await rendered(host.page(), <Roofline />);
  await host.facts();
  await host.answer(view);
  const chart = () => found(element, '[role=application]');
  const readout = () => found(element, '.readout').textContent;
  const zoom = () => (host.state as { values: { view?: unknown } }).values.view ?? null;
  return { element, host, ...rowsIn(element), chart, readout, zoom };
}

/** Where a point of the whole chart stands. */
function placeOfPoint(name: string, record = rooflineView().record): readonly [number, number] {
  const rows = chosenRows(record, 'op', 'main');
  const row = rows.find(({ label }) => label === name) as RooflineRow;
  const view = wholeView(rows, roofsOver(record, 'main'));
  return placeOf(row, scalesOf(view, plotOf(SIZE.width_px, SIZE.height_px)));
}

type Place = readonly [x_px: number, y_px: number];

function mouse(chart: HTMLElement, type: string, [clientX, clientY]: Place): Promise<void> {
  const place = { clientX, clientY, bubbles: true, button: 0, pointerId: 1 };
  const event = type.startsWith('pointer') ? new PointerEvent(type, place) : new MouseEvent(type, place);
  return act(() => void chart.dispatchEvent(event));
}

async function drag(chart: HTMLElement, from: Place, to: Place): Promise<void> {
  await mouse(chart, 'pointerdown', from);
  await mouse(chart, 'pointermove', to);
  await mouse(chart, 'pointerup', to);
  await mouse(chart, 'click', to);
}

async function choose(element: Element, label: string, text: string): Promise<void> {
  const select = [...element.querySelectorAll<HTMLLabelElement>('label.select')]
    .find((each) => each.textContent.startsWith(label))
    ?.querySelector('select');
  await act(() => {
    if (select !== null && select !== undefined) {
      select.selectedIndex = [...select.options].findIndex((option) => option.textContent === text);
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }
  });
}

describe('the table', () => {
  test('lists the ops by time with all that their points say', async () => {
    const { element, rows } = await open();
    const headers = [...element.querySelectorAll('main [role=columnheader]')].map((header) => header.textContent);
    expect(headers.slice(0, 2)).toEqual(['Op', 'Of op time']);
    expect(headers).toContain('Of limit');
    expect(rows()).toHaveLength(2);
    expect(rows()[0]).toMatch(/^dot\.1model\.py:360\.0 %.*100500 GFLOP\/s.*50\.0 %.*compute/);
    expect(rows()[1]).toMatch(/^add\.2model\.py:430\.0 %.*0\.15\.00 GFLOP\/s.*50\.0 %.*main memory/);
    expect(found(element, '.status-line').textContent).toContain(
      '2 points with 90.0 ms of 100 ms of op time over the whole window, 120 ms · 10.0 ms without a point, its FLOPs or bytes not known or 0',
    );
  });

  test('copies every number in full, also of columns without room', async () => {
    const { host, row } = await open();
    await press(row('dot.1'), 'c', { ctrlKey: true });
    const [header = '', values = ''] = (host.sent.at(-1) as { text: string }).text
      .split('\n')
      .map((line) => line.split('\t'));
    const value = (title: string) => values[header.indexOf(title)];
    expect(value('FLOP/byte (FLOP/byte)')).toBe('100');
    expect(value('Rate (FLOP/s)')).toBe('500000000000');
    expect(value('Bytes (bytes)')).toBe('300000000');
    expect(value('Limit (FLOP/s)')).toBe('1000000000000');
    expect(value('Bound by')).toBe('compute');
  });

  test('is searched together with the chart', async () => {
    const host = new FakeHost();
    host.state = { panel: 'hotLines', values: { search: 'add' } };
    const { rows, element, chart, readout } = await open(rooflineView(), host);
    expect(rows()).toHaveLength(1);
    expect(found(element, '.status-line').textContent).toContain('1 of 2 rows have “add”');
    await mouse(chart(), 'pointermove', placeOfPoint('dot.1'));
    expect(readout()).not.toContain('dot.1');
    await mouse(chart(), 'pointermove', placeOfPoint('add.2'));
    expect(readout()).toContain('add.2');
  });
});

describe('the ceiling of caches', () => {
  const above = aFinding('note', 'Their data was in caches.');

  test('is in the legend, in the table, in the readout and explained once, and bounds nothing', async () => {
    const fast = aPoint('fast.3', 1, 3e11, { self_ps: 20 * MS, bound_by: null, efficiency_ratio: 3 });
    const { element, host, row, readout, chart } = await open(
      rooflineView({
        ceilings: [aCeiling],
        rows: [...points(), fast],
        peaks: [{ ...aPeak, cache_bytes_per_s: aCeiling.bytes_per_s }],
        findings: [{ ...above, code: 'rates-above-peak' }],
      }),
    );
    expect(found(element, '.legend').textContent).toContain('caches: 373 GiB/s, a ceiling that no op is bound by');
    expect(element.textContent.split('Their data was in caches.')).toHaveLength(2);
    // As all points, it is reached by keys: the readout is read aloud.
    for (let step = 0; step < 3; step += 1) {
      await press(chart(), 'ArrowDown');
    }
    expect(readout()).toContain('fast.3');
    expect(readout()).toContain('400 GFLOP/s from caches');
    expect(readout()).not.toContain('bound by');
    await press(row('fast.3'), 'c', { ctrlKey: true });
    const [header = [], values = []] = (host.sent.at(-1) as { text: string }).text
      .split('\n')
      .map((line) => line.split('\t'));
    expect(values[header.indexOf('From caches (FLOP/s)')]).toBe('400000000000');
  });

  test('is nowhere where none was measured', async () => {
    const { element } = await open();
    expect(element.textContent).not.toContain('caches');
  });
});

describe('the choices', () => {
  test('are ops or programs', async () => {
    const { element, rows } = await open();
    await click(found(element, '[role=radiogroup] [role=radio]:nth-child(2)'));
    expect(rows()).toHaveLength(1);
    expect(rows()[0]).toContain('jit_step');
    await click(found(element, 'main .row'));
    expect(found(element, 'aside').textContent).toContain('Program, in main memory');
    expect(found(element, 'aside').textContent).toContain('intensity20 FLOP/byte');
  });

  test('are the memory spaces that ops use, and the categories', async () => {
    const { element, rows, selected } = await open();
    await click(found(element, 'main .row'));
    await choose(element, 'Memory', 'VMEM');
    expect(rows()).toHaveLength(1);
    // The same op, in another memory.
    expect(selected()).toContain('dot.1');
    // There is no roof over it, so there is no limit to be a share of.
    const headers = [...element.querySelectorAll('main [role=columnheader]')].map((header) => header.textContent);
    expect(headers).not.toContain('Of limit');
    await choose(element, 'Memory', 'main memory');
    await choose(element, 'Category', 'loop fusion');
    expect(rows().map((text) => text.slice(0, 5))).toEqual(['add.2']);
  });

  test('that are none are not offered', async () => {
    const { element } = await open(rooflineView({ rows: [aPoint('dot.1', 100, 5e11)] }));
    expect(element.querySelector('.tool-row select')).toBeNull();
  });
});

describe('the chart', () => {
  test('reads the nearest point: name, intensity, rate, share of the limit, bound', async () => {
    const { chart, readout } = await open();
    const [x_px, y_px] = placeOfPoint('dot.1');
    await mouse(chart(), 'pointermove', [x_px + 12, y_px - 9]);
    expect(readout()).toBe(
      'dot.1 · model.py:3 · 100 FLOP/byte · 500 GFLOP/s · 50.0 % of the limit of 1.00 TFLOP/s · bound by compute · 60.0 ms, 60.0 % of op time',
    );
    await mouse(chart(), 'pointermove', [x_px + 60, y_px]);
    expect(readout()).toContain('Arrow keys walk');
  });

  test('states its roofs, and what the shapes of the points mean', async () => {
    const { element } = await open();
    const legend = [...element.querySelectorAll('.legend li')].map((item) => item.textContent.trim());
    expect(legend).toEqual(['bound by compute', 'bound by main memory', 'bf16: 1.00 TFLOP/s, ridge at 10 FLOP/byte']);
    const shapes = [...element.querySelectorAll('.legend path')].map((path) => path.getAttribute('d'));
    expect(new Set(shapes).size).toBe(2);
  });

  test('selects by a click: the row of the table, the op in every panel, its card', async () => {
    const { chart, host, selected, element } = await open();
    await mouse(chart(), 'click', placeOfPoint('add.2'));
    expect(selected()).toContain('add.2');
    const selection = { kind: 'op', key: '7/add.2', file: '/w/model.py', line: 4 };
    expect(host.sent).toContainEqual({ type: 'select', selection });
    expect(host.sent.at(-1)).toMatchObject({ type: 'details', params: { key: '7/add.2', device: null } });
    expect(element.querySelector('.point-mark.chosen')).not.toBeNull();
  });

  test('goes to the line by a double click on a point', async () => {
    const { chart, host } = await open();
    await mouse(chart(), 'dblclick', placeOfPoint('dot.1'));
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 3 });
  });

  test('is used by the keyboard alone: walked by time, zoomed, left for the line', async () => {
    const { chart, host, readout, zoom } = await open();
    expect(chart().tabIndex).toBe(0);
    await press(chart(), 'ArrowRight');
    expect(readout()).toContain('dot.1');
    await press(chart(), 'ArrowRight');
    expect(readout()).toContain('add.2');
    await press(chart(), 'ArrowRight');
    expect(readout()).toContain('add.2');
    await press(chart(), 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 4 });
    await press(chart(), 'Home');
    expect(readout()).toContain('dot.1');
    await press(chart(), '+');
    expect(zoom()).not.toBeNull();
    await press(chart(), 'Escape');
    expect(zoom()).toBeNull();
  });

  test('zooms to what is dragged over, and back by a double click beside the points', async () => {
    const { chart, zoom, selected, readout } = await open();
    const [x_px, y_px] = placeOfPoint('dot.1');
    await drag(chart(), [x_px - 40, y_px - 30], [x_px + 40, y_px + 30]);
    const { x, y } = zoom() as Record<'x' | 'y', { from: number; to: number }>;
    // The point in the middle of what was dragged over.
    expect(Math.sqrt(x.from * x.to)).toBeCloseTo(100, 4);
    expect(Math.sqrt(y.from * y.to) / 5e11).toBeCloseTo(1, 4);
    expect(selected()).toBeUndefined();
    const plot = plotOf(SIZE.width_px, SIZE.height_px);
    await mouse(chart(), 'pointermove', [(plot.left_px + plot.right_px) / 2, (plot.top_px + plot.bottom_px) / 2]);
    expect(readout()).toContain('dot.1');
    await mouse(chart(), 'dblclick', [plot.left_px + 10, plot.top_px + 10]);
    expect(zoom()).toBeNull();
  });

  test('moves to a point that is selected outside of what is zoomed to', async () => {
    const { chart, zoom, row, element } = await open();
    const [x_px, y_px] = placeOfPoint('dot.1');
    await drag(chart(), [x_px - 40, y_px - 30], [x_px + 40, y_px + 30]);
    await click(row('add.2'));
    const { x, y } = zoom() as Record<'x' | 'y', { from: number; to: number }>;
    expect(x.from < 0.1 && x.to > 0.1 && y.from < 5e9 && y.to > 5e9).toBe(true);
    expect(element.querySelector('.point-mark.chosen')).not.toBeNull();
  });
});

describe('points that took next to no time', () => {
  const record = rooflineView().record;
  const tiny = aPoint('iota.3', 1e-6, 1e3, { self_ps: 1 });

  test('do not stretch the axes; the status line says so, and selecting one brings it into sight', async () => {
    const { element, row, zoom } = await open(rooflineView({ rows: [...record.rows, tiny] }));
    const status = () => found(element, '.status-line').textContent;
    expect(status()).toContain('1 of them, 1 ps, beyond the axes: − zooms out');
    await click(row('iota.3'));
    expect(zoom()).not.toBeNull();
    expect(element.querySelector('.point-mark.chosen')).not.toBeNull();
    expect(status()).not.toContain('beyond');
  });

  test('come into sight by zooming out, as far as there are any', async () => {
    const { element, chart } = await open(rooflineView({ rows: [...record.rows, tiny] }));
    for (let presses = 0; presses < 6; presses += 1) {
      await press(chart(), '-');
    }
    expect(found(element, '.status-line').textContent).not.toContain('beyond');
  });

  test('are none where all took time', async () => {
    const { element } = await open();
    expect(found(element, '.status-line').textContent).not.toContain('beyond');
  });
});

describe('a rate above its limit', () => {
  test('is the number that it is, and its tooltip says why', async () => {
    const fast = aPoint('copy.5', 1, 1.3e11, {
      self_ps: 20 * MS,
      findings: [aFinding('note', 'Its data was in cache.')],
    });
    const { row } = await open(rooflineView({ rows: [...rooflineView().record.rows, fast] }));
    const cell = [...row('copy.5').querySelectorAll<HTMLElement>('[role=gridcell]')].find((each) =>
      each.textContent.includes('130.0 %'),
    );
    expect(cell?.title).toBe('130.0 %\nIts data was in cache.');
  });
});

describe('the selection of another panel', () => {
  test('is taken over, whatever is filtered', async () => {
    const { element, host, selected } = await open();
    await choose(element, 'Category', 'loop fusion');
    await host.facts({ selection: { kind: 'op', key: '7/dot.1', file: '/w/model.py', line: 3 } });
    expect(selected()).toContain('dot.1');
    await host.facts({ selection: { kind: 'line', file: '/w/model.py', line: 4 } });
    expect(selected()).toContain('add.2');
  });

  test('that is shown here a second time is selected again, whatever is filtered', async () => {
    const { element, host, selected } = await open();
    const selection = { kind: 'op', key: '7/dot.1', file: '/w/model.py', line: 3 } as const;
    await host.facts({ selection, selectionGeneration: 1 });
    expect(selected()).toContain('dot.1');
    await choose(element, 'Category', 'loop fusion');
    expect(element.querySelector('[aria-selected=true]')).toBeNull();
    await host.facts({ selection, selectionGeneration: 2 });
    expect(selected()).toContain('dot.1');
  });

  test('of a category shows its points alone, that of a program its point', async () => {
    const { rows, host, selected } = await open();
    await host.facts({ selection: { kind: 'category', name: 'loop fusion', file: null, line: null } });
    expect(rows()).toHaveLength(1);
    expect(rows()[0]).toContain('add.2');
    await host.facts({ selection: { kind: 'program', name: 'jit_step', file: null, line: null } });
    expect(selected()).toContain('jit_step');
  });

  test('of a program by its name and id is that one, where two have the name', async () => {
    const [, , , program] = points();
    const other = { ...program, key: 'another', program_id: '8', self_ps: 1 } as RooflineRow;
    const { host, selected } = await open(rooflineView({ rows: [...points(), other] }));
    await host.facts({ selection: { kind: 'program', name: 'jit_step (8)', file: null, line: null } });
    expect(selected()).toContain('<0.1 %');
  });

  test('that has no point shows its card, and says why there is none', async () => {
    const { element, host } = await open();
    await host.facts({ selection: { kind: 'op', key: '7/copy.9', file: null, line: null } });
    expect(found(element, 'aside').textContent).toContain('This op has no point');
    expect(host.sent.at(-1)).toMatchObject({ type: 'details', params: { key: '7/copy.9' } });
    await click(found(element, 'main .row'));
    expect(found(element, 'aside').textContent).not.toContain('This op has no point');
  });
});

test('without peaks there are points and rates, no roofs, and the notice says why and what to do', async () => {
  const rows = points().map((row) => ({
    ...row,
    limit_flops_per_s: null,
    efficiency_ratio: null,
    bound_by: null,
  }));
  const { element, chart, readout } = await open(
    rooflineView({
      rows,
      roofs: [],
      peaks: [],
      findings: noUtilisation('This CPU was not calibrated.', 'Profile it again.'),
    }),
  );
  expect(found(element, '.notice').textContent).toContain('This CPU was not calibrated. Profile it again.');
  const headers = [...element.querySelectorAll('main [role=columnheader]')].map((header) => header.textContent);
  expect(headers).toContain('Rate');
  expect(headers).not.toContain('Of limit');
  expect(found(element, '.legend').textContent.trim()).toBe('bound not known');
  await press(chart(), 'ArrowRight');
  expect(readout()).toBe('dot.1 · model.py:3 · 100 FLOP/byte · 500 GFLOP/s · 60.0 ms, 60.0 % of op time');
});

test('a record without points says why and what to do', async () => {
  const { element } = await open(rooflineView({ rows: [], findings: anEmpty('No op ran.', 'Capture a step.') }));
  expect(element.textContent).toContain('No op ran.Capture a step.');
});

test('one of several devices is asked for by name', async () => {
  const { element, host } = await open(rooflineView({}, ['TPU:0', 'TPU:1']));
  await choose(element, 'Device', 'TPU:1');
  expect(host.request.params).toEqual({ device: 'TPU:1' });
});

test('30,000 points take few elements, and each is read where it stands', async () => {
  const rows = Array.from({ length: 30_000 }, (_, at) =>
    aPoint(`op.${String(at)}`, 10 ** (((at * 7919) % 30_000) / 6000), 10 ** (7 + ((at * 104_729) % 30_000) / 6000), {
      self_ps: MS + at,
    }),
  );
  const view = rooflineView({ rows });
  const { element, chart, readout } = await open(view);
  expect(element.querySelectorAll('*').length).toBeLessThan(2000);
  for (const at of [0, 12_345, 29_999]) {
    await mouse(chart(), 'pointermove', placeOfPoint(`op.${String(at)}`, view.record));
    expect(readout()).toContain(`op.${String(at)} ·`);
  }
  await press(chart(), 'End');
  expect(readout()).toContain('op.0 ·');
});

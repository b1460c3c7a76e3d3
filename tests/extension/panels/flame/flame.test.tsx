// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import { Flame } from '../../../../extension/webview/panels/flame/flame';
import { LEVEL_PX } from '../../../../extension/webview/shared/charts/icicle/drawing';
import { opened } from '../../features/openedRun';
import { FakeHost, click, found, giveElementsSize, press, rendered } from '../shared/fakePage';
import { icicleIn, rowsIn } from '../shared/rowsIn';
import { aFlameRow, flameRows, flameView, MS } from './madeFlame';
import { anExtent } from '../shared/madeExtents';

beforeEach(() => giveElementsSize(1000, 900));

async function open(view = flameView(), host = new FakeHost()) {
  const element = await rendered(host.page('flame'), <Flame />);
  await host.facts();
  await host.answer(view);
  const option = (group: string, label: string) =>
    [...found(element, `[role=radiogroup][aria-label="${group}"]`).children].find(
      (each) => each.textContent === label,
    ) as HTMLElement;
  return { element, host, ...rowsIn(element), ...icicleIn(element), option };
}

const LEVELS = 4;

/** A mouse event at a cell of a level from the root, in a picture 1000 px wide that grows up. */
function mouse(chart: HTMLElement, type: string, x_px: number, level: number, levels = LEVELS): Promise<void> {
  const place = { clientX: x_px, clientY: (levels - 1 - level) * LEVEL_PX + 4, bubbles: true };
  return act(() => void chart.dispatchEvent(new MouseEvent(type, place)));
}

function choose(element: HTMLElement, index: number): Promise<void> {
  const select = found(element, '.tool-row select') as HTMLSelectElement;
  return act(() => {
    select.selectedIndex = index;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

describe('the picture', () => {
  test('grows up from all, the greatest first, and tells of the frame under the mouse', async () => {
    const { chart, readout, element } = await open();
    expect(readout()).toBe('All · 100 ms, 100.0 %');
    await mouse(chart(), 'mousemove', 100, 2);
    expect(readout()).toBe('layer · forward · model.py:2 · 60.0 ms, 60.0 % · self 10.0 ms');
    await mouse(chart(), 'mousemove', 700, 2);
    expect(readout()).toContain('loss · backward');
    await mouse(chart(), 'mousemove', 100, 3);
    const card = found(element, '.icicle-card').textContent;
    expect(card).toContain('dotmodel.py:550.0 ms, 50.0 % of all');
    expect(card).toContain('dot_general · forward 50.0 ms');
    await act(() => void chart().dispatchEvent(new MouseEvent('mouseleave')));
    expect(element.querySelector('.icicle-card')).toBeNull();
  });

  test('grows down as an icicle, and stands in the order of time, where that is chosen', async () => {
    const { chart, readout, option } = await open();
    await click(option('Picture', 'Icicle'));
    await mouse(chart(), 'mousemove', 100, LEVELS - 1);
    expect(readout()).toContain('All');
    await click(option('Picture', 'Flame'));
    await click(option('Order of calls', 'First run'));
    await mouse(chart(), 'mousemove', 50, 1);
    expect(readout()).toContain('Without source');
    await mouse(chart(), 'mousemove', 150, 2);
    expect(readout()).toContain('loss');
  });

  test('zooms into a frame by a click and by keys, and back', async () => {
    const { chart, path, readout } = await open();
    await mouse(chart(), 'click', 100, 2);
    expect(path()).toBe('All › main › layer');
    expect(readout()).toContain('layer');
    await press(chart(), 'Escape');
    expect(path()).toBe('All › main');
    await press(chart(), 'Home');
    expect(path()).toBe('');
    await press(chart(), 'ArrowUp');
    expect(readout()).toContain('main');
    await press(chart(), 'ArrowUp');
    await press(chart(), 'ArrowRight');
    expect(readout()).toContain('loss');
    await press(chart(), ' ');
    expect(path()).toBe('All › main › loss');
  });

  test('goes to the line by a double click, and by Enter', async () => {
    const { chart, host } = await open();
    await mouse(chart(), 'dblclick', 100, 3);
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 5 });
    await mouse(chart(), 'click', 700, 2);
    await press(chart(), 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 3 });
  });

  test('goes to the line that was clicked first, whatever its zoom has put under the second click', async () => {
    const { chart, host, path } = await open();
    await mouse(chart(), 'click', 700, 2);
    expect(path()).toBe('All › main › loss');
    const place = { clientX: 700, clientY: LEVEL_PX + 4, detail: 2, bubbles: true, cancelable: true };
    for (const type of ['mousedown', 'click', 'dblclick']) {
      await act(() => void document.body.dispatchEvent(new MouseEvent(type, place)));
    }
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 3 });
    expect(path()).toBe('All › main › loss');
  });

  test('names the phases of what is shown, with their shares', async () => {
    const { element, chart } = await open();
    expect(found(element, '.legend').textContent).toBe('forward 60.0 %backward 30.0 %other 10.0 %');
    await mouse(chart(), 'click', 700, 2);
    expect(found(element, '.legend').textContent).toBe('backward 100.0 %');
  });
});

describe('the table', () => {
  test('has the stacks as the picture has them', async () => {
    const { rows, row } = await open();
    const names = () => rows().map((text) => /All|main|layer|dot|loss|Without/.exec(text)?.[0]);
    expect(names()).toEqual(['All', 'main', 'layer', 'dot', 'loss', 'Without']);
    await click(row('main'));
    await press(row('main'), 'ArrowLeft');
    expect(names()).toEqual(['All', 'main', 'Without']);
    await press(row('main'), 'ArrowRight');
    expect(row('layer').textContent).toContain('60.0 %60.0 ms10.0 msmodel.py:2');
  });

  test('has the lines with what all their stacks have', async () => {
    const { rows, option, row, element, host } = await open();
    await click(option('Rows', 'Lines'));
    expect(rows().map((text) => /main|layer|dot|loss|Without/.exec(text)?.[0])).toEqual([
      'main',
      'dot',
      'layer',
      'loss',
      'Without',
    ]);
    expect(row('dot').textContent).toContain('60.0 %60.0 ms60.0 msmodel.py:5');
    await click(row('dot'));
    const details = found(element, 'aside').textContent;
    expect(details).toContain('Called byInclusivelayer model.py:250.0 msloss model.py:310.0 ms');
    expect(host.sent).toContainEqual({ type: 'select', selection: { kind: 'line', file: '/w/model.py', line: 5 } });
  });

  test('leads from a line to its callers and to what it calls', async () => {
    const { element, row, selected } = await open();
    await click(row('main'));
    const link = (name: string) =>
      [...element.querySelectorAll('aside button.link')].find((each) => each.textContent === name) as HTMLElement;
    await click(link('loss'));
    expect(selected()).toContain('loss');
    await click(link('main'));
    expect(selected()).toContain('main');
  });
});

describe('the search', () => {
  test('says how many frames are found and what all of them have', async () => {
    const host = new FakeHost();
    host.state = { panel: 'flame', values: { search: 'dot' } };
    const { element, rows } = await open(flameView(), host);
    expect(found(element, '.found').textContent).toBe('2 frames found: 60.0 ms, 60.0 %');
    expect(found(element, '.status-line').textContent).toContain('2 frames found: 60.0 ms, 60.0 %');
    expect(rows().filter((text) => text.includes('dot'))).toHaveLength(2);
  });

  test('counts what lies below what is found once', async () => {
    const host = new FakeHost();
    host.state = { panel: 'flame', values: { search: 'model.py' } };
    const { element } = await open(flameView(), host);
    expect(found(element, '.found').textContent).toBe('5 frames found: 90.0 ms, 90.0 %');
  });
});

describe('what is asked for', () => {
  test('is op time without libraries, over what is looked at everywhere, until another is chosen', async () => {
    const { element, host } = await open();
    const asked = { measure: 'op-time', libraries: false, device: null };
    expect(host.request).toMatchObject({ view: 'flame', params: asked });
    await click(found(element, '.toggle'));
    expect(host.request.params).toEqual({ ...asked, libraries: true });
    await choose(element, 2);
    expect(host.request.params).toMatchObject({ measure: 'flops' });
  });

  test('of a program that did not run is its FLOPs, and of a snapshot its memory', async () => {
    for (const [changes, measure] of [
      [{ never_ran: true }, 'flops'],
      [{ memory_alone: true }, 'memory'],
    ] as const) {
      const host = new FakeHost();
      await rendered(host.page('flame'), <Flame />);
      await host.facts({ shownRun: { ...opened('/runs/a'), ...changes } });
      expect(host.request.params).toMatchObject({ measure });
    }
  });

  test('can be changed where there is nothing of it', async () => {
    const finding = {
      code: 'no-op-ran',
      severity: 'empty',
      values: {},
      evidence: [],
      action: null,
      text: 'No op ran.',
      remedy: 'Capture again.',
    } as const;
    const { element, host } = await open(flameView({ rows: [], total: 0, findings: [finding] }));
    expect(element.textContent).toContain('No op ran.');
    expect(element.textContent).toContain('Capture again.');
    await choose(element, 3);
    expect(host.request.params).toMatchObject({ measure: 'memory' });
  });
});

describe('numbers', () => {
  test('are per step and device where steps are shown', async () => {
    const extent = anExtent({ duration_ps: 50 * MS, devices: 2 });
    const { row, element } = await open(flameView({ extent }));
    expect(row('main').textContent).toContain('9.00 ms');
    expect(found(element, '.status-line').textContent).toContain(
      '10.0 ms of op time per step and device in 6 frames · over 5 complete steps',
    );
  });

  test('of FLOPs and of bytes have their units', async () => {
    const flops = await open(flameView({ measure: 'flops', unit: 'flops' }));
    expect(flops.row('main').textContent).toContain('90.0 GFLOP');
    const memory = await open(flameView({ measure: 'memory', unit: 'bytes' }));
    expect(memory.row('main').textContent).toContain('83.8 GiB');
  });

  test('that are incomplete are said to be', async () => {
    const finding = {
      code: 'some-flops-unknown',
      severity: 'warning',
      values: { unknown_ps: MS },
      evidence: [],
      action: null,
      text: 'Not all FLOPs are known.',
      remedy: '',
    } as const;
    const { element } = await open(flameView({ findings: [finding] }));
    expect(found(element, '.notice').textContent).toContain('Not all FLOPs are known.');
  });
});

describe('the selection', () => {
  test('of a line or an op elsewhere is the frame of that line with the most', async () => {
    const { host, selected, readout } = await open();
    await host.facts({ selection: { kind: 'line', file: '/w/model.py', line: 5 } });
    expect(selected()).toContain('50.0 ms');
    await host.facts({ selection: { kind: 'op', key: '7/fusion.9', file: '/w/model.py', line: 3 } });
    expect(selected()).toContain('loss');
    expect(readout()).toContain('loss');
  });

  test('is kept when the run is read anew', async () => {
    const { chart, host, selected, path } = await open();
    await mouse(chart(), 'click', 700, 2);
    await host.facts({ shownRunGeneration: 2 });
    await host.answer(flameView());
    expect(selected()).toContain('loss');
    expect(path()).toBe('All › main › loss');
  });
});

test('20,000 frames take few elements, and any of them is found', async () => {
  const many = Array.from({ length: 20_000 }, (_, at) =>
    aFlameRow(`f${String(at)}`, at === 0 ? null : `f${String(Math.floor((at - 1) / 3))}`, {
      line: at,
      inclusive_value: 20_000 - at,
    }),
  );
  const host = new FakeHost();
  host.state = { panel: 'flame', values: { search: 'f19999' } };
  const { element, rows } = await open(flameView({ rows: many, total: 20_000 }), host);
  expect(element.querySelectorAll('*').length).toBeLessThan(1500);
  expect(rows().at(-1)).toContain('f19999');
});

test('rows without a line lead nowhere', async () => {
  const { row, host } = await open(flameView({ rows: flameRows() }));
  const before = host.sent.length;
  await click(row('Without source'));
  await press(row('Without source'), 'Enter');
  expect(host.sent.slice(before).filter(({ type }) => type === 'goToLine')).toEqual([]);
});

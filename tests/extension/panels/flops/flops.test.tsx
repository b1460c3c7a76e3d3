// @vitest-environment happy-dom
import { anEmpty, noUtilisation } from '../shared/madeFindings';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import { Flops } from '../../../../extension/webview/panels/flops/flops';
import { LEVEL_PX } from '../../../../extension/webview/shared/charts/icicle/drawing';
import { aComparedRow, someSides } from '../shared/madeChanges';
import { FakeHost, click, found, giveElementsSize, press, rendered } from '../shared/fakePage';
import { icicleIn, rowsIn } from '../shared/rowsIn';
import { aFlopsRow, flopsRows, flopsView, GFLOP, MS } from './madeFlops';
import { anExtent, aProgram, aWindow } from '../shared/madeExtents';

beforeEach(() => giveElementsSize(1000, 900));

async function open(view = flopsView(), host = new FakeHost()) {
  const element = await rendered(host.page(), <Flops />);
  await host.facts();
  await host.answer(view);
  return { element, host, ...rowsIn(element), ...icicleIn(element) };
}

/** A mouse event at a cell of a level, in an icicle 1000 px wide. */
function mouse(chart: HTMLElement, type: string, x_px: number, level: number): Promise<void> {
  const place = { clientX: x_px, clientY: level * LEVEL_PX + 4, bubbles: true };
  return act(() => void chart.dispatchEvent(new MouseEvent(type, place)));
}

describe('the head', () => {
  test('states every figure with what it is a part of', async () => {
    const { element } = await open();
    const figures = [...element.querySelectorAll('.figures > div')].map((figure) =>
      [...figure.children].map((part) => part.textContent).join(' | '),
    );
    expect(figures).toEqual([
      'FLOPs per step | 2.00 GFLOP | all devices',
      'Rate over wall clock | 100 GFLOP/s | over 100 ms, 5 steps',
      'MFU | 7.0 % | of 1.00 TFLOP/s',
      'HFU | 10.0 % | of 1.00 TFLOP/s',
      'Padding waste | 50.0 % | of 4.00 GFLOP',
      'Recompute | 30.0 % | of 2.00 GFLOP',
    ]);
  });

  test('says that rates of several devices are of each, and their FLOPs of all', async () => {
    const { element } = await open(flopsView({ extent: anExtent({ devices: 4 }) }));
    const figures = found(element, '.figures').textContent;
    expect(figures).toContain('FLOPs per step2.00 GFLOPall devices');
    expect(figures).toContain('100 GFLOP/seach device, over 100 ms, 5 steps');
  });

  test('says that padding for another device is predicted, and without one what to choose', async () => {
    const predicted = await open(
      flopsView({ matrix_unit: { rows: 128, columns: 128, device: 'TPU v5e', basis: 'predicted' } }),
    );
    expect(found(predicted.element, '.figures').textContent).toContain('Padding waste50.0 %predicted for TPU v5e');
    expect(found(predicted.element, '[role=columnheader][title*="predicted for TPU v5e"]')).toBeTruthy();
    const rows = flopsRows().map((row) => ({ ...row, padded_flops: null, padding_waste_ratio: null }));
    const without = await open(flopsView({ rows, matrix_unit: null }));
    expect(found(without.element, '.figures').textContent).toContain('Padding waste–no matrix unit: choose a target');
  });

  test('of a program that did not run has no figures of time', async () => {
    const rows = flopsRows().map((row) => ({
      ...row,
      self_ps: 0,
      unknown_ps: 0,
      flops_per_s: null,
      mfu_ratio: null,
      hfu_ratio: null,
    }));
    const { element, readout } = await open(flopsView({ rows, extent: aProgram, wall_ps: 0, steps: 0 }));
    const names = [...element.querySelectorAll('.figures dt')].map(({ textContent }) => textContent);
    expect(names).toEqual(['FLOPs', 'Padding waste', 'Recompute']);
    expect(found(element, '.figures').textContent).toContain('FLOPs10.0 GFLOPin one run');
    expect(found(element, '.status-line').textContent).toContain('10.0 GFLOP of one run of the program');
    const headers = [...element.querySelectorAll('[role=columnheader]')].map(({ textContent }) => textContent);
    expect(headers).not.toContain('Time');
    expect(headers).toContain('FLOPs');
    expect(element.textContent).not.toMatch(/\b0 ps/);
    expect(readout()).not.toMatch(/\b0 ps/);
  });

  test('names no one peak where work in several types has several', async () => {
    const rows = flopsRows().map((row) => ({ ...row, hfu_ratio: 0.15 }));
    const { element } = await open(flopsView({ rows }));
    expect(found(element, '.figures').textContent).toContain('HFU15.0 %of each type’s peak');
  });

  test('says what is left out where the FLOPs of ops are not known', async () => {
    const { element } = await open();
    expect(element.textContent).toContain('The FLOPs of ops with 20.0 % of the op time are not known');
    const known = flopsRows().map((row) => ({ ...row, unknown_ps: 0 }));
    const other = await open(flopsView({ rows: known }));
    expect(other.element.querySelector('.notice')).toBeNull();
  });

  test('without peaks gives the rates, and says once why there is no utilisation and what to do', async () => {
    const rows = flopsRows().map((row) => ({ ...row, mfu_ratio: null, hfu_ratio: null }));
    const { element } = await open(
      flopsView({
        rows,
        peaks: [],
        findings: noUtilisation('This CPU was not calibrated.', 'Profile it again.'),
      }),
    );
    expect(found(element, '.figures').textContent).toContain('MFU–no peak known');
    expect(found(element, '.figures').textContent).toContain('100 GFLOP/s');
    expect(element.textContent.split('This CPU was not calibrated. Profile it again.')).toHaveLength(2);
    const headers = [...element.querySelectorAll('main [role=columnheader]')].map((header) => header.textContent);
    expect(headers).toContain('Rate (wall clock)');
    expect(headers).not.toContain('MFU');
  });

  test('says that a utilisation is at least that where some FLOPs have no known peak', async () => {
    const rows = flopsRows().map((row) => ({ ...row, utilisation_is_least: row.kind === 'model' }));
    const { element, row } = await open(flopsView({ rows }));
    expect(found(element, '.figures').textContent).toMatch(/MFU≥ \d+\.\d %of each type’s peak/u);
    expect(found(element, '.figures').textContent).toMatch(/HFU≥ \d+\.\d %of each type’s peak/u);
    expect(row('block').textContent).not.toContain('≥');
  });

  test('shows what is not known as that, never as nothing', async () => {
    const rows = [
      aFlopsRow('model', 0, {
        kind: 'model',
        label: 'Model',
        flops: null,
        padding_waste_ratio: null,
        recompute_ratio: null,
        unknown_ps: MS,
      }),
      aFlopsRow('7/custom.4', 1, { flops: null, unknown_ps: MS }),
    ];
    const { element, readout } = await open(flopsView({ rows }));
    const figures = [...element.querySelectorAll('.figures dd:first-of-type')].map((figure) => figure.textContent);
    expect(figures).toEqual(['–', '–', '–', '–', '–', '–']);
    expect(readout()).toContain('FLOPs not known');
  });
});

describe('the table', () => {
  test('is the tree, opened at the model, by FLOPs', async () => {
    const { rows, row } = await open();
    expect(rows()).toHaveLength(3);
    expect(rows()[1]).toContain('block80.0 %8.00 GFLOP');
    await click(row('block'));
    await press(row('block'), 'ArrowRight');
    expect(rows()).toHaveLength(5);
    expect(row('dot.2').textContent).toContain('3.00 GFLOP');
  });

  test('finds ops by name, with the scopes above them', async () => {
    const host = new FakeHost();
    host.state = { panel: 'hotLines', values: { search: 'dot.3' } };
    const { rows, element } = await open(flopsView(), host);
    expect(rows().map((text) => /Model|loss|dot\.3/.exec(text)?.[0])).toEqual(['Model', 'loss', 'dot.3']);
    expect(found(element, '.status-line').textContent).toContain('1 row has “dot.3”');
  });

  test('sorts by any column, and copies numbers in full', async () => {
    const { element, rows, row, host } = await open();
    const time = [...element.querySelectorAll('main [role=columnheader]')].find((each) => each.textContent === 'Time');
    await click(time as Element);
    expect(rows()[0]).toContain('Model');
    await press(row('block'), 'c', { ctrlKey: true });
    const copied = host.sent.at(-1) as { text: string };
    const [header = '', values = ''] = copied.text.split('\n').map((line) => line.split('\t'));
    const value = (title: string) => values[header.indexOf(title)];
    expect(value('FLOPs (FLOP)')).toBe('10000000000');
    expect(value('Padding (ratio)')).toBe('0.500000');
    expect(value('Time (ps)')).toBe(String(20 * MS));
  });
});

describe('the icicle', () => {
  test('reads what is under the mouse, with its part of the whole', async () => {
    const { chart, readout } = await open();
    expect(readout()).toContain(
      'Model · 10.0 GFLOP, 100.0 % of 10.0 GFLOP · 20.0 ms · 100 GFLOP/s over wall clock · MFU 7.0 %',
    );
    await mouse(chart(), 'mousemove', 600, 2);
    expect(readout()).toContain('dot.2 · model.py:4 · recompute · 3.00 GFLOP, 30.0 % of 10.0 GFLOP · 4.00 ms');
    await mouse(chart(), 'mousemove', 900, 1);
    expect(readout()).toContain('loss');
  });

  test('switches what widths stand for', async () => {
    const { element, chart, readout } = await open();
    await click(found(element, '[role=radiogroup] [role=radio]:nth-child(3)'));
    await mouse(chart(), 'mousemove', 600, 1);
    expect(readout()).toContain('loss · forward · 10.0 ms, 50.0 % of 20.0 ms · 2.00 GFLOP');
  });

  test('zooms into a scope by a click, and back by the path, a click on the top, and keys', async () => {
    const { element, chart, path, readout } = await open();
    await mouse(chart(), 'click', 900, 1);
    expect(path()).toBe('Model › loss');
    await mouse(chart(), 'mousemove', 10, 1);
    expect(readout()).toContain('dot.3');
    await click(found(element, '.icicle-path .link'));
    expect(path()).toBe('');
    await mouse(chart(), 'click', 100, 1);
    expect(path()).toBe('Model › block');
    await mouse(chart(), 'click', 100, 0);
    expect(path()).toBe('');
    await mouse(chart(), 'click', 100, 1);
    await press(chart(), 'Escape');
    expect(path()).toBe('');
    await mouse(chart(), 'click', 100, 1);
    await press(chart(), 'Backspace');
    expect(path()).toBe('');
  });

  test('is used by the keyboard alone: moved in, zoomed, left for the line', async () => {
    const { chart, readout, path, host } = await open();
    expect(chart().tabIndex).toBe(0);
    await press(chart(), 'ArrowDown');
    expect(readout()).toContain('Model');
    await press(chart(), 'ArrowDown');
    expect(readout()).toContain('block');
    await press(chart(), 'ArrowRight');
    expect(readout()).toContain('loss');
    await press(chart(), 'Enter');
    expect(path()).toBe('Model › loss');
    await press(chart(), 'ArrowDown');
    expect(readout()).toContain('dot.3');
    await press(chart(), 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 9 });
    await press(chart(), 'ArrowUp');
    await press(chart(), 'ArrowUp');
    expect(path()).toBe('');
    expect(readout()).toContain('Model');
  });

  test('goes to the line by a double click', async () => {
    const { chart, host } = await open();
    await mouse(chart(), 'dblclick', 100, 2);
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 3 });
  });

  test('names the phases of what is shown, beside their pattern', async () => {
    const { element, chart } = await open();
    expect(found(element, '.legend').textContent).toBe('forward 70.0 %recompute 30.0 %');
    expect(found(element, '.legend .swatch').className).toContain('forward');
    await mouse(chart(), 'click', 900, 1);
    expect(found(element, '.legend').textContent).toBe('forward 100.0 %');
  });
});

describe('the selection', () => {
  test('in the icicle is that of the table, which opens down to it', async () => {
    const { chart, rows, selected, host } = await open();
    await mouse(chart(), 'click', 600, 2);
    expect(selected()).toContain('dot.2');
    expect(rows()).toHaveLength(5);
    const selection = { kind: 'op', key: '7/dot.2', file: '/w/model.py', line: 4 };
    expect(host.sent).toContainEqual({ type: 'select', selection });
    expect(host.sent.at(-1)).toMatchObject({ type: 'details', params: { key: '7/dot.2', device: null } });
  });

  test('in the table is marked in the icicle, which zooms out to it', async () => {
    const { chart, element, row, path } = await open();
    await click(row('loss'));
    await press(row('loss'), 'ArrowRight');
    await mouse(chart(), 'click', 100, 1);
    expect(path()).toBe('Model › block');
    await click(row('dot.3'));
    expect(path()).toBe('');
    const { style } = found(element, '.outline.chosen');
    expect([style.left, style.top, style.width]).toEqual(['800px', `${String(2 * LEVEL_PX)}px`, '199px']);
  });

  test('of another panel is taken over: an op, or the heaviest op of a line', async () => {
    const { host, selected } = await open();
    await host.facts({ selection: { kind: 'op', key: '7/dot.1', file: '/w/model.py', line: 3 } });
    expect(selected()).toContain('dot.1');
    await host.facts({ selection: { kind: 'line', file: '/w/model.py', line: 9 } });
    expect(selected()).toContain('dot.3');
  });

  test('that is shown here a second time comes into sight again', async () => {
    const { element, host, rows } = await open();
    const selection = { kind: 'op', key: '7/dot.3', file: '/w/model.py', line: 9 } as const;
    await host.facts({ selection, selectionGeneration: 1 });
    expect(rows()).toHaveLength(5);
    await click(found(element, '[aria-expanded=true] .twistie'));
    expect(rows()).toHaveLength(1);
    await host.facts({ selection, selectionGeneration: 2 });
    expect(rows()).toHaveLength(5);
  });

  test('of a scope elsewhere opens the tree to it, and a scope leads to Op Profile', async () => {
    const { host, selected, row, element } = await open();
    await host.facts({ selection: { kind: 'scope', name: 'block', file: null, line: null } });
    expect(selected()).toContain('block');
    await press(row('block'), 'F10', { shiftKey: true });
    const item = [...element.querySelectorAll<HTMLElement>('[role=menuitem]')].find(
      ({ textContent }) => textContent === 'Show in Op Profile',
    );
    await click(item as Element);
    expect(host.sent.at(-1)).toEqual({
      type: 'showIn',
      panel: 'opProfile',
      selection: { kind: 'scope', name: 'block', file: null, line: null },
    });
  });

  test('of a scope shows its figures, and of nothing those of the model with the peaks', async () => {
    const { row, element } = await open();
    const details = () => found(element, 'aside').textContent;
    expect(details()).toContain('Peaks of TPU v5e');
    expect(details()).toContain('bf161.00 TFLOP/s');
    expect(details()).toContain('main memory512 GiB/s');
    expect(details()).toContain('stated by the profile');
    await click(row('block'));
    expect(details()).toContain('executed FLOPs8.00 GFLOP');
    expect(details()).toContain('recompute37.5 %40.0 %');
    expect(details()).not.toContain('Peaks');
  });

  test('is kept when the run is read anew', async () => {
    const { chart, host, selected, path } = await open();
    await mouse(chart(), 'click', 900, 1);
    await host.facts({ shownRunGeneration: 2 });
    await host.answer(flopsView());
    expect(selected()).toContain('loss');
    expect(path()).toBe('Model › loss');
  });
});

test('a record without rows says why and what to do', async () => {
  const { element } = await open(flopsView({ rows: [], findings: anEmpty('No op ran.', 'Capture a step.') }));
  expect(element.textContent).toContain('No op ran.Capture a step.');
});

test.each([
  [aWindow(100), 'over the whole window, 100 ms', 'in the window'],
  [aWindow(100, { kind: 'outside' }), 'outside of complete steps, 100 ms', 'outside of steps'],
])('where no steps are looked at rates and FLOPs are of what is: %j', async (extent, over, where) => {
  const { element } = await open(flopsView({ extent, steps: 0 }));
  const figures = found(element, '.figures').textContent;
  expect(figures).toContain(over);
  expect(figures).toContain(where);
  expect(figures).not.toContain('per step');
});

test('one of several devices is asked for by name', async () => {
  const { element, host } = await open(flopsView({}, ['TPU:0', 'TPU:1']));
  const select = found(element, 'label:not(.scope) select') as HTMLSelectElement;
  await act(() => {
    select.selectedIndex = 2;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  expect(host.request.params).toEqual({ device: 'TPU:1' });
});

test('30,000 ops take few elements, and any of them is found', async () => {
  const rows = [aFlopsRow('model', 0, { kind: 'model', label: 'Model', flops: 30_000 * GFLOP })];
  for (let scope = 0; scope < 300; scope += 1) {
    rows.push(aFlopsRow(`s${String(scope)}`, 1, { kind: 'scope', flops: 100 * GFLOP }));
    for (let op = 0; op < 100; op += 1) {
      rows.push(aFlopsRow(`7/op.${String(scope)}.${String(op)}`, 2));
    }
  }
  const { element, host, selected } = await open(flopsView({ rows }));
  await host.facts({ selection: { kind: 'op', key: '7/op.250.99', file: null, line: null } });
  expect(selected()).toContain('op.250.99');
  expect(element.querySelectorAll('*').length).toBeLessThan(2000);
});

test('has FLOPs of before, and no times, while it is compared', async () => {
  giveElementsSize(2400, 900);
  const host = new FakeHost();
  const { element, rows } = await open(flopsView(), host);
  await host.facts({ comparison: someSides, comparisonGeneration: 1 });
  expect(host.details).toMatchObject({ details: 'compared', params: { by: 'op' } });
  const op = (key: string, before: number | null, after: number | null) =>
    aComparedRow({
      key,
      before_key: before === null ? null : key,
      after_key: after === null ? null : key,
      before_flops: before,
      after_flops: after,
      verdict: 'cannot-tell',
    });
  const compared = [
    op('7/dot.1', 0.8 * GFLOP, 1 * GFLOP),
    op('7/dot.2', 0.6 * GFLOP, 0.6 * GFLOP),
    op('was', GFLOP, null),
  ];
  await host.answerDetails({ rows: compared, findings: [], before: {}, after: {}, rounds: 1, has_steps: true });
  const headers = [...element.querySelectorAll('main [role=columnheader]')].map(({ textContent }) => textContent);
  const at = headers.indexOf('FLOPs');
  expect(headers.slice(at, at + 4)).toEqual(['FLOPs', 'Before / step', 'Change / step', 'After / step']);
  const texts = rows();
  // 10 GFLOP in five steps: `block` has 1.6 of 2 GFLOP of a step.
  expect(texts.find((text) => text.includes('block'))).toContain('1.40 GFLOP+200 MFLOP1.60 GFLOP');
  expect(texts.find((text) => text.startsWith('dot') && text.includes('gone'))).toContain('gone −1.00 GFLOP');
});

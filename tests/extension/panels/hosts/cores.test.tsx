// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import { cellAfter, geometryOf } from '../../../../extension/webview/panels/hosts/map/geometry';
import { itemsOf } from '../../../../extension/webview/panels/hosts/items';
import { gridOf, hostBorders } from '../../../../extension/webview/panels/hosts/places';
import { extentOf, shadeOf } from '../../../../extension/webview/panels/hosts/map/shades';
import { CORE_PARTS } from '../../../../extension/webview/panels/hosts/parts';
import { click, found, giveElementsSize, press } from '../shared/fakePage';
import { cores, hostsRecord, layouts, manyCores, MS } from './madeHosts';
import { openHosts } from './openHosts';

beforeEach(() => giveElementsSize(1000, 600));

describe('the map', () => {
  test('is walked by keys; Enter goes to the line of the host', async () => {
    const { host, map, readout, pane } = await openHosts();
    await press(map(), 'Home');
    expect(readout()).toBe('host0 TPU:0 · x 0, y 0 · chip 0 · cost per step 100 µs · 0.2 % of the step');
    await press(map(), 'ArrowRight');
    expect(readout()).toContain('host0 TPU:1 · x 0, y 0');
    await press(map(), 'ArrowRight');
    expect(readout()).toContain('host0 TPU:2 · x 1, y 0');
    await press(map(), 'ArrowDown');
    expect(readout()).toContain('host2 TPU:2 · x 1, y 1');
    expect(pane()).toContain('host2 TPU:2');
    await press(map(), 'Enter');
    expect(host.sent.at(-1)).toMatchObject({ type: 'goToLine', line: 54 });
    await press(map(), 'End');
    expect(readout()).toContain('host3 TPU:3');
    await press(map(), 'Escape');
    expect(readout()).toContain('Point or use arrow keys');
  });

  test('prints the least and the most', async () => {
    const { scale, choose } = await openHosts();
    expect(scale()).toContain('least 100 µs');
    expect(scale()).toContain('most 11.0 ms');
    await choose('Colour', 'high FLOPs');
    expect(scale()).toContain('least 24.0 ms');
  });

  test('is of one step, or the mean of all', async () => {
    const { scale, choose, slide, element } = await openHosts();
    await choose('Colour', 'high FLOPs');
    expect(found(element, '.shown-step').textContent).toBe('mean of 3 steps');
    await slide(3);
    expect(found(element, '.shown-step').textContent).toBe('step 3, 66.5 ms');
    expect(scale()).toContain('least 25.0 ms');
    await choose('Colour', 'cost');
    expect(scale()).toContain('the cost is a mean of all steps');
  });

  test('has no steps to choose where they are not told apart', async () => {
    const { element } = await openHosts({ steps: hostsRecord().steps.map((step) => ({ ...step, cores: [] })) });
    expect(element.querySelector('input[type=range]')).toBeNull();
    expect(found(element, '.shown-step').textContent).toBe('mean of 3 steps');
  });

  test('has other layouts', async () => {
    const { map, readout, press: pressButton, scale } = await openHosts();
    await pressButton('Hosts');
    await press(map(), 'Home');
    await press(map(), 'ArrowDown');
    expect(readout()).toContain('host1 TPU:0 · device 0, host 1');
    expect(scale()).toContain('device →, host ↓');
  });

  test('is a table as well', async () => {
    const { host, asTable, names, row, pane } = await openHosts();
    await asTable('Cores');
    expect(names('Cores')).toHaveLength(16);
    const first = row('Cores', 'host2 TPU:1');
    expect(first.textContent).toContain('9.00 ms13.5 %');
    await click(first);
    expect(pane()).toContain('host2 TPU:1');
    await press(first, 'Enter');
    expect(host.sent.at(-1)).toMatchObject({ type: 'goToLine', line: 54 });
  });

  test('has means of chips and of hosts', async () => {
    const { map, readout, choose, optionsOf } = await openHosts();
    expect(optionsOf('Group by')).toEqual(['Core', 'Chip', 'Host']);
    await press(map(), 'End');
    await choose('Group by', 'Chip');
    expect(readout()).toContain('host3 chip 7 · x 3, y 1');
    await choose('Group by', 'Host');
    await press(map(), 'ArrowLeft');
    expect(readout()).toContain('host2 · x 1, y 1 · cost per step 9.50 ms');
  });
});

describe('what cores did', () => {
  test('is a bar of parts in looks of their own, with a legend', async () => {
    const { section, row } = await openHosts();
    const classes = [...row('What cores did', 'host0 TPU:0').querySelectorAll('.stacked-bar > span')].map(
      ({ className }) => className,
    );
    expect(classes).toEqual(CORE_PARTS.map((part) => `hue core-${part}`));
    expect(section('What cores did').querySelectorAll('.legend li')).toHaveLength(10);
    expect(found(section('What cores did'), '.legend').textContent).toContain('collective waits');
  });

  test('highlights the cell that is selected, and selects by its rows', async () => {
    const { map, section, row, readout } = await openHosts();
    await press(map(), 'Home');
    expect(found(section('What cores did'), '.row.selected').textContent).toContain('host0 TPU:0');
    await click(row('What cores did', 'host2 TPU:1'));
    expect(readout()).toContain('host2 TPU:1');
  });

  test('is a table of numbers as well', async () => {
    giveElementsSize(2000, 600);
    const { asTable, row } = await openHosts();
    await asTable('What cores did');
    expect(row('What cores did', 'host2 TPU:0').textContent).toContain('66.5 ms42.0 ms8.00 ms');
  });
});

describe('five thousand cores', () => {
  const record = manyCores(5000, 250);

  test('are hosts, each the mean of its cores', async () => {
    const { map, readout, element, optionsOf } = await openHosts(record);
    expect(element.textContent).toContain('cores are too many to be told apart');
    await press(map(), 'Home');
    expect(readout()).toContain('host0 · mean of 250 cores');
    expect(optionsOf('Group by')).toEqual([]);
    await press(map(), 'ArrowDown');
    expect(readout()).toContain('host5');
  });

  test('have a cell for each host', () => {
    const [layout] = record.layouts;
    const items = itemsOf(record, 'host', null);
    expect(layout).toBeDefined();
    const grid = layout === undefined ? null : gridOf(record, layout, items);
    expect(grid).toMatchObject({ columns: 5, rows: 4, isOfHosts: true });
    expect(items[0]?.parts['high-flops']).toBeCloseTo(0.498 * MS, -3);
  });
});

describe('places', () => {
  const [chips] = layouts;
  const grid = (grouping: 'core' | 'chip') => {
    const record = hostsRecord();
    if (chips === undefined) {
      throw new Error('There is no layout.');
    }
    return gridOf(record, chips, itemsOf(record, grouping, null));
  };

  test('of cores of one chip divide its cell, which the chip has alone', () => {
    const boxes = geometryOf(grid('core'), 900, 28).boxes;
    expect(boxes).toHaveLength(16);
    expect(boxes[1]?.left_px).toBe((boxes[0]?.left_px ?? 0) + (boxes[0]?.width_px ?? 0));
    expect(grid('chip').cells).toHaveLength(8);
    expect(grid('chip').cells.every(({ of }) => of === 1)).toBe(true);
  });

  test('of several planes are side by side as far as there is room', () => {
    const planes = { ...grid('chip'), planes: 4 };
    const tops = (room_px: number) => new Set(geometryOf(planes, room_px, 28).planes.map(({ top_px }) => top_px)).size;
    expect(tops(900)).toBe(1);
    expect(tops(260)).toBe(2);
    expect(tops(60)).toBe(4);
  });

  test('have the outlines of hosts', () => {
    const sides = hostBorders(grid('chip')).map((border) => border.sides);
    expect(sides[0]).toEqual([true, true, false, true]);
    expect(sides[1]).toEqual([false, true, true, true]);
  });

  test('are walked in line, and not beyond the edge', () => {
    const geometry = geometryOf(grid('chip'), 900, 28);
    expect(cellAfter(geometry, 0, 'ArrowDown')).toBe(4);
    expect(cellAfter(geometry, 0, 'ArrowUp')).toBe(0);
    expect(cellAfter(geometry, 0, 'x')).toBeNull();
    expect(cellAfter(geometry, -1, 'ArrowUp')).toBe(0);
  });
});

test('the scale goes from the least to the most, and is faint where all are alike', () => {
  const extent = extentOf([3, null, 1, 5]);
  expect(extent).toEqual({ least: 1, most: 5 });
  expect(extent === null ? null : [1, 3, 5].map((value) => shadeOf(value, extent, 1))).toEqual([0.06, 0.53, 1]);
  expect(shadeOf(2, { least: 2, most: 2 }, 1)).toBe(0.06);
  expect(extentOf([null])).toBeNull();
});

test('items are means of the cores that a step has', () => {
  const record = hostsRecord();
  const [first] = record.steps;
  const step = first === undefined ? null : { ...first, cores: first.cores.slice(1) };
  const [core, other] = itemsOf(record, 'core', step);
  expect(core?.duration_ps).toBeNull();
  expect(other?.duration_ps).toBe(66.5 * MS);
  expect(itemsOf(record, 'host', step)[0]?.duration_ps).toBe(66.5 * MS);
  expect(itemsOf(record, 'core', null)).toHaveLength(cores.length);
});

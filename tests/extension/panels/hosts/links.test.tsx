// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import { besideLinks } from '../../../../extension/webview/panels/hosts/links/linkChart';
import { click, found, giveElementsSize, press } from '../shared/fakePage';
import { aLink, links } from './madeHosts';
import { openHosts } from './openHosts';

beforeEach(() => giveElementsSize(1000, 600));

const widthOf = (element: ParentNode) => Number(found(element, '.link-arrow .shaft').style.strokeWidth);

test('the slow one is first, marked by an icon and a word', async () => {
  const { row, names } = await openHosts();
  expect(names('Links')[0]).toBe(' slowhost1 TPU:0 → host2 TPU:0');
  expect(row('Links', 'host1 TPU:0 →').querySelector('.codicon-warning')).not.toBeNull();
  expect(row('Links', 'host0 TPU:0 →').querySelector('.codicon-warning')).toBeNull();
});

test('only one that has a sender has a delay of it', async () => {
  giveElementsSize(1400, 600);
  const { row } = await openHosts();
  expect(row('Links', 'host0 TPU:0 →').textContent).toContain('0 ps');
  expect(row('Links', '4 devices').textContent).not.toContain('0 ps');
});

test('without a slow one the longest is first', async () => {
  const { names } = await openHosts({ links: [aLink(0, 1), aLink(3, 0), aLink(1, 2)] });
  expect(names('Links')).toEqual([
    'host3 TPU:0 → host0 TPU:0',
    'host1 TPU:0 → host2 TPU:0',
    'host0 TPU:0 → host1 TPU:0',
  ]);
});

describe('a link that is chosen', () => {
  test('is an arrow on the map, as thick as its bytes, and a chart of its op', async () => {
    const { element, row, section } = await openHosts();
    expect(element.querySelector('.link-arrow')).toBeNull();
    await click(row('Links', 'host1 TPU:0 →'));
    expect(widthOf(element)).toBe(7);
    expect(element.querySelector('.head-of-arrow')).not.toBeNull();
    const chart = found(section('Links'), '.link-chart');
    expect(found(chart, 'h3').textContent).toBe('Latency of the links of ppermute');
    expect(found(chart, '.readout').textContent).toContain('host1 TPU:0 → host2 TPU:0 · 2.10 ms');
    await click(row('Links', 'host0 TPU:0 →'));
    expect(widthOf(element)).toBeLessThan(3);
  });

  test('is chosen by its channel too, and let go', async () => {
    const { element, choose, optionsOf, section } = await openHosts();
    expect(optionsOf('Channel')).toContain('channel 1 · ppermute · host0 TPU:0 → host1 TPU:0');
    await choose('Channel', 'host0 TPU:0 → host1 TPU:0');
    expect(element.querySelector('.link-arrow')).not.toBeNull();
    expect(found(section('Links'), '.row.selected').textContent).toContain('host0 TPU:0 → host1 TPU:0');
    await choose('Channel', 'None');
    expect(element.querySelector('.link-arrow')).toBeNull();
    expect(section('Links').textContent).toContain('Choose a link to see it on the map');
  });

  test('of several devices is a line through them', async () => {
    const { element, row } = await openHosts();
    await click(row('Links', '4 devices'));
    const path = found(element, '.link-arrow .shaft').getAttribute('d') ?? '';
    expect(path.match(/L/g)).toHaveLength(3);
    expect(element.querySelector('.head-of-arrow')).toBeNull();
  });

  test('is no arrow within one cell', async () => {
    const within = aLink(0, 0, { destination: 'host0 /device:TPU:1' });
    const { element, row, choose } = await openHosts({ links: [within] });
    await click(row('Links', 'host0'));
    expect(element.querySelector('.link-arrow')).not.toBeNull();
    await choose('Group by', 'Chip');
    expect(element.querySelector('.link-arrow')).toBeNull();
  });

  test('is marked in the table of the links of its op', async () => {
    const { row, section } = await openHosts();
    await click(row('Links', 'host0 TPU:0 →'));
    await click(found(section('Links'), '.link-chart vscode-toolbar-button'));
    const rows = [...section('Links').querySelectorAll<HTMLElement>('.link-chart .row')];
    expect(rows.map(({ textContent }) => textContent.includes('this link'))).toEqual([false, false, false, true]);
    await press(rows[0] as Element, 'Enter');
    expect(found(section('Links'), '.section-table .row.selected').textContent).toContain('host1 TPU:0 → host2');
  });
});

test('beside a link are those that have an op with it, the slowest first', () => {
  const [first] = links;
  expect(first === undefined ? [] : besideLinks(links, first).map(({ source_host: host }) => host)).toEqual([
    'host1',
    'host3',
    'host2',
    'host0',
  ]);
});

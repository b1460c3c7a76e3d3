// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import { click, found, giveElementsSize, press } from '../shared/fakePage';
import { aFinding } from '../shared/madeFindings';
import { aHost, cores, hostsRecord, MS, slow } from './madeHosts';
import { openHosts } from './openHosts';

beforeEach(() => giveElementsSize(1400, 600));

describe('the first sentence', () => {
  test('names the host that costs most, with its line', async () => {
    const { host, headline, section } = await openHosts();
    expect(headline()).toEqual(['host2 costs 15.2 ms of 66.5 ms per step: it works longer, train.py:54']);
    await click(found(section('What hosts cost'), '.link'));
    expect(host.sent.at(-1)).toMatchObject({ type: 'goToLine', line: 54 });
  });

  test('says where a host is that launches late', async () => {
    const late = {
      reason: 'launched-late',
      path: null,
      file: null,
      line: null,
      op: null,
      where: 'next_batch',
    } as const;
    const { headline } = await openHosts({ hosts: [aHost('host2', { ...slow, ...late }), aHost('host0')] });
    expect(headline()).toEqual(['host2 costs 15.2 ms of 66.5 ms per step: it launches late, in next_batch']);
  });

  test('names an op where nothing else is known', async () => {
    const { headline } = await openHosts({ hosts: [{ ...slow, path: null, file: null, line: null }, aHost('host0')] });
    expect(headline()[0]).toMatch(/it works longer, dot_general$/);
  });

  test('says who costs most where nobody costs much more', async () => {
    const hosts = [aHost('host0', { cost_per_step_ps: 1.31 * MS }), aHost('host1')];
    const { headline } = await openHosts({ hosts, findings: [], step_ps: 55.2 * MS });
    expect(headline()).toEqual(['No host costs much more than the others (most: host0, 1.31 ms of 55.2 ms)']);
  });

  test('is of devices where there is one host', async () => {
    const hosts = [aHost('host0', { cost_per_step_ps: null })];
    const ofOne = cores.slice(0, 4).map((core, at) => ({ ...core, cost_per_step_ps: at * MS }));
    const nobody = await openHosts({ hosts, cores: ofOne, findings: [] });
    expect(nobody.headline()).toEqual(['No device costs much more than the others (most: TPU:3, 3.00 ms of 66.5 ms)']);
    const named = ofOne.map((core, at) => ({ ...core, is_named: at === 3 }));
    const one = await openHosts({ hosts, cores: named, findings: [] });
    expect(one.headline()).toEqual(['TPU:3 costs 3.00 ms of 66.5 ms per step: it works longer than the others']);
  });

  test('stands before what else was found, and what to do', async () => {
    const { section } = await openHosts();
    const said = [...section('What hosts cost').querySelectorAll('.row-note')].map(({ textContent }) => textContent);
    expect(said).toEqual([
      ' See what it works on there that the others do not.',
      ' The link from host1 TPU:0 to host2 TPU:0 costs 3.10 ms of 66.5 ms per step.',
    ]);
  });

  test('has warnings below it once', async () => {
    const { element } = await openHosts({ findings: [aFinding('warning', 'No step was found.')] });
    expect(element.textContent.match(/No step was found/g)).toHaveLength(1);
  });
});

describe('the ranking', () => {
  test('has the host that costs most first, and is sorted by any column', async () => {
    const { names, section } = await openHosts();
    expect(names('Ranking')).toEqual(['host2', 'host1', 'host0', 'host3']);
    const header = [...section('Ranking').querySelectorAll('[role=columnheader]')].find(({ textContent }) =>
      textContent.startsWith('Host'),
    );
    await click(header as Element);
    expect(names('Ranking')).toEqual(['host0', 'host1', 'host2', 'host3']);
  });

  test('marks who is named by an icon with a name, has clocks with what may be wrong, and lines', async () => {
    const { row } = await openHosts();
    expect(found(row('Ranking', 'host2'), '[role=img]').getAttribute('aria-label')).toBe(
      'costs much more than the others',
    );
    expect(row('Ranking', 'host2').textContent).toContain('−240 µs ± 30.0 µs');
    expect(row('Ranking', 'host2').textContent).toContain('train.py:54');
    expect(row('Ranking', 'host0').querySelector('[role=img]')).toBeNull();
  });

  test('goes to the line of a host, selects it in other panels, is copied', async () => {
    const { host, row } = await openHosts();
    await click(row('Ranking', 'host2'));
    expect(host.sent.at(-1)).toMatchObject({ type: 'select', selection: { kind: 'line', line: 54 } });
    await press(row('Ranking', 'host2'), 'Enter');
    expect(host.sent.at(-1)).toMatchObject({ type: 'goToLine', line: 54 });
    await press(row('Ranking', 'host2'), 'c', { ctrlKey: true });
    const copied = host.sent.at(-1);
    expect(copied).toMatchObject({ type: 'copy' });
    expect(copied?.type === 'copy' ? copied.text : '').toContain('host2\t4\t15200000000');
  });

  test('says why there are no costs of one host', async () => {
    const { row } = await openHosts({ hosts: [aHost('host0', { cost_per_step_ps: null })], findings: [] });
    expect(row('Ranking', 'host0').querySelector('.unmetered')?.getAttribute('title')).toBe(
      'One host is compared with no other',
    );
  });
});

describe('the collectives', () => {
  test('have the name of jax first, and who comes last', async () => {
    const { names, row } = await openHosts();
    expect(names('Collectives')).toEqual(['all-reduce.3', 'collective-permute.1']);
    expect(row('Collectives', 'all-reduce.3').textContent).toContain('psumall-reduce.3');
    expect(row('Collectives', 'all-reduce.3').textContent).toContain('host2 (75.0 %)');
  });

  test('follow a line that another panel selects', async () => {
    const { section } = await openHosts({}, { kind: 'line', file: '/home/ada/train/train.py', line: 66 });
    expect(found(section('Collectives'), '.row.selected').textContent).toContain('ppermute');
  });
});

describe('where there is nothing', () => {
  test('each part says why', async () => {
    const { section } = await openHosts({
      hosts: [aHost('host0', { cost_per_step_ps: null })],
      cores: [],
      layouts: [],
      steps: [],
      collectives: [],
      links: [],
      clocks: hostsRecord().clocks.slice(0, 1),
      findings: [],
      step_ps: null,
      step_count: 0,
      instances: 0,
    });
    const reason = (title: string) => found(section(title), '.reason').textContent;
    expect(reason('Cores')).toBe('No core ran anything in the steps.');
    expect(reason('What cores did')).toBe('No core ran anything in the steps.');
    expect(reason('Collectives')).toBe('No collective ran in the window that was captured.');
    expect(reason('Links')).toBe('No device sent another anything in the window that was captured.');
    expect(reason('Clocks')).toBe('All is of one host, host0: its clock needs no correction.');
  });

  test('links say that it is not known who sent what', async () => {
    const { section } = await openHosts({ links: [] });
    expect(found(section('Links'), '.reason').textContent).toContain('Of no collective is it known');
  });
});

test('the clocks say what was applied', async () => {
  const { row } = await openHosts();
  expect(row('Clocks', 'host0').textContent).toBe('host0the referencenothing60');
  expect(row('Clocks', 'host2').textContent).toBe('host2−240 µs30.0 µs−240 µs60');
  expect(row('Clocks', 'host1').textContent).toBe('host1400 µs700 µsnothing60');
});

test('the status says what was compared', async () => {
  const { element } = await openHosts();
  expect(found(element, '.status-line').textContent).toContain(
    '4 hosts · 16 devices · 3 steps of 66.5 ms · devices met 12 times, all there in 12',
  );
});

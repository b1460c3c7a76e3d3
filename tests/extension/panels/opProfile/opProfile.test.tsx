// @vitest-environment happy-dom
import { aFinding, noUtilisation } from '../shared/madeFindings';
import { act } from 'preact/test-utils';
import type { OpProfileRow } from '../../../../extension/src/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { opened } from '../../features/fakeDaemon';
import { click, found, giveElementsSize, press } from '../shared/fakePage';
import { aProfileRow, MS, profileRows, profileView } from '../shared/madeOps';
import { manyOps, openOpProfile, restored } from './openOpProfile';

beforeEach(() => giveElementsSize(1800, 900));

describe('the tree', () => {
  test('opens from the whole to the groups, their ops, and the elements of a fusion', async () => {
    const { names, row } = await openOpProfile();
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
    const { cell } = await openOpProfile();
    expect(cell('Total', 'Of op time').textContent).toBe('100.0 %');
    expect(cell('Total', 'Self').textContent).toBe('100 ms');
    expect(cell('convolution', 'Of op time').textContent).toBe('65.0 %');
    expect(cell('loop fusion', 'Of op time').textContent).toBe('35.0 %');
    expect(cell('convolution', 'Of op time').title).toBe('65 ms of 100 ms');
  });

  test('shows idle time on request, and shares are then of both', async () => {
    const { names, button, cell, status } = await openOpProfile();
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
    const { host, names, button } = await openOpProfile();
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
    const { element, host } = await openOpProfile(profileView({}, ['TPU:0', 'TPU:1']));
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
    const { element: ofOne } = await openOpProfile();
    expect(ofOne.querySelector('.top-bar label:not(.scope)')).toBeNull();
  });
});

describe('what is expensive', () => {
  test('is shown first: ten rows, and the others below one that opens', async () => {
    const { names, cell, expand } = await openOpProfile(manyOps(14));
    expect(names()).toHaveLength(12);
    expect(names().at(-1)).toBe('4 more');
    // 90 + 89 + 88 + 87 ms
    expect(cell('4 more', 'Self').textContent).toBe('354 ms');
    await expand('4 more');
    expect(names().slice(-4)).toEqual(['op.10', 'op.11', 'op.12', 'op.13']);
  });

  test('is as many rows as the limit says, or all', async () => {
    const { names, button, element } = await openOpProfile(manyOps(40));
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
    const { names, button, cell } = await openOpProfile(view);
    expect(names()).toHaveLength(5);
    await click(button('Top 90 %'));
    expect(names()).toEqual(['Total', 'op.0', 'op.1', '2 more']);
    expect(cell('2 more', 'Self').textContent).toBe('9.00 ms');
  });

  test('is ordered by wasted time, and chosen by it', async () => {
    const { names, button } = await openOpProfile(manyOps(14));
    await click(button('Wasted Time'));
    expect(names().slice(0, 3)).toEqual(['Total', 'op.13', 'op.12']);
    expect(names().at(-1)).toBe('4 more');
    expect(names()).not.toContain('op.0');
  });

  test('never stands between a person and a search', async () => {
    const { names, status } = await openOpProfile(manyOps(40), restored({ search: 'op.39' }));
    expect(names()).toEqual(['Total', 'op.39']);
    expect(status()).toContain('1 row has “op.39”');
  });
});

describe('the search', () => {
  test('opens the path to what it finds, by name and by line', async () => {
    const { names, status } = await openOpProfile(profileView(), restored({ search: 'tanh' }));
    expect(names()).toEqual(['Total', 'loop fusion', 'fusion.2', 'tanh.5']);
    expect(status()).toContain('1 row has “tanh”');
    const byLine = await openOpProfile(profileView(), restored({ search: 'model.py:4' }));
    expect(byLine.names()).toEqual(['Total', 'convolution', 'dot.7', 'loop fusion', 'fusion.2']);
    expect(byLine.status()).toContain('2 rows have');
  });

  test('opens a row that was found itself too, where more was found below it', async () => {
    const { names } = await openOpProfile(profileView(), restored({ search: 'fusion' }));
    expect(names()).toEqual(['Total', 'loop fusion', 'fusion.2']);
  });

  test('says when there is nothing', async () => {
    const { element, names } = await openOpProfile(profileView(), restored({ search: 'absent' }));
    expect(names()).toEqual([]);
    expect(element.textContent).toContain('No row has “absent”.');
  });
});

describe('utilisation', () => {
  test('is a number beside its bar, graded besides', async () => {
    const { cell } = await openOpProfile();
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
    const { cell, row, element } = await openOpProfile(profileView({ rows }));
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
    const { cell } = await openOpProfile(profileView({ rows }));
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
    const { cell } = await openOpProfile(profileView({ rows }));
    expect(cell('convolution', 'FLOP utilisation').textContent).toBe('–');
    expect(cell('convolution', 'FLOP utilisation').title).toBe(note);
  });

  test('that is unknown is a dash that says why', async () => {
    const { cell, expand } = await openOpProfile();
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
    const { status } = await openOpProfile(
      profileView({ rows: [...rows, { ...dot, key: 'again', op_key: dot.op_key ?? dot.key }] }),
    );
    expect(status()).toContain('3 ops took 100 ms of op time over the whole window, 120 ms · in 4 rows');
    expect((await openOpProfile()).status()).not.toContain('rows');
  });

  test('without a peak says once why, and what to do', async () => {
    const unknown = {
      flop_utilisation_ratio: null,
      bandwidth_utilisation_ratio: null,
      wasted_ps: null,
      bound_by: null,
    };
    const rows = profileRows().map((each) => ({ ...each, ...unknown }));
    const { element } = await openOpProfile(
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

// @vitest-environment happy-dom
import { aFinding, anEmpty } from '../shared/madeFindings';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryViewer } from '../../../../extension/webview/panels/memoryViewer/memoryViewer';
import { FakeHost, click, found, giveElementsSize, press, rendered } from '../shared/fakePage';
import { rowsIn } from '../shared/rowsIn';
import { aBuffer, add, early, liveAt, memoryRecord, memoryView, MIB, weights } from './madeMemory';

beforeEach(() => giveElementsSize(1000, 600));

async function open(view = memoryView(), host = new FakeHost()) {
  const element = await rendered(host.page('memoryViewer'), <MemoryViewer />);
  await host.facts();
  await host.answer(view);
  const table = () => found(element, 'main > .table');
  const rows = () => [...table().querySelectorAll<HTMLElement>('.row')];
  const { row } = rowsIn(element);
  const pane = () => found(element, 'aside').textContent;
  const radio = (text: string) => {
    const one = [...element.querySelectorAll('[role=radio]')].filter((each) => each.textContent === text);
    return one as HTMLElement[];
  };
  const chart = () => found(element, '.series-chart');
  const strip = () => found(element, '.strip-place');
  const readout = () => found(element, '.memory-curve .readout').textContent;
  return { element, host, rows, row, pane, radio, chart, strip, readout, table };
}

function hover(element: Element, type: 'mouseenter' | 'mouseleave'): Promise<void> {
  return act(() => void element.dispatchEvent(new MouseEvent(type)));
}

async function choose(element: Element, label: string, at: number): Promise<void> {
  const select = [...element.querySelectorAll<HTMLLabelElement>('label.select')]
    .find((each) => each.textContent.startsWith(label))
    ?.querySelector('select');
  await act(() => {
    if (select !== null && select !== undefined) {
      select.selectedIndex = at;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }
  });
}

describe('where details have no room beside', () => {
  beforeEach(() => giveElementsSize(552, 500));

  test('the card of a chosen buffer is shown below until it is let go', async () => {
    const { element, row } = await open();
    expect(element.querySelector('aside')).toBeNull();
    await hover(row('add.2'), 'mouseenter');
    expect(element.querySelector('aside')).toBeNull();
    await click(row('add.2'));
    expect(found(element, 'aside .buffer-card').textContent).toContain('add.2');
    await click(found(element, '.card-title vscode-toolbar-button'));
    expect(element.querySelector('aside')).toBeNull();
  });

  test('details that a person has hidden stay hidden', async () => {
    const { element, row } = await open();
    await click(row('add.2'));
    await click(found(element, '.top-bar vscode-toolbar-button'));
    expect(element.querySelector('aside')).toBeNull();
    await click(row('weights'));
    expect(element.querySelector('aside')).toBeNull();
    await click(found(element, '.top-bar vscode-toolbar-button'));
    expect(found(element, 'aside .buffer-card').textContent).toContain('weights');
  });
});

describe('the buffers at the peak', () => {
  test('are listed by size, with what padding adds', async () => {
    const { rows, element } = await open();
    expect(rows().map((each) => found(each, 'code').textContent)).toEqual(['add.2', 'weights', 'dot.1']);
    const padded = rows()[2]?.textContent ?? '';
    expect(padded).toContain('1 MiB');
    expect(padded).toContain('512 KiB');
    expect(padded).toContain('model.py:3');
    expect(found(element, '.status-line').textContent).toContain(
      '3 of 4 buffers are in main memory at the peak of 6 MiB · 5 positions',
    );
  });

  test('are ordered by program, size or padding, in the strip as in the table', async () => {
    const { rows, radio } = await open();
    const names = () => rows().map((each) => found(each, 'code').textContent);
    await click(radio('Padding')[0] as Element);
    expect(names()[0]).toBe('dot.1');
    await click(radio('Program Order')[1] as Element);
    expect(names()).toEqual(['weights', 'dot.1', 'add.2']);
    await click(radio('Size')[0] as Element);
    expect(names()[0]).toBe('add.2');
  });

  test('are said to have no padding rather than a part of none', async () => {
    const { radio, element, row } = await open(memoryView({ buffers: [weights, add] }));
    await click(radio('Padding')[0] as Element);
    await click(row('add.2'));
    const strip = found(element, '.buffer-strip');
    expect(found(strip, '.readout').textContent).toBe('None of these buffers is padded.');
    expect(found(strip, '.strip-place').style.display).toBe('none');
    await click(radio('Size')[0] as Element);
    expect(found(strip, '.strip-place').style.display).toBe('');
  });

  test('show their lifetime and their card while they are pointed at', async () => {
    const { row, pane, element } = await open();
    expect(element.querySelector('.buffer-card')).toBeNull();
    await hover(row('dot.1'), 'mouseenter');
    const facts = [...element.querySelectorAll('aside dt')].map((term) => term.textContent);
    for (const name of [
      'category',
      'size',
      'unpadded size',
      'expansion',
      'extra memory',
      'shape',
      'framework op',
      'allocation type',
    ]) {
      expect(facts).toContain(name);
    }
    expect(pane()).toContain('dot.1');
    expect(pane()).toContain('2.00 ×');
    expect(pane()).toContain('f32[8,100]');
    expect(pane()).toContain('{1,0:T(8,128)}');
    expect(pane()).toContain('Kept from the forward pass');
    expect(pane()).toContain('last read byadd · model.py:4  add.2');
    await hover(row('dot.1'), 'mouseleave');
    expect(element.querySelector('.buffer-card')).toBeNull();
  });

  test('keep their card once they are chosen, are selected everywhere and lead to their line', async () => {
    const { row, pane, host, element } = await open();
    await click(row('add.2'));
    expect(host.sent.at(-1)).toEqual({
      type: 'select',
      selection: { kind: 'op', key: '7/add.2', file: '/w/model.py', line: 4 },
    });
    await hover(row('weights'), 'mouseenter');
    expect(pane()).toContain('parameter 0');
    await hover(row('weights'), 'mouseleave');
    expect(found(element, '.buffer-card h2').textContent).toBe('add_any · model.py:4 · backward');
    await press(row('add.2'), 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 4 });
  });

  test('are walked in the strip by the keyboard alone', async () => {
    const { strip, element, host } = await open();
    expect(strip().tabIndex).toBe(0);
    const title = () => found(element, '.buffer-card h2').textContent;
    await press(strip(), 'ArrowRight');
    expect(title()).toBe('add_any · model.py:4 · backward');
    await press(strip(), 'ArrowRight');
    expect(title()).toBe('weights');
    await press(strip(), 'End');
    expect(title()).toBe('dot.1 · model.py:3');
    await press(strip(), 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 3 });
  });

  test('are searched', async () => {
    const host = new FakeHost();
    host.state = { panel: 'memoryViewer', values: { search: 'weights' } };
    const { rows, element } = await open(memoryView(), host);
    expect(rows()).toHaveLength(1);
    expect(found(element, '.status-line').textContent).toContain('1 of 3 rows have “weights”');
  });

  test('that are small are one row, of which no size is made up', async () => {
    const small = aBuffer('', { id: 'small:temporary', count: 12, bytes: 4096, shape: '', op_key: null });
    const { row, element } = await open(memoryView({ buffers: [weights, small] }));
    await click(row('12 small ones (below 16 KiB)'));
    expect(found(element, '.buffer-card').textContent).not.toContain('framework op');
  });

  test('of which there are ten thousand make no more elements than are in sight', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => aBuffer(`fusion.${String(at)}`));
    const { rows, table } = await open(memoryView({ buffers: many }));
    expect(table().getAttribute('aria-rowcount')).toBe('10001');
    expect(rows().length).toBeLessThan(60);
  });
});

describe('the curve', () => {
  test('is read and picked by the keyboard, which lists what is alive there', async () => {
    const { chart, host, readout, rows, element, pane } = await open();
    expect(chart().tabIndex).toBe(0);
    await press(chart(), 'Home');
    expect(readout()).toContain('position -1 · before all steps · 2 MiB in memory');
    await press(chart(), 'ArrowRight');
    expect(readout()).toBe(
      'position 0 · early.3 · makes 1 MiB · 3 MiB in memory · 2.5 MiB without padding · +1 MiB from the position before',
    );
    await press(chart(), 'Enter');
    expect(host.details).toMatchObject({
      details: 'memoryAt',
      params: { position: 0, program: '7', memory_space: 0 },
    });
    await host.answerDetails(liveAt());
    expect(rows().map((each) => found(each, 'code').textContent)).toEqual(['weights', 'early.3']);
    expect(pane()).toContain('in memory at position 0');
    expect(pane()).toContain('of the peak50.0 %');
    // What is listed there has its card as what is at the peak.
    await hover(rows()[1] as Element, 'mouseenter');
    expect(found(element, '.buffer-card').textContent).toContain('preallocated for temporaries');
    await press(chart(), 'Escape');
    expect(rows()).toHaveLength(3);
  });

  test('goes to the peak by one key', async () => {
    const { chart, host, readout } = await open();
    await press(chart(), 'p');
    expect(readout()).toContain('position 2 · add.2');
    expect(host.details).toMatchObject({ params: { position: 2 } });
  });

  test('zooms by keys and by its bar, and back', async () => {
    const { chart, host, element } = await open();
    const shown = () => (host.state as { values: { shown?: { program: unknown } } }).values.shown?.program ?? null;
    await press(chart(), '+');
    expect(shown()).toEqual({ from: 0.25, to: 2.75 });
    await press(chart(), 'Escape');
    expect(shown()).toBeNull();
    const bar = found(element, '.zoom-bar');
    await press(bar, '+');
    expect(shown()).not.toBeNull();
    expect(bar.getAttribute('aria-valuetext')).toContain('positions');
    await press(bar, 'Escape');
    expect(shown()).toBeNull();
  });

  test('over the order of execution tells what runs, by its program position', async () => {
    const { radio, chart, host, readout, element } = await open();
    await click(radio('Order of Execution')[0] as Element);
    const legend = [...element.querySelectorAll('.memory-curve .legend li')].map((item) => item.textContent.trim());
    expect(legend).toEqual(['in memory', 'without padding', 'forward', 'backward']);
    await press(chart(), 'End');
    expect(readout()).toContain('op 2 · program position 2 · add.2 · makes 3 MiB · 6 MiB in memory');
    expect(found(element, '.zoom-bar').getAttribute('aria-valuetext')).toBe('ops 0 to 2');
    await press(chart(), 'Enter');
    expect(host.details).toMatchObject({ params: { position: 2 } });
  });

  test('gives one change in readout and card: from the op before as ops run, from the position before in the plan', async () => {
    const { execution } = memoryRecord();
    const ran = {
      positions: [0, 2, 1],
      bytes: [3, 6, 3].map((each) => each * MIB),
      ops: ['early.3', 'add.2', 'dot.1'],
    };
    const view = memoryView({ execution: execution === null ? null : { ...execution, ...ran } });
    const { radio, chart, host, readout, pane } = await open(view);
    const ofDot = liveAt({ position: 1, op: 'dot.1', bytes: 3 * MIB, change_bytes: 0 });
    await click(radio('Order of Execution')[0] as Element);
    await press(chart(), 'End');
    expect(readout()).toContain('−3 MiB from the op before');
    await press(chart(), 'Enter');
    await host.answerDetails(ofDot);
    expect(pane()).toContain('change from the op before−3 MiB');
    expect(pane()).not.toContain('from the position before');
    // The op that runs first has none before it.
    await press(chart(), 'Home');
    expect(readout()).not.toContain('before');
    await press(chart(), 'Enter');
    await host.answerDetails(liveAt());
    expect(pane()).not.toContain('change from');
    await click(radio('Program Order')[0] as Element);
    await press(chart(), 'Home');
    await press(chart(), 'ArrowRight');
    await press(chart(), 'ArrowRight');
    expect(readout()).toContain('0 B from the position before');
    await press(chart(), 'Enter');
    await host.answerDetails(ofDot);
    expect(pane()).toContain('change from the position before0 B');
  });

  test('over the order of execution gives the lifetime of a card in its own unit too', async () => {
    const { radio, row, pane } = await open();
    await click(row('dot.1'));
    expect(pane()).toContain('lifetime1 – 3');
    expect(pane()).not.toContain('runs during');
    await click(radio('Order of Execution')[0] as Element);
    expect(pane()).toContain('program positions1 – 3');
    expect(pane()).toContain('lifetimeops 1 – 3');
  });

  test('over the order of execution counts ops in its table, beside the program position', async () => {
    const { radio, element } = await open();
    await click(radio('Order of Execution')[0] as Element);
    await click(found(element, '.tool-row vscode-toolbar-button'));
    const headers = [...element.querySelectorAll('.view-table [role=columnheader]')].map(({ textContent }) =>
      textContent.trim(),
    );
    expect(headers.slice(0, 2)).toEqual(['Op number', 'Program position']);
  });

  test('has the same numbers as a table', async () => {
    const { element, host } = await open();
    await click(found(element, '.tool-row vscode-toolbar-button'));
    const rows = [...element.querySelectorAll<HTMLElement>('.view-table .row')];
    expect(rows).toHaveLength(6);
    expect(rows[3]?.textContent).toContain('2add.23 MiB6 MiB');
    await click(rows[3] as Element);
    await press(rows[3] as Element, 'Enter');
    expect(host.details).toMatchObject({ params: { position: 2 } });
  });

  test('of an estimate says so everywhere', async () => {
    const why = 'The file does not say which buffers the compiler assigned: lifetimes are estimated.';
    const { element, row, chart, readout } = await open(
      memoryView({ basis: 'estimated', findings: [aFinding('warning', why)] }),
    );
    expect([...element.querySelectorAll('.notice')].map((notice) => notice.textContent.trim())).toEqual([why]);
    expect(found(element, '.figures').textContent).toContain('≈ 6 MiB');
    expect(row('dot.1').textContent).toContain('≈ 1 MiB');
    await press(chart(), 'Home');
    expect(readout()).toContain('≈ 2 MiB in memory');
  });
});

describe('a program in which nothing comes and goes', () => {
  const timeline = { bytes: [2 * MIB], unpadded_bytes: [2 * MIB], ops: [''] };
  const still = memoryView({ peak_bytes: 2 * MIB, peak_position: null, totals: null, execution: null, timeline });

  test('says so where others have a chart, and names no position', async () => {
    const { element, radio } = await open(still);
    const said = 'Nothing comes and goes in main memory: all 2 MiB of this program are there throughout.';
    expect(element.querySelector('.series-chart')).toBeNull();
    expect(element.querySelector('.zoom-bar')).toBeNull();
    expect(found(element, '.memory-curve').textContent).toBe(said);
    expect(found(element, '.figures').textContent).not.toContain('position');
    expect(found(element, '.status-line').textContent).not.toContain('position');
    await click(radio('Allocation Map')[0] as Element);
    expect(found(element, '.memory-curve').textContent).toBe(said);
    await click(found(element, '.tool-row vscode-toolbar-button'));
    expect(element.querySelectorAll('.view-table .row')).toHaveLength(4);
  });

  test('has a level line and no peak where it has steps', async () => {
    const level = [2, 2, 2].map((each) => each * MIB);
    const steps = { bytes: level, unpadded_bytes: level, ops: ['a', 'b', ''] };
    const { element, readout, chart } = await open(memoryView({ peak_position: null, timeline: steps }));
    expect(element.querySelector('.place-mark.peak')).toBeNull();
    await press(chart(), 'End');
    expect(readout()).toContain('position 1 · b · 2 MiB in memory');
  });
});

describe('the allocation map', () => {
  test('is walked by the keyboard; of a buffer that is gone at the peak the card is asked for', async () => {
    const { radio, chart, readout, host, element } = await open();
    await click(radio('Allocation Map')[0] as Element);
    await press(chart(), 'ArrowRight');
    expect(readout()).toContain('weights · 2 MiB · parameter · allocation 0 at 0 B · positions 0 – 5');
    await press(chart(), 'ArrowUp');
    expect(readout()).toContain('early.3');
    expect(host.details).toMatchObject({ params: { position: early.start } });
    await host.answerDetails(liveAt());
    expect(found(element, '.buffer-card').textContent).toContain('preallocated for temporaries');
    await press(chart(), 'ArrowRight');
    await press(chart(), 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 3 });
  });

  test('has the same numbers as a table', async () => {
    const { radio, element } = await open();
    await click(radio('Allocation Map')[0] as Element);
    await click(found(element, '.tool-row vscode-toolbar-button'));
    const rows = [...element.querySelectorAll('.view-table .row')].map(({ textContent }) => textContent);
    expect(rows).toHaveLength(4);
    expect(rows.at(-1)).toContain('add.23 MiB11 MiB24');
  });
});

describe('the choices', () => {
  test('are the programs and their memories', async () => {
    const { element, host } = await open();
    await choose(element, 'Memory', 1);
    expect(host.request).toMatchObject({ params: { program: '7', memory_space: 1 } });
    await choose(element, 'Program', 1);
    expect(host.request).toMatchObject({ params: { program: '8', memory_space: null } });
  });

  test('forget what was looked at in another program', async () => {
    const { host, row, element } = await open();
    await click(row('add.2'));
    await choose(element, 'Program', 1);
    await host.answer(memoryView({ program_id: '8' }));
    expect(element.querySelector('.buffer-card')).toBeNull();
    // The op that is still selected is of the program before: the choice holds all the same.
    expect(host.request).toMatchObject({ params: { program: '8' } });
    await host.facts({ selection: { kind: 'op', key: '7/dot.1', file: null, line: null } });
    expect(host.request).toMatchObject({ params: { program: '7' } });
  });

  test('that are none are not offered', async () => {
    const { element } = await open(memoryView({ modules: [] }));
    expect(element.querySelector('select')).toBeNull();
  });
});

describe('what is selected elsewhere', () => {
  test('of a line is its largest buffer', async () => {
    const { host, element } = await open();
    await host.facts({ selection: { kind: 'line', file: '/w/model.py', line: 3 } });
    expect(found(element, '.buffer-card h2').textContent).toBe('dot.1 · model.py:3');
  });

  test('of a line without a buffer says so', async () => {
    const { host, pane } = await open();
    await host.facts({ selection: { kind: 'line', file: '/w/model.py', line: 77 } });
    expect(pane()).toContain('No buffer that is in memory at the peak is of model.py:77.');
  });

  test('of an op is what it makes, in its program', async () => {
    const { host, element } = await open();
    await host.facts({ selection: { kind: 'op', key: '7/add.2', file: null, line: null } });
    expect(found(element, '.buffer-card h2').textContent).toBe('add_any · model.py:4 · backward');
    await host.facts({ selection: { kind: 'op', key: '8/add.9', file: null, line: null } });
    expect(host.request).toMatchObject({ params: { program: '8' } });
  });
});

test('says why there is nothing to show', async () => {
  const { element } = await (async () => {
    const host = new FakeHost();
    const page = await rendered(host.page('memoryViewer'), <MemoryViewer />);
    await host.facts();
    await host.answer(memoryView({ peak_bytes: null, findings: anEmpty('No program is known.', 'Capture it anew.') }));
    return { element: page };
  })();
  expect(element.textContent).toContain('No program is known.');
  expect(element.textContent).toContain('Capture it anew.');
});

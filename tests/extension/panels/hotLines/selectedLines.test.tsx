// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import { aFinding } from '../shared/madeFindings';
import { FakeHost, click, found, giveElementsSize, press } from '../shared/fakePage';
import { aLine, aThreadedView, aView, aWaitingLine, aWindowView, anOp, idleOf } from './madeLines';
import { openHotLines } from './openHotLines';

const MS = 1_000_000_000;

beforeEach(() => giveElementsSize(1400, 900));

describe('the details', () => {
  test('show the steps while nothing is selected, as a table too', async () => {
    const { details, element } = await openHotLines();
    expect(details()).toContain('mean 21.0 ms');
    expect(details()).toContain('median 20.9 ms');
    expect(details().indexOf('mean')).toBeLessThan(details().indexOf('median'));
    expect(details()).toContain('peak 23.0 ms (Step 5)');
    await act(() => found(element, 'aside vscode-toolbar-button').click());
    expect(found(element, 'aside [role=grid]').textContent).toContain('19.0 ms');
  });

  test('show phases and every op of the selected line, and go to the lines that it shares ops with', async () => {
    const { row, details, element, host } = await openHotLines();
    await click(row('model.py:4'));
    expect(details()).toContain('backward1.20 ms60.0 %6.0 %');
    expect(details()).toContain('of the step≈ 9.5 %');
    expect(details()).toContain('per step2.00 ms');
    expect(details()).toContain('op time per step2.00 ms');
    expect(details()).toContain('of op time≈ 10.0 %');
    expect(details()).toContain('dot_general');
    expect(details()).toContain('shared with model.py:3');
    await act(() => found(element, 'aside .ops vscode-toolbar-button').click());
    expect(host.sent.at(-1)).toMatchObject({ type: 'showIn', panel: 'opProfile', selection: { key: anOp().key } });
    await click(found(element, 'aside .ops .link'));
    expect(host.sent).toContainEqual({ type: 'goToLine', file: '/w/model.py', line: 3 });
    expect(details()).toContain('model.py:3');
  });

  test('tell wall clock from the op time of threads, each with what it is of', async () => {
    const { row, details } = await openHotLines(aThreadedView());
    await click(row('model.py:3'));
    expect(details()).toContain('of the step57.1 %');
    expect(details()).toContain('per step12.0 ms');
    expect(details()).toContain('op time per step24.0 ms');
    expect(details()).toContain('of op time60.0 %');
    expect(details()).toContain('adds up the threads');
  });

  test('without steps are of the window', async () => {
    const { row, details } = await openHotLines(aWindowView());
    await click(row('model.py:3'));
    expect(details()).toContain('of the whole window57.1 %');
    expect(details()).toContain('time60.0 ms');
    expect(details()).not.toContain('per step');
  });

  test('show the ops that are on no line', async () => {
    const { row, details } = await openHotLines();
    await click(row('Not on a line'));
    expect(details()).toContain('copy.9');
    expect(details()).toContain('of the step9.5 %');
  });

  test('say of idle time what is known of it', async () => {
    const { row, details } = await openHotLines();
    await click(row('Idle'));
    expect(details()).toContain('no op ran');
    expect(details()).toContain('of the step4.8 %');
    expect(details()).toContain('not known where the host stood');
  });

  test('say of few steps what they have, and not of a wait that it exposed itself', async () => {
    const waiting = aWaitingLine(20, 50, {
      per_step_spread_ps: 4 * MS,
      few_steps: 1,
      few_steps_each_ps: 48 * MS,
      exposed_by: [{ path: 'model.py', file: '/w/model.py', line: 20, waiting_ps: 50 * MS }],
    });
    const few = { ...waiting, line: 21, key: 'model.py:21', few_steps: 2, few_steps_each_ps: 24 * MS };
    const { row, details } = await openHotLines(aView({ lines: [waiting, few] }));
    await click(row('model.py:20'));
    expect(details()).toContain('10.0 ms ± 4.00 ms');
    expect(details()).toContain('most of itin 1 of 5 steps, 48.0 ms');
    expect(details()).not.toContain('comes after');
    await click(row('model.py:21'));
    expect(details()).toContain('most of itin 2 of 5 steps, 24.0 ms each');
  });

  test('say why devices wait for a line, what exposed it, and what other threads did meanwhile', async () => {
    const place = { path: 'model.py', file: '/w/model.py' };
    const waiting = aWaitingLine(20, 50, {
      waiting_classes: idleOf({ input: 49 * MS, dispatch: MS }),
      basis: 'estimated',
      exposed_by: [{ ...place, line: 9, waiting_ps: 40 * MS }],
      meanwhile: [{ ...place, line: 4, thread: 'reader', function: 'augment', share_ratio: 0.55 }],
    });
    const sync = {
      ...place,
      line: 9,
      waits_per_step: 1,
      exposed_ps: 40 * MS,
      at_best_step_ps: 11 * MS,
      shares_cores: false,
    };
    const short = aFinding('note', 'Steps are shorter than that.', { code: 'steps-short-for-samples' });
    const others = aFinding('note', 'Clocks differ.', { code: 'host-clock-was-set' });
    const { row, details } = await openHotLines(
      aView({ lines: [waiting, aLine(9, 20)], syncs: [sync], findings: [short, others] }),
    );
    await click(row('model.py:20'));
    expect(details()).toContain('of the step≈ 47.6 %');
    expect(details()).toContain('input9.80 ms98.0 %');
    expect(details()).toContain('Estimated within the borders');
    expect(details()).toContain('Steps are shorter than that.');
    expect(details()).not.toContain('Clocks differ.');
    expect(details()).toContain('80.0 % of it comes after the wait for a result at');
    expect(details()).toContain('(without that wait a step takes 11.0 ms at best)');
    expect(details()).toContain('reader55.0 %');
    expect(details()).not.toContain('op time');
  });
});

describe('selection', () => {
  test('is told to the other panels and taken from them', async () => {
    const { row, host, details } = await openHotLines();
    await click(row('model.py:9'));
    expect(host.sent).toContainEqual({ type: 'select', selection: { kind: 'line', file: '/w/model.py', line: 9 } });
    await host.facts({ selection: { kind: 'line', file: '/w/model.py', line: 4 } });
    expect(row('model.py:4').getAttribute('aria-selected')).toBe('true');
    expect(details()).toContain('gelu');
  });

  test('of an op elsewhere selects its line', async () => {
    const { row, host } = await openHotLines();
    await host.facts({ selection: { kind: 'op', key: anOp().key, file: '/w/model.py', line: 9 } });
    expect(row('model.py:9').getAttribute('aria-selected')).toBe('true');
    await host.facts({ selection: { kind: 'op', key: '7/copy.9', file: null, line: null } });
    expect(row('model.py:9').getAttribute('aria-selected')).toBe('true');
  });

  test('that is shown here a second time is selected again, in functions below its own', async () => {
    const { row, host, element } = await openHotLines();
    const selection = { kind: 'line', file: '/w/model.py', line: 4 } as const;
    await host.facts({ selection, selectionGeneration: 1 });
    await click(
      [...element.querySelectorAll('[role=radio]')].find(({ textContent }) => textContent === 'Functions') as Element,
    );
    expect(row('model.py:4').getAttribute('aria-selected')).toBe('true');
    await act(() => found(element, '[aria-expanded=true] .twistie').click());
    await host.facts({ selection, selectionGeneration: 2 });
    expect(row('model.py:4').getAttribute('aria-selected')).toBe('true');
  });

  test('of a line and of its ops leads to the other panels', async () => {
    const { row, host, element } = await openHotLines();
    await click(row('model.py:9'));
    await act(() => found(element, 'aside .ops vscode-toolbar-button').click());
    expect(host.sent.at(-1)).toEqual({
      type: 'showIn',
      panel: 'opProfile',
      selection: { kind: 'op', key: anOp().key, file: '/w/model.py', line: 9 },
    });
    await press(row('model.py:9'), 'ContextMenu');
    const items = [...element.querySelectorAll('[role=menuitem]')];
    expect(items.map(({ textContent }) => textContent).slice(1, 9)).toEqual([
      'Show in Timeline',
      'Show in Op Profile',
      'Show in Op Statistics',
      'Show in FLOPs',
      'Show in Flame Graph',
      'Show in Roofline',
      'Show in Graph',
      'Show in Memory Viewer',
    ]);
    await click(items[2] as Element);
    expect(host.sent.at(-1)).toEqual({
      type: 'showIn',
      panel: 'opProfile',
      selection: { kind: 'line', file: '/w/model.py', line: 9 },
    });
  });

  test('is kept when the run is read anew', async () => {
    const { row, host } = await openHotLines();
    await click(row('model.py:9'));
    await host.facts({ shownRunGeneration: 2 });
    expect(row('model.py:9').getAttribute('aria-selected')).toBe('true');
    await host.answer(aView());
    expect(row('model.py:9').getAttribute('aria-selected')).toBe('true');
  });
});

describe('lines that move in the texts', () => {
  test('are asked for again without a word, and nothing else changes', async () => {
    const host = new FakeHost();
    host.state = { panel: 'hotLines', values: { grouping: 'functions', search: 'model' } };
    const { rows, row, element } = await openHotLines(aView(), host);
    await press(row('block'), 'ArrowRight');
    await click(row('model.py:4'));
    const [before, asked] = [rows(), host.request.id];
    await host.facts({ placesGeneration: 1 });
    expect(host.request.id).not.toBe(asked);
    expect(rows()).toEqual(before);
    expect(element.querySelector('.state, .notice')).toBeNull();
    const view = aView();
    const places = view.places.map((place) => (place?.line === 3 ? { ...place, state: 'stale' as const } : place));
    await host.answer({ ...view, places });
    expect(row('model.py:3').textContent).toContain('edited since');
    expect(row('block').getAttribute('aria-expanded')).toBe('true');
    expect(row('model.py:4').getAttribute('aria-selected')).toBe('true');
    expect(rows()).toHaveLength(before.length);
  });

  test('are asked for once more where they moved again while they were asked for', async () => {
    const { host } = await openHotLines();
    await host.facts({ placesGeneration: 1 });
    await host.facts({ placesGeneration: 2 });
    const { id } = host.request;
    await host.answer(aView());
    await host.facts({ placesGeneration: 2 });
    expect(host.request.id).toBe(id);
  });
});

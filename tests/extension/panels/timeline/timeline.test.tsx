/** @vitest-environment happy-dom */

import { aFinding, anEmpty } from '../shared/madeFindings';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { TimelineAnswer } from '../../../../extension/src/protocol';
import { TimelinePanel } from '../../../../extension/webview/panels/timeline/timeline';
import { opened } from '../../features/fakeDaemon';
import { click, FakeHost, found, giveElementsSize, nextFrame, press, rendered, until } from '../shared/fakePage';
import { aPlace, aSection, aTimeline, aTrack, anEvent } from './aTimeline';

giveElementsSize(1000, 400);
const US = 1_000_000;
let shown: HTMLElement | null = null;

afterEach(async () => {
  // A page that is gone hears no keys.
  await act(() => render(null, shown ?? document.body));
});

async function open(view: Partial<TimelineAnswer> = {}, path: string | null = null) {
  const host = new FakeHost();
  const page = host.page('timeline', path);
  const element = await rendered(page, <TimelinePanel />);
  shown = element;
  await host.facts(path === null ? {} : { shownRun: null });
  await host.answer({ run: opened('/runs/a'), record: aTimeline(), contents: 'a', ...view });
  const answer = async (details: string, result: unknown) => {
    const asked = host.sent.filter((message) => message.type === 'details' && message.details === details).at(-1);
    if (asked?.type !== 'details') {
      throw new Error(`The page has not asked for ${details}.`);
    }
    await host.say({ type: 'result', id: asked.id, result });
    // Of some answers something else is asked at once.
    await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
  };
  const asked = (details: string) =>
    host.sent.flatMap((message) => (message.type === 'details' && message.details === details ? [message.params] : []));
  // Effects of what was just drawn.
  await until(() => asked('timelineWindow').length > 0 || element.querySelector('.surface') === null);
  return { host, element, answer, asked, surface: () => found(element, '.surface') };
}

describe('the timeline', () => {
  test('shows the tracks of the run, asks for its window, and names its steps', async () => {
    const { element, asked } = await open();
    expect(found(element, '.labels').textContent).toContain('Scopes');
    expect(asked('timelineWindow').at(-1)).toMatchObject({ start_ps: expect.any(Number) as number, path: null });
    expect(found(element, '.steps').textContent).toBe('Step 3 of 4');
    expect(found(element, '.status-line').textContent).toContain('1.00 ms from 0 ps on, of 1.00 ms');
  });

  test('of a file asks by its path, and needs no run', async () => {
    const { host, element, asked } = await open({ run: null }, '/w/a.xplane.pb');
    expect(host.request.params).toEqual({ path: '/w/a.xplane.pb' });
    expect(asked('timelineWindow').at(-1)).toMatchObject({ path: '/w/a.xplane.pb' });
    expect(found(element, '.facts').textContent).toContain('a.xplane.pb');
  });

  test('of a file is asked for again when that changes, and is another one if there is something else in it', async () => {
    const { host, element, answer, surface } = await open({ run: null }, '/w/a.xplane.pb');
    await press(surface(), 'ArrowRight');
    await answer('timelineEvent', anEvent());
    const selected = () => found(element, '.announcer').textContent;
    const requests = () => host.sent.filter(({ type }) => type === 'request').length;
    expect([selected(), requests()]).toEqual(['dot_general · model.py:9 · forward, 20.0 µs, starts at 300 µs', 1]);
    const facts = { shownRun: null };
    await host.facts({ ...facts, fileGeneration: 1 });
    expect(requests()).toBe(2);
    await host.answer({ run: null, record: aTimeline(), contents: 'a' });
    expect(selected()).toBe('dot_general · model.py:9 · forward, 20.0 µs, starts at 300 µs');
    await host.facts({ ...facts, fileGeneration: 2 });
    // Until the new one is there the old one is looked at.
    expect(found(element, '.status-line').textContent).toContain('of 1.00 ms');
    await host.answer({ run: null, record: aTimeline({ duration_ps: 3000 * US }), contents: 'b' });
    expect(found(element, '.status-line').textContent).toContain('3.00 ms from 0 ps on, of 3.00 ms');
    expect(selected()).toBe('');
  });

  test('says why there is nothing in it', async () => {
    const record = aTimeline({ events: 0, sections: [], findings: anEmpty('Nothing ran.', 'Profile a step.') });
    const { element } = await open({ record });
    expect(element.textContent).toContain('Nothing ran.');
    expect(element.textContent).toContain('Profile a step.');
  });

  test('says that no track has the words of the filter, and clears it', async () => {
    const { element } = await open();
    const filter = found(element, '.tool-group.shown vscode-textfield.search');
    const type = (text: string) =>
      act(() => {
        Object.assign(filter, { value: text });
        filter.dispatchEvent(new Event('input', { bubbles: true }));
      });
    await type('ops');
    expect(element.querySelector('.no-tracks')).toBeNull();
    await type('zzzz');
    expect(found(element, '.no-tracks').textContent).toContain('No track is called “zzzz”.');
    await click(found(element, '.no-tracks vscode-button'));
    expect(element.querySelector('.no-tracks')).toBeNull();
    expect(found(element, '.labels').textContent).toContain('Scopes');
  });

  test('selects by keys alone, says what is selected, and goes to its line', async () => {
    const { host, element, answer, asked, surface } = await open();
    await press(surface(), 'ArrowRight');
    expect(asked('timelineEvent').at(-1)).toMatchObject({ track: 'TPU:0/Ops', depth: 0, at_ps: 0 });
    await answer('timelineEvent', anEvent({ findings: [aFinding('note', 'A wait for input.')] }));
    const details = found(element, '.event-details');
    expect(found(details, 'h2').textContent).toBe('dot_general · model.py:9 · forward');
    expect(found(details, '.full-name').textContent).toBe('dot.1');
    expect(details.textContent).toContain('A wait for input.');
    expect(details.textContent).toContain('f32[8,128]');
    expect(details.textContent).toContain('flops');
    expect(found(element, '.announcer').textContent).toBe(
      'dot_general · model.py:9 · forward, 20.0 µs, starts at 300 µs',
    );
    await press(surface(), 'Enter');
    await vi.waitFor(() => expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 9 }));
    await click(found(details, '.ways .link'));
    expect(host.sent.at(-1)).toMatchObject({ type: 'showIn', panel: 'opProfile', selection: { key: '7/dot.1' } });
  });

  test('links an event with those that it led to, ops by their names in jax', async () => {
    const { element, answer, asked, surface } = await open();
    await press(surface(), 'ArrowRight');
    const op = { primitive: 'add', path: 'model.py', line: 7, phase: 'other' } as const;
    const flows = [
      { outgoing: true, place: aPlace({ event: 3, name: '%add.2 = f32[] add()' }), shown_name: 'add.2', op },
      { outgoing: false, place: aPlace({ event: 4, name: 'Launch' }), shown_name: 'Launch', op: null },
    ];
    await answer('timelineEvent', anEvent({ flows }));
    const links = [...element.querySelectorAll<HTMLElement>('.flows .link')];
    expect(links.map(({ textContent }) => textContent)).toEqual(['add · model.py:7  add.2', 'Launch']);
    expect(links.map(({ title }) => title)).toEqual(['add · model.py:7  add.2\n%add.2 = f32[] add()', 'Launch']);
    await click(found(element, '.flows .link'));
    expect(asked('timelineEvent').at(-1)).toMatchObject({ event: 3 });
  });

  test('adds up a selection by name', async () => {
    const { element, answer, asked, surface } = await open();
    await press(surface(), 'v');
    expect(asked('timelineSelection').at(-1)).toEqual({
      tracks: ['TPU:0/Ops', 'TPU:0/Scopes', 'host/python'],
      start_ps: 0,
      end_ps: 1000 * US,
      path: null,
    });
    const op = { primitive: 'dot_general', path: 'src/model.py', line: 9, phase: 'backward' } as const;
    const row = (name: string, total_ps: number, share_ratio: number) => ({
      name,
      shown_name: name,
      count: 2,
      total_ps,
      self_ps: total_ps,
      mean_ps: total_ps / 2,
      least_ps: 1,
      greatest_ps: total_ps - 1,
      share_ratio,
      findings: [],
      op: name === 'copy' ? null : op,
    });
    await answer('timelineSelection', {
      start_ps: 0,
      end_ps: 1000 * US,
      count: 4,
      total_ps: 40 * US,
      names: 2,
      rows: [row('dot.1', 30 * US, 0.75), row('copy', 10 * US, 0.25)],
      findings: [],
    });
    const text = found(element, '.selection-details').textContent;
    expect(text).toContain('dot_general · model.py:9 · backwarddot.1');
    expect(text).toContain('75.0 %');
  });

  test('marks what is selected, and moves its edges by keys', async () => {
    const { element, answer, surface } = await open();
    await press(surface(), 'ArrowRight');
    await answer('timelineEvent', anEvent());
    await press(surface(), 'm');
    await press(surface(), 'm');
    expect(element.querySelectorAll('.interval')).toHaveLength(1);
    const edge = found(element, '.edge.end');
    expect(edge.getAttribute('aria-valuetext')).toBe('320 µs');
    await press(edge, 'ArrowRight', { shiftKey: true });
    expect(Number(found(element, '.edge.end').getAttribute('aria-valuenow'))).toBeGreaterThan(320 * US);
    await press(found(element, '.edge.end'), 'Delete');
    expect(element.querySelectorAll('.interval')).toHaveLength(0);
  });

  test('lists the events in sight as a table', async () => {
    const { host, element, surface, answer, asked } = await open();
    await press(surface(), 't');
    await until(() => asked('timelineTable').length > 0);
    expect(asked('timelineTable').at(-1)).toMatchObject({ first: 0, start_ps: 0, end_ps: 1000 * US });
    const op = { primitive: 'dot_general', path: 'src/model.py', line: 9, phase: 'backward' } as const;
    const rows = [
      { place: aPlace({ event: 0, name: '%dot.1 = f32[8] dot(...)' }), shown_name: 'dot.1', self_ps: 5, op },
      { place: aPlace({ event: 1, name: 'copy' }), shown_name: 'copy', self_ps: 5, op: null },
    ];
    await answer('timelineTable', { count: 2, first: 0, rows });
    const table = found(element, '.event-table');
    expect(table.getAttribute('aria-rowcount')).toBe('3');
    const names = [0, 1].map((at) => found(table, `[data-position="${String(at)}"] [aria-colindex="4"]`));
    expect(names.map(({ textContent }) => textContent)).toEqual(['dot_general · model.py:9 · backwarddot.1', 'copy']);
    const named = 'dot_general · model.py:9 · backward  dot.1';
    expect(names.map(({ title }) => title)).toEqual([`${named}\n%dot.1 = f32[8] dot(...)`, 'copy']);
    await press(found(table, '[data-position="0"]'), 'c', { ctrlKey: true });
    expect(host.sent.at(-1)).toMatchObject({ type: 'copy', text: expect.stringContaining(named) as string });
    await press(found(table, '[data-position="0"]'), 'ArrowDown');
    expect(asked('timelineEvent').at(-1)).toMatchObject({ event: 1 });
    expect(found(table, '[data-position="1"]').getAttribute('aria-selected')).toBe('true');
    await press(found(table, '[data-position="1"]'), 'c', { ctrlKey: true });
    expect(host.sent.at(-1)).toMatchObject({ type: 'copy', text: expect.stringContaining('copy') as string });
  });

  test('asks for the rows of the table that come in sight, and for those around them', async () => {
    const { element, surface, answer, asked } = await open();
    const rows = (first: number) =>
      Array.from({ length: 600 }, (_, place) => ({
        place: aPlace({ event: first + place, start_ps: first + place }),
        shown_name: `event ${String(first + place)}`,
        self_ps: 1,
        op: null,
      }));
    await press(surface(), 't');
    await until(() => asked('timelineTable').length > 0);
    expect(asked('timelineTable').at(-1)).toMatchObject({ first: 0, count: 600 });
    await answer('timelineTable', { count: 1_000_000, first: 0, rows: rows(0) });
    const table = found(element, '.event-table');
    expect(found(table, '[data-position="3"]').textContent).toContain('event 3');
    await press(found(table, '[data-position="0"]'), 'End');
    expect(found(table, '[data-position="999999"]').textContent).toContain('…');
    const { first } = asked('timelineTable').at(-1) as { readonly first: number };
    expect(first).toBeGreaterThan(999_000);
    await answer('timelineTable', { count: 1_000_000, first, rows: rows(first) });
    expect(found(table, '[data-position="999999"]').textContent).toContain('event 999999');
  });

  test('offers every action in its menu, and lists all keys', async () => {
    const { element, surface } = await open();
    await click(found(element, '.more [icon=ellipsis]'));
    const items = [...element.querySelectorAll('[role=menuitem]')].map(({ textContent }) => textContent);
    expect(items).toContain('Show All0');
    expect(items).toContain('Open in Perfetto');
    await press(found(element, '[role=menuitem]'), 'Escape');
    await press(surface(), '?');
    expect(found(element, '[role=dialog]').textContent).toContain('Next Hit');
    await press(found(element, '[role=dialog]'), 'Escape');
    expect(element.querySelector('[role=dialog]')).toBeNull();
  });

  test('stops moving where a menu or the help lies above it', async () => {
    const { element, surface } = await open();
    const status = () => found(element, '.status-line').textContent;
    for (const openOver of [() => press(surface(), '?'), () => press(surface(), 'F10', { shiftKey: true })]) {
      await press(surface(), 'w');
      await until(() => !status().includes('1.00 ms from'));
      await openOver();
      const before = status();
      for (let frame = 0; frame < 5; frame += 1) {
        await nextFrame();
      }
      expect(status()).toBe(before);
      await press(found(element, '[role=dialog], [role=menuitem]'), 'Escape');
      await press(surface(), '0');
    }
  });

  test('has one entry of a menu chosen: that under the pointer, once it moves', async () => {
    const { element } = await open();
    await click(found(element, '.more [icon=ellipsis]'));
    const [first, second] = element.querySelectorAll<HTMLElement>('[role=menuitem]');
    const point = (movementX: number) =>
      act(() => {
        second?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, movementX }));
      });
    await point(0);
    expect(document.activeElement).toBe(first);
    await point(2);
    expect(document.activeElement).toBe(second);
  });

  test('says of a file that it was deleted, until it is there again', async () => {
    const { host, element } = await open({ run: null }, '/w/a.xplane.pb');
    const notice = () => element.querySelector('.notice')?.textContent ?? '';
    expect(notice()).toBe('');
    await host.facts({ shownRun: null, isFileGone: true });
    expect(notice()).toBe('This file was deleted. What is shown is as it was read.');
    expect(found(element, '.labels').textContent).toContain('Scopes');
    await host.facts({ shownRun: null });
    expect(notice()).toBe('');
  });

  test('says whole why it cannot search', async () => {
    const { element, answer, asked } = await open();
    const field = found(element, '.search-box vscode-textfield.search');
    await act(() => {
      Object.assign(field, { value: '(' });
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await until(() => asked('timelineFind').length > 0);
    const failure = 'A parenthesis is not closed.';
    await answer('timelineFind', {
      count: 0,
      tracks: {},
      marks: [],
      ordinal: 0,
      searched_ratio: 1,
      failure,
      findings: [],
    });
    const said = found(element, '.search-box [role=alert]');
    expect(said.textContent).toBe(failure);
    // What is cut where there is no room is in `.hits`.
    expect(said.closest('.hits')).toBeNull();
  });

  test('has what turns the direction of writing turn only the name that it is in', async () => {
    const section = { ...aSection('host', [aTrack('host/a\u202eb', { work: 'python' })]), name: 'x\u202ey' };
    const { element } = await open({ record: aTimeline({ sections: [section] }) });
    const label = found(element, '.label.track');
    expect(found(label, 'bdi').textContent).toBe('a\u202eb');
    expect(label.title.split('\n')[0]).toBe('\u2068x\u202ey\u2069 · \u2068a\u202eb\u2069');
  });

  test('makes the labels wider and narrower by keys, and keeps that', async () => {
    const { host, element } = await open();
    const edge = () => found(element, '.labels-edge [role=separator]');
    const chosen = () => found(element, '.timeline-page').style.getPropertyValue('--chosen-labels');
    expect([edge().getAttribute('aria-orientation'), chosen()]).toEqual(['vertical', '']);
    await press(edge(), 'ArrowLeft');
    expect(chosen()).toBe('992px');
    await press(edge(), 'ArrowRight', { shiftKey: true });
    expect(chosen()).toBe('1040px');
    await press(edge(), 'End');
    expect(chosen()).toBe(`${edge().getAttribute('aria-valuemax') ?? ''}px`);
    await press(edge(), 'Home');
    expect(chosen()).toBe('72px');
    expect(host.state).toMatchObject({ values: { labels: 72 } });
    await press(edge(), 'Enter');
    expect(chosen()).toBe('');
  });

  test('colours and opens scopes by its menu too', async () => {
    const { element, host } = await open();
    const menu = async (label: string): Promise<void> => {
      await click(found(element, '.more [icon=ellipsis]'));
      const item = [...element.querySelectorAll('[role=menuitem]')].find(({ textContent }) => textContent === label);
      if (item === undefined) {
        throw new Error(`The menu does not offer ${label}.`);
      }
      await click(item);
    };
    await menu('Colour by scope');
    await menu('Show One More Level of Scopes');
    expect(host.state).toMatchObject({ values: { colouring: 'scope', levels: 4 } });
    await expect(menu('Colour by scope')).rejects.toThrow('does not offer');
    await press(found(element, '[role=menuitem]'), 'Escape');
    await expect(menu('Show One More Level of Scopes')).rejects.toThrow('does not offer');
    await press(found(element, '[role=menuitem]'), 'Escape');
    await menu('Show One Level of Scopes Fewer');
    expect(host.state).toMatchObject({ values: { levels: 3 } });
  });

  test('highlights what was selected in another panel', async () => {
    const { host, asked, answer, element } = await open();
    const selection = { kind: 'op', key: '7/dot.1', file: null, line: null } as const;
    await host.facts({ selection });
    expect(asked('timelineFind').at(-1)).toMatchObject({ matcher: { op_key: '7/dot.1', text: null } });
    const all = { count: 5, tracks: {}, marks: [], ordinal: 0, searched_ratio: 1, failure: null, findings: [] };
    await answer('timelineFind', { ...all, kind: 'executions', lead: 0 });
    await answer('timelineFoundEvent', aPlace());
    expect(found(element, '.hits').textContent).toBe('execution 1 of 5');
    await answer('timelineEvent', anEvent());
    const before = asked('timelineFind').length;
    await host.facts({ selection: { ...selection, file: '/w/model.py', line: 9 } });
    expect(asked('timelineFind')).toHaveLength(before);
    await host.facts({ selection: { kind: 'line', file: '/w/model.py', line: 3 }, selectionGeneration: 1 });
    expect(asked('timelineFind').at(-1)).toMatchObject({ matcher: { op_key: null, file: '/w/model.py', line: 3 } });
  });
});

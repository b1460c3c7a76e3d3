import { describe, expect, test } from 'vitest';
import { actionsOf } from '../../../../extension/webview/panels/timeline/actions/all';
import { arrange } from '../../../../extension/webview/panels/timeline/state/arrangement';
import { Timeline } from '../../../../extension/webview/panels/timeline/state/controller';
import { labelMiddle } from '../../../../extension/webview/panels/timeline/drawing/labelInSight';
import { actionOf } from '../../../../extension/webview/panels/timeline/actions/keys';
import { statusText } from '../../../../extension/webview/panels/timeline/panes/status';
import { stepBeside, stepInSight } from '../../../../extension/webview/panels/timeline/state/steps';
import { nameOn } from '../../../../extension/webview/panels/timeline/state/names';
import { boxLines } from '../../../../extension/webview/panels/timeline/tracks/tooltip';
import { trackMenu } from '../../../../extension/webview/panels/timeline/tracks/trackMenu';
import { aBox, aSection, aTimeline, aTrack } from './aTimeline';
import { at, openTimeline, whole } from './openTimeline';

/** @vitest-environment happy-dom */

const US = 1_000_000;

describe('steps', () => {
  const { steps } = aTimeline();
  const view = (start: number, end: number) => ({ start_ps: start * US, end_ps: end * US });

  test('are counted at the middle of the view', () => {
    if (steps === null) {
      throw new Error('The timeline has steps.');
    }
    expect(stepInSight(steps, view(0, 100))).toBe(-1);
    expect(stepInSight(steps, view(0, 1000))).toBe(2);
    expect(stepBeside(steps, view(0, 100), 1)).toBe(0);
    expect(stepBeside(steps, view(900, 1000), 1)).toBe(3);
    expect(stepBeside(steps, view(300, 400), -1)).toBe(0);
  });
});

describe('keys', () => {
  const keyDown = (key: string, target: HTMLElement, more: KeyboardEventInit = {}): KeyboardEvent => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, ...more });
    document.body.replaceChildren(target);
    target.dispatchEvent(event);
    return event;
  };

  test('do each one thing, and are left to fields and other controls', () => {
    const { timeline } = openTimeline();
    const actions = actionsOf(timeline, () => undefined);
    const keys = actions.flatMap((action) => action.keys);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(actions.map(({ label }) => label)).size).toBe(actions.length);
    const surface = document.createElement('div');
    surface.dataset['picture'] = '';
    expect(actionOf(actions, keyDown('W', surface))?.id).toBe('in');
    expect(actionOf(actions, keyDown('?', surface))?.id).toBe('help');
    expect(actionOf(actions, keyDown('ArrowRight', surface))?.id).toBe('next');
    expect(actionOf(actions, keyDown('ArrowRight', document.createElement('button')))).toBeNull();
    expect(actionOf(actions, keyDown('f', document.createElement('button')))?.id).toBe('fit');
    expect(actionOf(actions, keyDown('f', document.createElement('input')))).toBeNull();
    expect(actionOf(actions, keyDown('f', surface, { ctrlKey: true }))).toBeNull();
  });
});

describe('what is said', () => {
  test('of a box', () => {
    expect(boxLines(aBox(), 'dot.1', false)).toEqual(['dot.1', '20.0 µs']);
    expect(boxLines(aBox({ count: 1200, busy_ps: 10 * US, matched: 4 }), 'dot.1', true)).toEqual([
      '1\u202f200 events in 20.0 µs',
      'busy 10.0 µs (50.0 %)',
      'most time: dot.1',
      '4 highlighted',
    ]);
  });

  test('of a name, by where it is', () => {
    const name = { name: '%add.1 = f32[] add()', shown: 'add.1', ofOps: 'add · model.py:9 · forward  add.1' };
    expect(nameOn('ops', name)).toBe('add · model.py:9 · forward  add.1');
    expect(nameOn('scopes', name)).toBe('add.1');
  });

  test('of the window', () => {
    const drawn = { boxes: 10, events: 200, most_merged: 12, merged_px: 1, took_ms: 3, partial: false };
    const text = statusText(aTimeline(), { view: whole, drawn, hidden: 1, failure: null });
    expect(text).toContain('1.00 ms from 0 ps on, of 1.00 ms');
    expect(text).toContain('200 events in 10 boxes, of 300 in all rows');
    expect(text).toContain('boxes stand for up to 12 events');
    expect(text).toContain('1 track hidden');
    const of = (boxes: number, events: number) =>
      statusText(aTimeline(), { view: whole, drawn: { ...drawn, boxes, events }, hidden: 0, failure: null });
    expect(of(1, 7)).toContain('7 events in 1 box, of 300 in all rows');
    expect(of(1, 1)).toContain('1 event in 1 box, of 300 in all rows');
    expect(statusText(aTimeline({ complete: false }), { view: whole, drawn: null, hidden: 0, failure: null })).toMatch(
      /still being/,
    );
  });
});

test('the events of the window are a part of those of all rows, the derived ones too, without values', () => {
  const tracks = [aTrack('TPU:0/Ops', { events: 90 }), aTrack('TPU:0/Free time', { kind: 'overlap', events: 60 })];
  const sections = [aSection('TPU:0', [...tracks, aTrack('TPU:0/Memory', { kind: 'counter', events: 500 })])];
  const drawn = { boxes: 10, events: 150, most_merged: 12, merged_px: 1, took_ms: 3, partial: false };
  const record = aTimeline({ sections, events: 590 });
  expect(statusText(record, { view: whole, drawn, hidden: 0, failure: null })).toContain(
    '150 events in 10 boxes, of 150 in all rows',
  );
});

test('the menu of a track pins, moves and exports it', () => {
  const { timeline, state, host } = openTimeline();
  const item = (id: string, label: string) => trackMenu(timeline, id).find((each) => each.label === label);
  item('TPU:0/Scopes', 'Pin to the Top')?.run();
  expect(state.pinned.value).toEqual(['TPU:0/Scopes']);
  expect(item('TPU:0/Scopes', 'Unpin')).toBeDefined();
  item('host', 'Move Up')?.run();
  expect(state.order.value).toEqual(['host', 'TPU:0']);
  item('host/python', 'Export Its Events…')?.run();
  expect(host.sent.at(-1)).toEqual({
    type: 'exportTimeline',
    command: 'scopelight.exportTimeline',
    part: { start_ps: null, end_ps: null, tracks: ['host/python'], path: null },
  });
});

test('what a person arranged is kept over a reload, and marks go with the run', () => {
  const { host, state, timeline } = openTimeline();
  state.timings.value = [{ id: 1, start_ps: 1, end_ps: 2 }];
  state.tool.value = 'zoom';
  const again = new Timeline(host.page('timeline'));
  expect(again.state.tool.value).toBe('zoom');
  again.state.show(aTimeline(), { path: '/runs/a', contents: 'a' });
  expect(again.state.timings.value).toHaveLength(1);
  again.state.show(aTimeline(), { path: '/runs/b', contents: 'a' });
  expect(again.state.timings.value).toEqual([]);
  expect(timeline.state.tool.value).toBe('zoom');
});

describe('a file that was written anew', () => {
  const files = (contents: string) => ({ path: '/w/a.xplane.pb', contents });
  const view = { start_ps: 100 * US, end_ps: 200 * US };

  function reading() {
    const opened = openTimeline('/w/a.xplane.pb');
    const { timeline, state } = opened;
    timeline.show(aTimeline(), files('a'));
    state.view.value = view;
    state.timings.value = [{ id: 1, start_ps: 1, end_ps: 2 }];
    timeline.searching.type({ text: 'dot', regex: false, arguments: false });
    void timeline.searching.look();
    state.selectedSpan.value = { ...view, tracks: ['TPU:0/Ops'] };
    timeline.gestures.down(at(10), 0);
    timeline.gestures.move(at(60));
    return opened;
  }

  test('with the same in it keeps the view, the marks and the search; what was selected and dragged is let go', () => {
    const { timeline, state, asked } = reading();
    timeline.show(aTimeline(), files('b'));
    expect([state.view.value, state.timings.value.length]).toEqual([view, 1]);
    expect([state.selectedSpan.value, timeline.gestures.drag.value]).toEqual([null, null]);
    expect(timeline.searching.wish.value.text).toBe('dot');
    expect(asked('timelineFind')).toHaveLength(2);
  });

  test('with something else in it is shown whole, and searched again', () => {
    const { timeline, state, asked } = reading();
    timeline.show(aTimeline({ events: 301 }), files('b'));
    expect([state.view.value, state.timings.value]).toEqual([whole, []]);
    expect(state.selectedSpan.value).toBeNull();
    expect(timeline.searching.wish.value.text).toBe('dot');
    expect(asked('timelineFind')).toHaveLength(2);
    timeline.show(aTimeline(), { path: '/w/b.xplane.pb', contents: 'b' });
    expect(timeline.searching.wish.value.text).toBe('');
  });

  test('is believed to be the same until all of it is read', () => {
    const { timeline, state } = reading();
    const [device, host] = aTimeline().sections;
    // How many rows it has is known of a track once its events are read.
    const ops = device?.tracks.slice(0, 1).map((track) => ({ ...track, depths: null })) ?? [];
    const sections = [
      ...(device === undefined ? [] : [{ ...device, tracks: ops }]),
      ...(host === undefined ? [] : [host]),
    ];
    timeline.show(aTimeline({ sections, complete: false, events: 200 }), files('b'));
    expect(state.view.value).toEqual(view);
    timeline.show(aTimeline(), files('b'));
    expect(state.view.value).toEqual(view);
    timeline.show(aTimeline({ sections, complete: false, events: 200 }), files('c'));
    expect(state.view.value).toEqual(view);
    timeline.show(aTimeline({ sections }), files('c'));
    expect(state.view.value).toEqual(whole);
    timeline.show(aTimeline(), files('d'));
    state.view.value = view;
    // As many events, at other times.
    timeline.show(aTimeline({ busy: { 'TPU:0': [0.5, 0.9, 0] } }), files('e'));
    expect(state.view.value).toEqual(whole);
  });
});

test('a label in the picture is moved into it whole', () => {
  expect([labelMiddle(500, 80, 1000), labelMiddle(990, 80, 1000), labelMiddle(5, 80, 1000)]).toEqual([500, 960, 40]);
});

test('sections of one profile may have equal names of tracks', () => {
  const sections = [aSection('TPU:0', [aTrack('TPU:0/Ops')]), aSection('TPU:1', [aTrack('TPU:1/Ops')])];
  const arranged = arrange(sections, {
    order: [],
    pinned: [],
    collapsed: [],
    filter: 'tpu:1',
    section: null,
    levels: 3,
  });
  expect(arranged.flatMap(({ tracks }) => tracks.map(({ track }) => track.id))).toEqual(['TPU:1/Ops']);
});

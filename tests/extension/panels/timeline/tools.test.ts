import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Page } from '../../../../extension/webview/shared/page/page';
import { actionsOf } from '../../../../extension/webview/panels/timeline/actions/all';
import { arrange, type Arrangement, moved } from '../../../../extension/webview/panels/timeline/state/arrangement';
import { Timeline } from '../../../../extension/webview/panels/timeline/state/controller';
import { labelMiddle } from '../../../../extension/webview/panels/timeline/drawing/labelInSight';
import { actionOf, pressKey, releaseKey } from '../../../../extension/webview/panels/timeline/actions/keys';
import { hitsText } from '../../../../extension/webview/panels/timeline/panes/searchBox';
import { statusText } from '../../../../extension/webview/panels/timeline/panes/status';
import { tracksBetween } from '../../../../extension/webview/panels/timeline/tools/gestures';
import { movedOn } from '../../../../extension/webview/panels/timeline/tools/motion';
import { lineOf } from '../../../../extension/webview/panels/timeline/tools/selecting';
import { stepBeside, stepInSight } from '../../../../extension/webview/panels/timeline/state/steps';
import { movedEdge } from '../../../../extension/webview/panels/timeline/tools/timings';
import { turned } from '../../../../extension/webview/panels/timeline/tools/wheel';
import { nameOn } from '../../../../extension/webview/panels/timeline/state/names';
import { boxLines } from '../../../../extension/webview/panels/timeline/tracks/tooltip';
import { trackMenu } from '../../../../extension/webview/panels/timeline/tracks/trackMenu';
import { FakeHost } from '../shared/fakePage';
import { aBox, aPicture, aPlace, aSection, aTimeline, aTrack, anEvent } from './aTimeline';

/** @vitest-environment happy-dom */

const US = 1_000_000;
const whole = { start_ps: 0, end_ps: 1000 * US };

function open(path: string | null = null) {
  const host = new FakeHost();
  const page: Page = host.page('timeline', path);
  const timeline = new Timeline(page);
  timeline.state.show(aTimeline(), { path: '/runs/a', contents: 'a' });
  timeline.state.size.value = { width_px: 1000, height_px: 100 };
  timeline.state.picture.value = aPicture();
  const asked = (details: string) =>
    host.sent.filter((message) => message.type === 'details' && message.details === details);
  return { host, timeline, state: timeline.state, asked };
}

const at = (x_px: number, y_px = 10, more = {}) => ({ x_px, y_px, isFree: false, isOpposite: false, ...more });

describe('the arrangement of tracks', () => {
  const sections = aTimeline().sections;
  const wished: Arrangement = { order: [], pinned: [], collapsed: [], filter: '', section: null, levels: 3 };
  const names = (given: Partial<Arrangement>) =>
    arrange(sections, { ...wished, ...given }).map(({ section, tracks }) => [
      section?.id ?? 'pinned',
      ...tracks.map(({ track }) => track.id),
    ]);

  test('is that of the profile until a person changes it', () => {
    expect(names({})).toEqual([
      ['TPU:0', 'TPU:0/Ops', 'TPU:0/Scopes'],
      ['host', 'host/python'],
    ]);
  });

  test('has pinned tracks first, and once', () => {
    expect(names({ pinned: ['host/python', 'TPU:0/Ops'] })).toEqual([
      ['pinned', 'host/python', 'TPU:0/Ops'],
      ['TPU:0', 'TPU:0/Scopes'],
      ['host'],
    ]);
  });

  test('shows what a filter leaves, also of collapsed sections', () => {
    expect(names({ filter: 'tpu ops', collapsed: ['TPU:0'] })).toEqual([['TPU:0', 'TPU:0/Ops']]);
    expect(names({ collapsed: ['TPU:0'] })[0]).toEqual(['TPU:0']);
    expect(names({ section: 'host' })).toEqual([['host', 'host/python']]);
  });

  test('caps the rows of scopes by their levels, of collapsed tracks at one', () => {
    const most = (levels: number, collapsed: readonly string[] = []) =>
      arrange(sections, { ...wished, levels, collapsed })[0]?.tracks.map(({ mostDepths }) => mostDepths);
    expect(most(2)).toEqual([Infinity, 2]);
    expect(most(0)).toEqual([Infinity]);
    expect(most(2, ['TPU:0/Ops'])).toEqual([1, 2]);
  });

  test('moves one among its siblings and leaves the others', () => {
    const order = moved(sections, [], 'host', -1);
    expect(names({ order: order }).map(([id]) => id)).toEqual(['host', 'TPU:0']);
    expect(moved(sections, order, 'host', -1)).toBe(order);
    const siblings = ['a', 'b', 'c'].map((id) => ({ id }));
    expect(moved(siblings, ['x', 'c'], 'a', 1)).toEqual(['x', 'c', 'b', 'a']);
  });
});

describe('held keys', () => {
  test('zoom about a place that stays, and faster the longer they are held', () => {
    const after = (for_ms: number) => movedOn(whole, [{ way: 'in', for_ms }], 16, 250 * US, whole.end_ps);
    const length = ({ start_ps, end_ps }: { start_ps: number; end_ps: number }) => end_ps - start_ps;
    const soon = after(0);
    expect((250 * US - soon.start_ps) / length(soon)).toBeCloseTo(0.25);
    expect(length(soon)).toBeLessThan(length(whole));
    expect(length(after(1200))).toBeLessThan(length(soon));
  });

  test('move no farther than the run', () => {
    const view = { start_ps: 0, end_ps: 100 * US };
    expect(movedOn(view, [{ way: 'left', for_ms: 500 }], 50, 0, whole.end_ps)).toEqual(view);
    const right = movedOn(view, [{ way: 'right', for_ms: 500 }], 50, 0, whole.end_ps);
    expect(right.start_ps).toBeGreaterThan(0);
    expect(right.end_ps - right.start_ps).toBeCloseTo(100 * US);
  });

  test('end their tap where another key has set the view', () => {
    vi.useFakeTimers({ toFake: ['performance', 'requestAnimationFrame', 'cancelAnimationFrame'] });
    const { timeline, state } = open();
    const actions = actionsOf(timeline, () => undefined);
    const press = (key: string) => pressKey(actions, timeline.motion, new KeyboardEvent('keydown', { key }));
    press('w');
    releaseKey(actions, timeline.motion, new KeyboardEvent('keyup', { key: 'w' }));
    vi.advanceTimersByTime(40);
    expect(state.view.value).not.toEqual(whole);
    press('0');
    vi.advanceTimersByTime(1000);
    expect(state.view.value).toEqual(whole);
    vi.useRealTimers();
  });
});

describe('the wheel', () => {
  const turn = { deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, metaKey: false, shiftKey: false };

  test('scrolls, with Shift pans, with Ctrl zooms about the pointer', () => {
    const { state } = open();
    turned(state, { ...turn, deltaY: 120 }, 0);
    expect(state.scroll_px.value).toBe(120);
    turned(state, { ...turn, deltaY: 1e6 }, 0);
    expect(state.scroll_px.value).toBe(300);
    turned(state, { ...turn, deltaY: -100, ctrlKey: true }, 500 * US);
    const zoomed = state.view.value;
    expect(zoomed.end_ps - zoomed.start_ps).toBeLessThan(1000 * US);
    expect(zoomed.start_ps + zoomed.end_ps).toBeCloseTo(1000 * US, -3);
    turned(state, { ...turn, deltaY: 100, shiftKey: true }, 0);
    expect(state.view.value.start_ps).toBeGreaterThan(zoomed.start_ps);
    expect(state.scroll_px.value).toBe(300);
  });
});

describe('the pointer', () => {
  test('selects the event that it presses', async () => {
    const { timeline, state, host } = open();
    timeline.gestures.down(at(310), 0);
    timeline.gestures.up(at(311));
    expect(host.details).toMatchObject({
      details: 'timelineEvent',
      params: { track: 'TPU:0/Ops', event: null, depth: 0, at_ps: 310 * US, path: null },
    });
    await host.answerDetails(anEvent());
    expect(state.selectedEvent.value).toEqual(aPlace());
    expect(host.sent.at(-1)).toEqual({
      type: 'select',
      selection: { kind: 'op', key: '7/dot.1', file: '/w/model.py', line: 9 },
    });
  });

  test('selects the time of merged events, and nothing beside a box', () => {
    const { timeline, state } = open();
    state.picture.value = aPicture(aBox({ count: 40 }));
    timeline.gestures.down(at(310), 0);
    timeline.gestures.up(at(310));
    expect(state.selectedSpan.value).toEqual({ start_ps: 300 * US, end_ps: 320 * US, tracks: ['TPU:0/Ops'] });
    timeline.gestures.down(at(310, 50), 0);
    timeline.gestures.up(at(310, 50));
    expect(state.selectedSpan.value).toBeNull();
  });

  test('selects a box of time and tracks', () => {
    const { timeline, state } = open();
    timeline.gestures.down(at(600, 70), 0);
    timeline.gestures.move(at(200, 25));
    expect(timeline.gestures.drag.value).toMatchObject({ kind: 'box', top_px: 25, bottom_px: 70 });
    timeline.gestures.up(at(200, 25));
    expect(state.selectedSpan.value).toEqual({
      start_ps: 200 * US,
      end_ps: 600 * US,
      tracks: ['TPU:0/Ops', 'host/python'],
    });
    expect(tracksBetween(aPicture().rows(), 41, 59)).toEqual([]);
  });

  test('ends what it drags at the edges of the picture', () => {
    const { timeline, state } = open();
    const { gestures } = timeline;
    const drag = (from_px: number, to_px: number): void => {
      gestures.down(at(from_px), 0);
      gestures.move(at(to_px));
      gestures.up(at(to_px));
    };
    drag(500, -180);
    expect(state.selectedSpan.value).toMatchObject({ start_ps: 0, end_ps: 500 * US });
    state.tool.value = 'timing';
    drag(500, 1400);
    expect(state.timings.value).toEqual([{ id: 1, start_ps: 500 * US, end_ps: 1000 * US }]);
    state.tool.value = 'zoom';
    state.view.value = { start_ps: 200 * US, end_ps: 400 * US };
    gestures.down(at(500), 0);
    gestures.move(at(5000));
    expect(gestures.drag.value?.span).toEqual({ start_ps: 300 * US, end_ps: 400 * US });
    gestures.cancel();
    // An edge of an event to snap to is not believed either where it lies outside of the profile.
    state.picture.value = aPicture(aBox(), [1100 * US]);
    expect(gestures.snap(at(999))).toBe(1000 * US);
  });

  test('pans with its tool, and with the middle button with every tool', () => {
    const { timeline, state } = open();
    state.view.value = { start_ps: 400 * US, end_ps: 500 * US };
    timeline.gestures.down(at(500), 1);
    timeline.gestures.move(at(400));
    expect(state.view.value).toEqual({ start_ps: 410 * US, end_ps: 510 * US });
    expect(timeline.gestures.cancel()).toBe(true);
    expect(timeline.gestures.cancel()).toBe(false);
  });

  test('zooms to what was dragged over, in by a press and out with Shift', () => {
    const { timeline, state } = open();
    state.tool.value = 'zoom';
    timeline.gestures.down(at(400), 0);
    timeline.gestures.move(at(600));
    timeline.gestures.up(at(600));
    const zoomed = state.view.value;
    expect(zoomed.start_ps).toBeLessThanOrEqual(400 * US);
    expect(zoomed.end_ps).toBeGreaterThanOrEqual(600 * US);
    timeline.gestures.down(at(500), 0);
    timeline.gestures.up(at(500));
    const length = () => state.view.value.end_ps - state.view.value.start_ps;
    expect(length()).toBeCloseTo((zoomed.end_ps - zoomed.start_ps) / 2, -3);
    timeline.gestures.down(at(500, 10, { isOpposite: true }), 0);
    timeline.gestures.up(at(500, 10, { isOpposite: true }));
    expect(length()).toBeCloseTo(zoomed.end_ps - zoomed.start_ps, -3);
  });

  test('marks intervals that snap to events, unless Alt is held', () => {
    const { timeline, state } = open();
    state.tool.value = 'timing';
    state.picture.value = aPicture(aBox(), [123 * US]);
    timeline.gestures.down(at(120, 10, { isFree: true }), 0);
    timeline.gestures.move(at(300, 10));
    timeline.gestures.up(at(300, 10));
    expect(state.timings.value).toEqual([{ id: 1, start_ps: 120 * US, end_ps: 123 * US }]);
    state.tool.value = 'select';
    expect(state.timings.value).toHaveLength(1);
    expect(movedEdge({ id: 1, start_ps: 10, end_ps: 20 }, 'start_ps', 30)).toEqual({
      id: 1,
      start_ps: 20,
      end_ps: 30,
    });
  });
});

describe('the selection', () => {
  test('moves along a track and across rows, and goes to the line', async () => {
    const { timeline, host, asked } = open();
    void timeline.selecting.place(aPlace());
    await host.answerDetails(anEvent());
    void timeline.selecting.beside(1);
    expect(host.details.params).toMatchObject({ track: 'TPU:0/Ops', event: 8 });
    await host.answerDetails(anEvent({ place: aPlace({ event: 99 }) }));
    const before = asked('timelineEvent').length;
    await timeline.selecting.beside(1);
    expect(asked('timelineEvent')).toHaveLength(before);
    void timeline.selecting.across(1);
    expect(host.details.params).toMatchObject({ track: 'TPU:0/Ops', event: null, depth: 1, at_ps: 310 * US });
    await host.answerDetails(anEvent());
    expect(timeline.selecting.goToLine()).toBe(true);
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 9 });
  });

  test('passes rows without events, also where they are more than a screen', async () => {
    const { timeline, state, host, asked } = open();
    const empty = Array.from({ length: 12 }, (_, at) => aTrack(`TPU:0/Empty ${at}`, { events: 0, depths: 0 }));
    const tracks = [aTrack('TPU:0/Ops'), ...empty, aTrack('TPU:0/Last')];
    state.show(aTimeline({ sections: [aSection('TPU:0', tracks)] }), { path: '/runs/a', contents: 'a' });
    const rows = tracks.map(({ id }, at) => ({ track: id, depth: 0, top_px: 20 * at, height_px: 20 }));
    const inSight = () =>
      rows
        .map((row) => ({ ...row, top_px: row.top_px - state.scroll_px.value }))
        .filter(({ top_px }) => top_px > -20 && top_px < 100);
    state.picture.value = { ...aPicture(), height_px: signal(20 * rows.length), rows: inSight };
    void timeline.selecting.place(aPlace());
    await host.answerDetails(anEvent());
    void timeline.selecting.across(1);
    expect(host.details.params).toMatchObject({ track: 'TPU:0/Last', event: null, depth: 0 });
    await host.answerDetails(anEvent({ place: aPlace({ track: 'TPU:0/Last' }) }));
    const [before, scroll_px] = [asked('timelineEvent').length, state.scroll_px.value];
    await timeline.selecting.across(1);
    expect(asked('timelineEvent')).toHaveLength(before);
    expect(state.scroll_px.value).toBe(scroll_px);
    void timeline.selecting.across(-1);
    expect(host.details.params).toMatchObject({ track: 'TPU:0/Ops', event: null, depth: 0 });
    await host.answerDetails(anEvent());
    // A pinned row is above all others, not below the first.
    state.scroll_px.value = 0;
    state.pinned.value = ['pinned'];
    const pinned = { track: 'pinned', depth: 0, top_px: 0, height_px: 20 };
    state.picture.value = { ...aPicture(), height_px: signal(20 * rows.length), rows: () => [pinned, ...inSight()] };
    state.selectedEvent.value = aPlace();
    void timeline.selecting.across(1);
    expect(host.details.params).toMatchObject({ track: 'TPU:0/Last', event: null, depth: 0 });
  });

  test('goes as many steps as keys were pressed, also where they came faster than the answers', async () => {
    const { timeline, state, host, asked } = open();
    void timeline.selecting.place(aPlace());
    await host.answerDetails(anEvent());
    void timeline.selecting.across(1);
    void timeline.selecting.across(1);
    void timeline.selecting.beside(1);
    expect(host.details.params).toMatchObject({ track: 'TPU:0/Ops', event: null, depth: 1 });
    await host.answerDetails(anEvent({ place: aPlace({ depth: 1, event: 20 }) }));
    expect(host.details.params).toMatchObject({ track: 'host/python', event: null, depth: 0 });
    await host.answerDetails(anEvent({ place: aPlace({ track: 'host/python', event: 40 }) }));
    expect(host.details.params).toMatchObject({ track: 'host/python', event: 41 });
    // What is pressed meanwhile ends them, and Enter waits for where they lead.
    void timeline.selecting.goToLineOfEvent();
    expect(host.sent.at(-1)).toMatchObject({ type: 'details' });
    await host.answerDetails(anEvent({ place: aPlace({ track: 'host/python', event: 41 }) }));
    expect(state.selectedEvent.value?.event).toBe(41);
    await vi.waitFor(() => expect(host.sent.at(-1)).toMatchObject({ type: 'goToLine' }));
    void timeline.selecting.beside(1);
    void timeline.selecting.beside(1);
    const before = asked('timelineEvent').length;
    timeline.selecting.clear();
    await vi.waitFor(() => expect(host.sent.at(-1)).toMatchObject({ type: 'cancel' }));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(asked('timelineEvent')).toHaveLength(before);
  });

  test('opens and shows what hides it', () => {
    const { timeline, state } = open();
    state.collapsed.value = ['TPU:0', 'TPU:0/Ops', 'host'];
    state.section.value = 'host';
    state.view.value = { start_ps: 0, end_ps: 10 * US };
    void timeline.selecting.place(aPlace({ depth: 1 }));
    expect(state.collapsed.value).toEqual(['host']);
    expect(state.section.value).toBeNull();
    expect(state.view.value.start_ps).toBeLessThanOrEqual(300 * US);
    expect(state.view.value.end_ps).toBeGreaterThanOrEqual(300 * US);
  });

  test('says why an event cannot be had', async () => {
    const { timeline, host } = open();
    void timeline.selecting.place(aPlace());
    await host.say({ type: 'failure', id: host.details.id, message: 'This file was removed.' });
    expect(timeline.selecting.failure.value).toBe('This file was removed.');
  });

  test('prefers lines of the user', () => {
    expect(lineOf(anEvent())).toEqual({ file: '/w/model.py', line: 9 });
    expect(lineOf(anEvent({ frames: anEvent().frames.slice(0, 1) }))).toEqual({ file: '/lib/numpy.py', line: 3 });
    expect(lineOf(anEvent({ frames: [] }))).toBeNull();
  });
});

describe('the search', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const settled = () => vi.advanceTimersByTimeAsync(0);
  const found = { count: 3, tracks: {}, marks: [], ordinal: 1, searched_ratio: 1, failure: null, findings: [] };

  test('starts when typing pauses, and goes on until all is searched', async () => {
    const { timeline, state, host, asked } = open();
    timeline.searching.type({ text: 'd', regex: false, arguments: false });
    timeline.searching.type({ text: 'dot', regex: true, arguments: false });
    expect(asked('timelineFind')).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(300);
    expect(host.details.params).toMatchObject({ matcher: { text: 'dot', regex: true, op_key: null }, at_ps: 0 });
    await host.answerDetails({ ...found, count: 1, searched_ratio: 0.5 });
    expect(state.found.value?.count).toBe(1);
    expect(asked('timelineFind')).toHaveLength(2);
    await host.answerDetails(found);
    expect(timeline.searching.isAsking.value).toBe(false);
  });

  test('goes from hit to hit, and around', async () => {
    const { timeline, host } = open();
    timeline.searching.type({ text: 'dot', regex: false, arguments: false });
    void timeline.searching.step(1);
    await host.answerDetails(found);
    await settled();
    expect(host.details.params).toMatchObject({ ordinal: 1 });
    void timeline.searching.step(1);
    expect(host.details.params).toMatchObject({ ordinal: 2 });
    void timeline.searching.step(1);
    expect(host.details.params).toMatchObject({ ordinal: 0 });
    void timeline.searching.step(-1);
    await host.answerDetails(aPlace());
    await settled();
    expect(timeline.searching.ordinal.value).toBe(2);
    expect(timeline.state.selectedEvent.value).toEqual(aPlace());
  });

  test('is cancelled and tells failures', async () => {
    const { timeline, state, host } = open();
    timeline.searching.type({ text: '(', regex: true, arguments: true });
    await vi.advanceTimersByTimeAsync(300);
    await host.answerDetails({ ...found, count: 0, failure: 'A parenthesis is not closed.' });
    expect(timeline.searching.failure.value).toBe('A parenthesis is not closed.');
    timeline.searching.type({ text: 'x', regex: false, arguments: true });
    await vi.advanceTimersByTimeAsync(300);
    timeline.searching.cancel();
    expect(host.sent.at(-1)).toMatchObject({ type: 'cancel' });
    await vi.advanceTimersByTimeAsync(0);
    expect(timeline.searching.isAsking.value).toBe(false);
    timeline.searching.clear();
    expect(state.matcher.value).toBeNull();
  });

  test('highlights the executions of an op and goes to the first', async () => {
    const { timeline, state, host } = open('/w/a.xplane.pb');
    void timeline.searching.highlight({ op_key: '7/dot.1', file: null, line: null });
    expect(host.details.params).toMatchObject({ matcher: { text: null, op_key: '7/dot.1' }, path: '/w/a.xplane.pb' });
    await host.answerDetails(found);
    await settled();
    expect(host.details).toMatchObject({ details: 'timelineFoundEvent', params: { ordinal: 0 } });
    await host.answerDetails(aPlace());
    await settled();
    expect(state.selectedEvent.value).toEqual(aPlace());
    timeline.escape();
    expect(state.selectedEvent.value).toBeNull();
    expect(state.matcher.value).not.toBeNull();
    timeline.escape();
    expect(state.matcher.value).toBeNull();
  });

  test('says how many there are', () => {
    expect([
      hitsText(0, null, 'events'),
      hitsText(1, null, 'events'),
      hitsText(12, null, 'events'),
      hitsText(12, 0, 'executions'),
      hitsText(0, null, 'gaps'),
      hitsText(12, 4, 'gaps'),
    ]).toEqual(['no hits', '1 hit', '12 hits', 'execution 1 of 12', 'no gaps', 'gap 5 of 12']);
  });
});

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
    const { timeline } = open();
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
  const { timeline, state, host } = open();
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
  const { host, state, timeline } = open();
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
    const opened = open('/w/a.xplane.pb');
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

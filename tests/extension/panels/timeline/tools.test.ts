import { signal } from '@preact/signals';
import { describe, expect, test, vi } from 'vitest';
import { actionsOf } from '../../../../extension/webview/panels/timeline/actions/all';
import { arrange, type Arrangement, moved } from '../../../../extension/webview/panels/timeline/state/arrangement';
import { pressKey, releaseKey } from '../../../../extension/webview/panels/timeline/actions/keys';
import { tracksBetween } from '../../../../extension/webview/panels/timeline/tools/gestures';
import { movedOn } from '../../../../extension/webview/panels/timeline/tools/motion';
import { lineOf } from '../../../../extension/webview/panels/timeline/tools/selecting';
import { movedEdge } from '../../../../extension/webview/panels/timeline/tools/timings';
import { turned } from '../../../../extension/webview/panels/timeline/tools/wheel';
import { aBox, aPicture, aPlace, aSection, aTimeline, aTrack, anEvent } from './aTimeline';
import { at, openTimeline, whole } from './openTimeline';

/** @vitest-environment happy-dom */

const US = 1_000_000;

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
    const { timeline, state } = openTimeline();
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
    const { state } = openTimeline();
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
    const { timeline, state, host } = openTimeline();
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
    const { timeline, state } = openTimeline();
    state.picture.value = aPicture(aBox({ count: 40 }));
    timeline.gestures.down(at(310), 0);
    timeline.gestures.up(at(310));
    expect(state.selectedSpan.value).toEqual({ start_ps: 300 * US, end_ps: 320 * US, tracks: ['TPU:0/Ops'] });
    timeline.gestures.down(at(310, 50), 0);
    timeline.gestures.up(at(310, 50));
    expect(state.selectedSpan.value).toBeNull();
  });

  test('selects a box of time and tracks', () => {
    const { timeline, state } = openTimeline();
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
    const { timeline, state } = openTimeline();
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
    const { timeline, state } = openTimeline();
    state.view.value = { start_ps: 400 * US, end_ps: 500 * US };
    timeline.gestures.down(at(500), 1);
    timeline.gestures.move(at(400));
    expect(state.view.value).toEqual({ start_ps: 410 * US, end_ps: 510 * US });
    expect(timeline.gestures.cancel()).toBe(true);
    expect(timeline.gestures.cancel()).toBe(false);
  });

  test('zooms to what was dragged over, in by a press and out with Shift', () => {
    const { timeline, state } = openTimeline();
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
    const { timeline, state } = openTimeline();
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
    const { timeline, host, asked } = openTimeline();
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
    const { timeline, state, host, asked } = openTimeline();
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
    const { timeline, state, host, asked } = openTimeline();
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
    const { timeline, state } = openTimeline();
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
    const { timeline, host } = openTimeline();
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

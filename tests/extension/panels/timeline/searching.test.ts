import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hitsText } from '../../../../extension/webview/panels/timeline/panes/searchBox';
import { aPlace } from './aTimeline';
import { openTimeline } from './openTimeline';

/** @vitest-environment happy-dom */

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
    const { timeline, state, host, asked } = openTimeline();
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
    const { timeline, host } = openTimeline();
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
    const { timeline, state, host } = openTimeline();
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
    const { timeline, state, host } = openTimeline('/w/a.xplane.pb');
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
    // It was highlighted and selected at once, from elsewhere.
    expect(state.matcher.value).toBeNull();
    expect(state.found.value).toBeNull();
  });

  test('counts an event that was selected in another way, where it is a hit', async () => {
    const { timeline, host } = openTimeline('/w/a.xplane.pb');
    await timeline.searching.follow(aPlace());
    expect(host.sent.filter(({ type }) => type === 'details')).toEqual([]);
    void timeline.searching.highlight({ op_key: null, file: '/w/train.py', line: 3 });
    await host.answerDetails({ ...found, lead: 2 });
    await settled();
    await host.answerDetails(aPlace());
    await settled();
    expect(timeline.searching.ordinal.value).toBe(2);
    void timeline.searching.follow(aPlace({ event: 7, start_ps: 500 }));
    expect(timeline.searching.ordinal.value).toBeNull();
    expect(host.details).toMatchObject({ details: 'timelineFind', params: { at_ps: 500 } });
    await host.answerDetails({ ...found, ordinal: 1 });
    await settled();
    expect(host.details).toMatchObject({ details: 'timelineFoundEvent', params: { ordinal: 1 } });
    await host.answerDetails(aPlace({ event: 7 }));
    await settled();
    expect(timeline.searching.ordinal.value).toBe(1);
    void timeline.searching.follow(aPlace({ event: 9 }));
    await host.answerDetails({ ...found, ordinal: 1 });
    await settled();
    await host.answerDetails(aPlace({ event: 7 }));
    await settled();
    expect(timeline.searching.ordinal.value).toBeNull();
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

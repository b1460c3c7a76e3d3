/** @vitest-environment happy-dom */

import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, test } from 'vitest';
import type { FlowRecord, GapRecord, TimelineRecord } from '../../../../extension/src/protocol';
import { placeOf } from '../../../../extension/webview/panels/timeline/drawing/arrows';
import { arrowsOf } from '../../../../extension/webview/panels/timeline/state/arrows';
import { arrange } from '../../../../extension/webview/panels/timeline/state/arrangement';
import { layOut } from '../../../../extension/webview/panels/timeline/state/layout';
import { centredOn, lengthOf, middleOf } from '../../../../extension/webview/panels/timeline/state/viewport';
import { TimelinePanel } from '../../../../extension/webview/panels/timeline/timeline';
import { opened } from '../../features/fakeDaemon';
import { click, FakeHost, found, giveElementsSize, press, rendered, until } from '../shared/fakePage';
import { aPlace, aSection, aTimeline, aTrack, anEvent } from './aTimeline';

giveElementsSize(1000, 400);
const US = 1_000_000;
let shown: HTMLElement | null = null;

afterEach(async () => {
  await act(() => render(null, shown ?? document.body));
});

const FREE = 'TPU:0/Free time';

const recordWithGaps = (): TimelineRecord => {
  const [device, host] = aTimeline().sections;
  const lines = aTrack('TPU:0/Lines of MainThread', { kind: 'lines', depths: 2 });
  const tracks = [aTrack(FREE, { kind: 'overlap' }), lines, ...(device?.tracks ?? [])];
  return aTimeline({ sections: [aSection('TPU:0', tracks), { ...(host ?? aSection('host', [])), kind: 'host' }] });
};

const aGapPlace = (start: number, duration = 100) =>
  aPlace({ track: FREE, event: start, start_ps: start * US, duration_ps: duration * US, name: 'idle' });

const aFlow = (outgoing: boolean, start: number, track: string): FlowRecord => ({
  outgoing,
  place: aPlace({ track, start_ps: start * US, duration_ps: 20 * US }),
  shown_name: outgoing ? 'dot.1' : 'PjitFunction(step)',
  op: null,
});

const place = (path: string, line: number) => ({ path, file: `/w/${path}`, line, function: 'load' });

const aGap = (changes: Partial<GapRecord> = {}): GapRecord => ({
  parts: [
    { waiting_class: 'input', time_ps: 90 * US, place: place('loader.py', 3), basis: 'estimated' },
    { waiting_class: 'dispatch', time_ps: 9 * US, place: place('train.py', 6), basis: 'exact' },
    { waiting_class: 'runtime', time_ps: US, place: null, basis: null },
  ],
  exposed_by: place('train.py', 7),
  ended_by: aFlow(true, 400, 'TPU:0/Ops'),
  launched_by: aFlow(false, 390, 'host/python'),
  ...changes,
});

const aGapEvent = (start: number, gap = aGap()) =>
  anEvent({
    place: aGapPlace(start),
    shown_name: 'idle',
    op_key: null,
    primitive: '',
    gap,
    frames: [{ path: 'loader.py', file: '/w/loader.py', line: 3, function: 'load', user: true }],
  });

async function open(record: TimelineRecord = recordWithGaps()) {
  const host = new FakeHost();
  const element = await rendered(host.page('timeline', null), <TimelinePanel />);
  shown = element;
  await host.facts({});
  await host.answer({ run: opened('/runs/a'), record, contents: 'a' });
  const asked = (details: string) =>
    host.sent.flatMap((message) => (message.type === 'details' && message.details === details ? [message.params] : []));
  const answer = async (details: string, result: unknown) => {
    const last = host.sent.filter((message) => message.type === 'details' && message.details === details).at(-1);
    if (last?.type !== 'details') {
      throw new Error(`The page has not asked for ${details}.`);
    }
    await host.say({ type: 'result', id: last.id, result });
    await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
  };
  await until(() => asked('timelineWindow').length > 0);
  return { host, element, answer, asked, surface: () => found(element, '.surface') };
}

const gapFound = (start: number | null) => ({
  place: start === null ? null : aGapPlace(start),
  device: 'TPU:0',
  least_ps: 50 * US,
});

describe('gaps', () => {
  test('are gone to by keys from where one looks, each from the one before', async () => {
    const { answer, asked, surface, element } = await open();
    await press(surface(), 'g');
    expect(asked('timelineGap')).toEqual([{ section: null, at_ps: -1, is_after: true, path: null }]);
    await answer('timelineGap', gapFound(300));
    await answer('timelineEvent', aGapEvent(300));
    expect(found(element, '.announcer').textContent).toBe('idle, 100 µs, starts at 300 µs');
    // The second does not wait for the details of the first.
    await press(surface(), 'g');
    expect(asked('timelineGap').at(-1)).toEqual({ section: 'TPU:0', at_ps: 300 * US, is_after: true, path: null });
    await answer('timelineGap', gapFound(500));
    await answer('timelineEvent', aGapEvent(500));
    await press(surface(), 'b');
    expect(asked('timelineGap').at(-1)).toMatchObject({ at_ps: 500 * US, is_after: false });
  });

  test('are gone to by a button, which is there where the idle time of a device is known', async () => {
    const { element, asked } = await open();
    await click(found(element, '[title="Next Gap (G)"]'));
    expect(asked('timelineGap')).toHaveLength(1);
  });

  test('are not offered without a device', async () => {
    const { surface, asked, element } = await open(aTimeline());
    await press(surface(), 'g');
    expect(asked('timelineGap')).toEqual([]);
    expect(element.innerHTML).not.toContain('Next Gap');
  });

  test('that there are none of is said', async () => {
    const { answer, surface, element } = await open();
    await press(surface(), 'g');
    await answer('timelineGap', gapFound(null));
    expect(found(element, '[role="alert"]').textContent).toContain('TPU:0 is never idle for 50.0 µs or longer.');
  });

  test('tell why they were and what ended them, and lead there', async () => {
    const { answer, surface, element, host, asked } = await open();
    await press(surface(), 'g');
    await answer('timelineGap', gapFound(300));
    await answer('timelineEvent', aGapEvent(300));
    const details = found(element, '.event-details .gap');
    expect([...details.querySelectorAll('tbody tr')].map((row) => row.textContent)).toEqual([
      'input loader.py:3≈ 90.0 µs90.0 %',
      'launching train.py:69.00 µs9.0 %',
      'the runtime1.00 µs1.0 %',
    ]);
    expect(details.textContent).toContain('Exposed by the wait for a result at train.py:7');
    expect(details.textContent).toContain('Estimated within the borders');
    expect([...details.querySelectorAll('.flows li')].map((each) => each.textContent)).toEqual([
      'dot.1Ops',
      'PjitFunction(step)python',
    ]);
    await click(found(details, 'td .link'));
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/loader.py', line: 3 });
    await click(found(details, '.flows .link'));
    expect(asked('timelineEvent').at(-1)).toMatchObject({ track: 'TPU:0/Ops', event: 7 });
  });

  test('select their line in the other panels, and Enter goes to it', async () => {
    const { answer, surface, host } = await open();
    await press(surface(), 'g');
    await answer('timelineGap', gapFound(300));
    await answer('timelineEvent', aGapEvent(300));
    expect(host.sent).toContainEqual({ type: 'select', selection: { kind: 'line', file: '/w/loader.py', line: 3 } });
    await press(surface(), 'Enter');
    await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/loader.py', line: 3 });
  });

  test('with many parts list the longest until one asks for more', async () => {
    const { answer, surface, element } = await open();
    const parts = Array.from({ length: 9 }, (_, at) => ({
      waiting_class: 'python' as const,
      time_ps: (9 - at) * US,
      place: place('train.py', at + 1),
      basis: 'exact' as const,
    }));
    await press(surface(), 'g');
    await answer('timelineGap', gapFound(300));
    await answer('timelineEvent', aGapEvent(300, aGap({ parts, exposed_by: null, launched_by: null })));
    const rows = () => element.querySelectorAll('.gap tbody tr').length;
    expect(rows()).toBe(6);
    await click(found(element, '.gap > .link'));
    expect(rows()).toBe(9);
    expect(found(element, '.gap').textContent).not.toContain('Estimated within');
  });

  test('of a line that was selected elsewhere are led to by the longest', async () => {
    const { answer, asked, host, element } = await open();
    await host.facts({ selection: { kind: 'line', file: '/w/loader.py', line: 3 } });
    await answer('timelineFind', {
      count: 4,
      ordinal: 0,
      tracks: { [FREE]: 4 },
      marks: [],
      searched_ratio: 1,
      failure: null,
      findings: [],
      kind: 'gaps',
      lead: 2,
    });
    expect(asked('timelineFoundEvent').at(-1)).toMatchObject({ ordinal: 2 });
    expect(found(element, '.hits').textContent).toContain('gap 3 of 4');
  });
});

describe('arrows', () => {
  test('lead from a gap and from the launch to what ended it', () => {
    const end = { track: 'TPU:0/Ops', depth: 0, at_ps: 400 * US };
    expect(arrowsOf(aGapEvent(300))).toEqual([
      { from: { track: FREE, depth: 0, at_ps: 400 * US }, to: end },
      { from: { track: 'host/python', depth: 0, at_ps: 390 * US }, to: end },
    ]);
    expect(arrowsOf(aGapEvent(300, aGap({ ended_by: null, launched_by: null })))).toEqual([]);
    expect(arrowsOf(null)).toEqual([]);
  });

  test('lead between an event and those that it led to or came from', () => {
    const flows = [aFlow(true, 500, 'TPU:0/Ops'), aFlow(false, 100, 'host/python')];
    expect(arrowsOf(anEvent({ flows })).map(({ from, to }) => [from.at_ps / US, to.at_ps / US])).toEqual([
      [320, 500],
      [120, 300],
    ]);
  });

  test('end in the middle of their rows, where these are shown', () => {
    const record = recordWithGaps();
    const wished = { order: [], pinned: [], collapsed: [], filter: '', section: null, levels: 3 };
    const layout = layOut(arrange(record.sections, wished), new Map());
    const picture = {
      arrows: [],
      view: { start_ps: 0, end_ps: 1000 * US },
      size: { width_px: 1000, height_px: 400 },
      layout,
      scroll_px: 0,
      colours: { text: '', surface: '' },
    };
    expect(placeOf(picture, { track: FREE, depth: 0, at_ps: 400 * US })).toEqual({ x_px: 400, y_px: 28 + 9 });
    expect(placeOf(picture, { track: 'gone', depth: 0, at_ps: 0 })).toBeNull();
  });
});

describe('the view of a gap', () => {
  const whole = { start_ps: 0, end_ps: 1000 * US };

  test('stays as long as it is where the gap is well seen in it, and has it in the middle', () => {
    const view = centredOn({ start_ps: 0, end_ps: 200 * US }, { start_ps: 500 * US, end_ps: 550 * US }, 1000 * US);
    expect([lengthOf(view), middleOf(view)]).toEqual([200 * US, 525 * US]);
  });

  test('is zoomed to a gap that would be too small, or too large for it', () => {
    const small = centredOn(whole, { start_ps: 500 * US, end_ps: 510 * US }, 1000 * US);
    expect([lengthOf(small), middleOf(small)]).toEqual([25 * US, 505 * US]);
    const large = centredOn({ start_ps: 0, end_ps: 10 * US }, { start_ps: 400 * US, end_ps: 500 * US }, 1000 * US);
    expect([lengthOf(large), middleOf(large)]).toEqual([250 * US, 450 * US]);
  });
});

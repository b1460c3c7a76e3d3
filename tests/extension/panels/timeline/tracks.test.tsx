// @vitest-environment happy-dom
import { isDeepStrictEqual } from 'node:util';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TimelineMatcher } from '../../../../extension/src/protocol';
import { RequestFailure } from '../../../../extension/webview/shared/page/rpc';
import { meanOver } from '../../../../extension/webview/panels/timeline/drawing/busy';
import { gripAt } from '../../../../extension/webview/shared/charts/zoomBar';
import { Minimap } from '../../../../extension/webview/panels/timeline/tracks/minimap';
import type { PictureHost } from '../../../../extension/webview/panels/timeline/drawing/picture';
import { TimelineState } from '../../../../extension/webview/panels/timeline/state/state';
import { stepAt, stepSpan } from '../../../../extension/webview/panels/timeline/state/steps';
import { StepRuler } from '../../../../extension/webview/panels/timeline/tracks/stepRuler';
import { TracksCanvas } from '../../../../extension/webview/panels/timeline/tracks/tracksCanvas';
import { lengthOf, xOf } from '../../../../extension/webview/panels/timeline/state/viewport';
import { FakeHost, found, giveElementsSize, nextFrame, press, rendered } from '../shared/fakePage';
import { aTraining } from './madeTimeline';

const WIDTH_PX = 1000;
const HEIGHT_PX = 500;
const OPS = 'device:/device:TPU:0/XLA Ops';
const made = aTraining({ steps: 4, devices: 2 });
const { record } = made;

const asked: Parameters<PictureHost['window']>[0][] = [];
let refusal: string | null = null;
const host: PictureHost = {
  window: (request) => {
    asked.push(request);
    return refusal === null
      ? Promise.resolve(made.window({ ...request, matches: request.matcher?.text ?? null }))
      : Promise.reject(new RequestFailure(refusal));
  },
  names: (ids) => Promise.resolve(made.namesOf(ids)),
};
const onTrackMenu = vi.fn();
let state: TimelineState;

/** Until everything that is asked for was answered and drawn: frames in a row bring nothing new. */
async function settle(): Promise<void> {
  const seen = (): unknown[] => [
    asked.length,
    state.drawn.value,
    state.failure.value,
    state.picture.value?.height_px.value,
  ];
  for (let quiet = 0; quiet < 3; quiet += 1) {
    const before = seen();
    await nextFrame();
    if (!isDeepStrictEqual(seen(), before)) {
      quiet = -1;
    }
  }
}

async function shown(): Promise<{ element: HTMLElement; state: TimelineState }> {
  const page = new FakeHost().page('timeline');
  state = new TimelineState(page.saved, null);
  state.show(record, { path: 'a run', contents: 'a' });
  const element = await rendered(
    page,
    <>
      <Minimap state={state} />
      <StepRuler state={state} />
      <TracksCanvas state={state} host={host} onTrackMenu={onTrackMenu}>
        <span class="tool" />
      </TracksCanvas>
    </>,
  );
  await settle();
  return { element, state };
}

beforeEach(() => {
  giveElementsSize(WIDTH_PX, HEIGHT_PX);
  asked.length = 0;
  refusal = null;
  onTrackMenu.mockClear();
});
afterEach(() => document.body.replaceChildren());

function rowOf(state: TimelineState, track = OPS, depth = 0) {
  const row = state.picture.value?.rows().find((each) => each.track === track && each.depth === depth);
  if (row === undefined) {
    throw new Error(`${track} is not in sight`);
  }
  return row;
}

describe('the picture', () => {
  test('fetches what is in sight, and says what it drew', async () => {
    const { state } = await shown();
    expect(state.size.value).toEqual({ width_px: WIDTH_PX, height_px: HEIGHT_PX });
    expect(asked[0]).toMatchObject({ kind: 'near', isUrgent: true });
    expect(state.drawn.value).toMatchObject({ partial: false, merged_px: 1 });
    expect(state.drawn.value?.events).toBeGreaterThan(state.drawn.value?.boxes ?? Infinity);
    expect(state.drawn.value?.most_merged).toBeGreaterThan(1);
  });

  test('counts only what a filter leaves', async () => {
    const { state } = await shown();
    const before = state.drawn.value;
    await act(() => void (state.filter.value = 'zzzz'));
    await settle();
    expect(state.drawn.value).toMatchObject({ boxes: 0, events: 0, most_merged: 0 });
    await act(() => void (state.filter.value = ''));
    await settle();
    expect(state.drawn.value).toMatchObject({ boxes: before?.boxes, events: before?.events });
  });

  test('names ops by what they are in jax, and what is no op by its name', async () => {
    const labels = new Set<string>();
    const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    context.fillText = (label) => void labels.add(label);
    const op = { primitive: 'dot_general', path: 'src/model.py', line: 9, phase: 'forward' } as const;
    const names = vi.spyOn(host, 'names').mockImplementation((ids) => {
      const recorded = made.namesOf(ids);
      return Promise.resolve({ ...recorded, ops: recorded.names.map((name) => (name.startsWith('jit_') ? null : op)) });
    });
    await shown();
    await act(() => void (state.view.value = { start_ps: 7e9, end_ps: 7.2e9 }));
    await settle();
    expect([...labels].filter((label) => label.startsWith('dot_general · model.py:9 · forward'))).not.toEqual([]);
    expect([...labels].filter((label) => label.startsWith('jit_'))).not.toEqual([]);
    expect([...labels].filter((label) => /^(fusion|dot)\./.test(label))).toEqual([]);
    names.mockRestore();
  });

  test('finds a box by where it is drawn, with its name', async () => {
    const { state } = await shown();
    await act(() => void (state.view.value = { start_ps: 7e9, end_ps: 9e9 }));
    await settle();
    const { top_px, height_px } = rowOf(state);
    const hits = Array.from({ length: 200 }, (_, at) => state.picture.value?.at(5 * at, top_px + height_px / 2));
    const boxes = hits.flatMap((hit) => hit?.box ?? []);
    expect(boxes.length).toBeGreaterThan(20);
    for (const [at, hit] of hits.entries()) {
      if (hit?.box) {
        expect(xOf(state.view.value, WIDTH_PX, hit.box.start_ps)).toBeLessThanOrEqual(5 * at + 2.001);
        expect(xOf(state.view.value, WIDTH_PX, hit.box.end_ps)).toBeGreaterThanOrEqual(5 * at - 2.001);
      }
    }
    const [box] = boxes;
    state.picture.value?.nameOf(box?.name ?? 0);
    await settle();
    expect(state.picture.value?.nameOf(box?.name ?? 0)?.shown).toBe(made.names[box?.name ?? 0]);
    expect(state.picture.value?.at(10, 3)).toBeNull();
    expect(state.picture.value?.at(-1, top_px)).toBeNull();
  });

  test('snaps to the edges of what is drawn, of one row where one is named', async () => {
    const { state } = await shown();
    await act(() => void (state.view.value = { start_ps: 7e9, end_ps: 9e9 }));
    await settle();
    const row = rowOf(state);
    const box = Array.from({ length: 300 }, (_, x_px) => state.picture.value?.at(x_px, row.top_px + 2)?.box).find(
      (each) => each?.count === 1,
    );
    const edges = state.picture.value?.edgesNear((box?.start_ps ?? 0) + 1, 4, row) ?? [];
    expect(edges[0]).toBe(box?.start_ps);
    expect(state.picture.value?.edgesNear((box?.start_ps ?? 0) + 1, 4)).toContain(box?.start_ps);
  });

  test('grows rows once a track was read, and scrolls as little as it takes to show one', async () => {
    const { state } = await shown();
    const python = 'host:0/python';
    await act(() => state.picture.value?.reveal(python, 4));
    await settle();
    expect(rowOf(state, python, 4).top_px + 20).toBeLessThanOrEqual(HEIGHT_PX);
    expect(state.scroll_px.value).toBeGreaterThan(0);
    expect(state.picture.value?.height_px.value).toBeGreaterThan(HEIGHT_PX);
  });

  test('asks again for what is highlighted, and keeps what it has where that fails', async () => {
    const { state } = await shown();
    const matcher: TimelineMatcher = {
      text: 'dot',
      regex: false,
      arguments: false,
      op_key: null,
      file: null,
      line: null,
    };
    refusal = 'The file is gone.';
    await act(() => void (state.matcher.value = matcher));
    await settle();
    expect(state.failure.value).toBe('The file is gone.');
    const row = rowOf(state);
    const matched = () =>
      Array.from({ length: WIDTH_PX }, (_, x_px) => state.picture.value?.at(x_px, row.top_px + 2)?.box?.matched ?? 0);
    expect(Math.max(...matched())).toBe(0);
    refusal = null;
    await act(() => void (state.view.value = { start_ps: 6e9, end_ps: 20e9 }));
    await settle();
    expect(state.failure.value).toBeNull();
    expect(Math.max(...matched())).toBeGreaterThan(0);
  });

  test.each(['phase', 'name', 'scope', 'step'] as const)('draws with colours by %s', async (colouring) => {
    const { state } = await shown();
    await act(() => void (state.colouring.value = colouring));
    await settle();
    expect(state.drawn.value?.boxes).toBeGreaterThan(0);
    expect(state.failure.value).toBeNull();
  });

  test('is nowhere once it is left', async () => {
    const { element, state } = await shown();
    const { render } = await import('preact');
    await act(() => render(null, element));
    expect(state.picture.value).toBeNull();
  });
});

describe('labels', () => {
  test('name what is shown, collapse it and open its menu', async () => {
    const { element, state } = await shown();
    const names = [...element.querySelectorAll('.label .name')].map(({ textContent }) => textContent);
    expect(names).toContain('XLA Ops');
    expect(names).toContain('/device:TPU:0');
    const chevron = found(element, '.label.section .chevron');
    expect(chevron.getAttribute('aria-expanded')).toBe('true');
    await act(() => chevron.click());
    expect(state.collapsed.value).toEqual(['/device:TPU:0']);
    expect(found(element, '.label.section .chevron').getAttribute('aria-expanded')).toBe('false');
    found(element, '.label.section .more').click();
    expect(onTrackMenu).toHaveBeenCalledWith('/device:TPU:0', expect.any(Number), expect.any(Number));
  });

  test('of pinned tracks come first, with the section they are from', async () => {
    const { element, state } = await shown();
    await act(() => state.togglePinned('host:0/python'));
    expect(found(element, '.pinned').textContent).toContain('python');
    expect(found(element, '.pinned').textContent).toContain('/host:CPU');
  });

  test('have the tools beside them', async () => {
    const { element } = await shown();
    expect(found(element, '.drawn > .over > .tool')).toBeDefined();
    expect(element.querySelectorAll('.ground canvas')).toHaveLength(2);
  });
});

describe('the minimap', () => {
  test('moves and zooms what is in sight by keys', async () => {
    const { element, state } = await shown();
    const minimap = found(element, '.minimap .zoom-bar');
    await press(minimap, '+');
    expect(lengthOf(state.view.value)).toBeCloseTo(record.duration_ps / 2, -3);
    const before = state.view.value;
    await press(minimap, 'ArrowRight');
    expect(state.view.value.start_ps).toBeGreaterThan(before.start_ps);
    await press(minimap, 'Home');
    expect(state.view.value.start_ps).toBe(0);
    expect(minimap.getAttribute('aria-valuetext')).toContain('ms');
  });

  test('takes hold of edges, of the part in sight, or begins another', () => {
    const all = { from: 0, to: 1000 };
    const view = { from: 400, to: 600 };
    expect([398, 500, 604, 100].map((at_ps) => gripAt(view, all, 1000, at_ps))).toEqual([
      'start',
      'part',
      'end',
      'new',
    ]);
    expect(gripAt(all, all, 1000, 500)).toBe('new');
    // A part of no width: its inside can still be dragged.
    expect(gripAt({ from: 500, to: 501 }, all, 1000, 500.5)).toBe('part');
  });

  test('draws means, so that no busy part is lost', () => {
    expect(meanOver([0, 1, 0, 1], 0, 1)).toBe(0.5);
    expect(meanOver([0, 1, 0, 1], 0.25, 0.5)).toBe(1);
    expect(meanOver([0.25], 0.99, 1)).toBe(0.25);
  });
});

describe('steps', () => {
  test('are found by time, and between them there is none', () => {
    const { steps } = record;
    if (steps === null) {
      throw new Error('This training has steps.');
    }
    const { start_ps, end_ps } = stepSpan(steps, 2);
    expect(stepAt(steps, (start_ps + end_ps) / 2)).toBe(2);
    expect(stepAt(steps, start_ps)).toBe(2);
    expect(stepAt(steps, end_ps)).toBeNull();
    expect(stepAt(steps, 0)).toBeNull();
    expect(stepAt(null, 0)).toBeNull();
  });
});

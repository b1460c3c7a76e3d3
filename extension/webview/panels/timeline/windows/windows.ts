// Which windows to hold, and which to ask for next. What is asked for is wider than the view, so that panning finds the
// picture there already; coarse pictures of more stand behind it, so that no move finds nothing.

import type { TimelineMatcher, TimelineRecord } from '../../../../src/protocol';
import type { DecodedWindow } from './packed';
import { contains, inside, lengthOf, timePerPixel, type Span } from '../state/viewport';

/** What is in sight. */
export interface Wanted {
  /** Tracks in sight, and how many rows of each. */
  readonly near: ReadonlyMap<string, number>;
  /** All tracks that one could scroll to, the same way. */
  readonly all: ReadonlyMap<string, number>;
  readonly view: Span;
  readonly duration_ps: number;
  /** Pixels of the screen over the view. */
  readonly width_px: number;
  readonly matcher: TimelineMatcher | null;
  /** Windows that were fetched under another record are only good to look at until there is a new one. */
  readonly record: TimelineRecord | null;
}

/** `near` is as fine as the screen; `wide` and `whole` stand behind it. */
export type LayerKind = 'whole' | 'wide' | 'near';

export interface Layer {
  readonly kind: LayerKind;
  readonly tracks: ReadonlyMap<string, number>;
  readonly span: Span;
  readonly width_px: number;
  readonly matcher: TimelineMatcher | null;
  readonly record: TimelineRecord | null;
  readonly window: DecodedWindow;
}

export type WindowRequest = Omit<Layer, 'window'> & {
  /** What is in sight cannot be drawn as it should be until this is answered. */
  readonly isUrgent: boolean;
};

export type Layers = Readonly<Partial<Record<LayerKind, Layer>>>;

/** How far beyond the view a near window reaches on each side, in lengths of the view. */
const NEAR_MARGIN = 0.5;
/** The same where there was too much to draw all of it as fine as the screen. */
const TIGHT_MARGIN = 0.05;
/** With less than this left on a side, the next near window is fetched before it is needed. */
const LEAST_MARGIN = 0.2;
const WIDE_MARGIN = 2;
/** Wide windows have fewer pixels than the same time would have in the view. */
const WIDE_COARSENING = 2.5;
const WHOLE_PX = 1000;
/** A window may be stretched by this before a finer one is asked for. */
const MOST_STRETCH = 1.01;
/** Shares of the daemon's most boxes above which no margin is asked for, and below which it is again. */
const FEW_BOXES = 6000;

/** What to ask for next, the most urgent first; null where everything is there. */
export function nextRequest(wanted: Wanted, layers: Layers): WindowRequest | null {
  if (lengthOf(wanted.view) <= 0 || wanted.width_px <= 0 || wanted.all.size === 0) {
    return null;
  }
  const { near, wide, whole } = layers;
  if (!isFresh(near, wanted) || !contains(near.span, wanted.view) || isTooCoarse(near, wanted)) {
    return nearRequest(wanted, near, true);
  }
  if (isNearEdge(near, wanted)) {
    return nearRequest(wanted, near, false);
  }
  if (!isFreshFor(whole, wanted, wanted.all)) {
    return wholeRequest(wanted);
  }
  const ratio = lengthOf(wanted.view) / Math.max(1, wanted.duration_ps);
  const isWideUseful = ratio < 0.5;
  if (isWideUseful && (!isFresh(wide, wanted) || !isGoodBackdrop(wide, wanted))) {
    return request('wide', wanted, WIDE_MARGIN, WIDE_COARSENING, false);
  }
  return null;
}

/** Whether all tracks of a layer were ready. */
export function isReady({ window }: Layer): boolean {
  return window.record.tracks.every(({ ready }) => ready);
}

/** The layers to draw for a view, the coarsest first: those that hold what a finer one does not. */
export function layersToDraw(wanted: Pick<Wanted, 'view' | 'near'>, layers: Layers): readonly Layer[] {
  const drawn: Layer[] = [];
  for (const kind of ['near', 'wide', 'whole'] as const) {
    const layer = layers[kind];
    if (layer === undefined) {
      continue;
    }
    drawn.unshift(layer);
    if (contains(layer.span, wanted.view) && hasTracks(layer, wanted.near) && isReady(layer)) {
      break;
    }
  }
  return drawn;
}

function isFresh(layer: Layer | undefined, wanted: Wanted): layer is Layer {
  return isFreshFor(layer, wanted, wanted.near);
}

function isFreshFor(layer: Layer | undefined, wanted: Wanted, tracks: ReadonlyMap<string, number>): layer is Layer {
  return (
    layer !== undefined &&
    layer.record === wanted.record &&
    layer.matcher === wanted.matcher &&
    hasTracks(layer, tracks) &&
    isReady(layer)
  );
}

function hasTracks({ tracks }: Layer, wanted: ReadonlyMap<string, number>): boolean {
  for (const [id, rows] of wanted) {
    if ((tracks.get(id) ?? 0) < rows) {
      return false;
    }
  }
  return true;
}

/** A window that is stretched, or one that was made coarser because of what lies beside the view. */
function isTooCoarse(near: Layer, { view, width_px }: Wanted): boolean {
  const isStretched = timePerPixel(near.span, near.width_px) > MOST_STRETCH * timePerPixel(view, width_px);
  const couldBeFiner =
    near.window.record.merged_px > 1 && lengthOf(near.span) > (1 + 4 * TIGHT_MARGIN) * lengthOf(view);
  return isStretched || couldBeFiner;
}

function isNearEdge(near: Layer, { view, duration_ps }: Wanted): boolean {
  const { merged_px } = near.window.record;
  if (merged_px > 1 || lengthOf(near.span) < (1 + 2 * LEAST_MARGIN) * lengthOf(view)) {
    // It was asked for without margins.
    return false;
  }
  const least_ps = LEAST_MARGIN * lengthOf(view);
  const isShort = (has_ps: number, could_ps: number): boolean => has_ps < Math.min(least_ps, could_ps);
  return (
    isShort(view.start_ps - near.span.start_ps, view.start_ps) ||
    isShort(near.span.end_ps - view.end_ps, duration_ps - view.end_ps)
  );
}

function isGoodBackdrop(wide: Layer, { view, duration_ps }: Wanted): boolean {
  const around = inside(widened(view, 1), duration_ps);
  const isFine = lengthOf(wide.span) <= 4 * (1 + 2 * WIDE_MARGIN) * lengthOf(view);
  return contains(wide.span, { start_ps: Math.max(around.start_ps, 0), end_ps: around.end_ps }) && isFine;
}

function nearRequest(wanted: Wanted, before: Layer | undefined, isUrgent: boolean): WindowRequest {
  const wasFull = before !== undefined && (before.window.record.merged_px > 1 || isTight(before, wanted));
  return request('near', wanted, wasFull ? TIGHT_MARGIN : NEAR_MARGIN, 1, isUrgent);
}

/** A window without margins that still has many boxes: with them there would be too many again. */
function isTight(before: Layer, { view }: Wanted): boolean {
  return before.window.boxes.count > FEW_BOXES && lengthOf(before.span) < (1 + 4 * TIGHT_MARGIN) * lengthOf(view);
}

function wholeRequest({ all, duration_ps, matcher, record }: Wanted): WindowRequest {
  const span = { start_ps: 0, end_ps: Math.max(1, duration_ps) };
  return { kind: 'whole', tracks: all, span, width_px: WHOLE_PX, matcher, record, isUrgent: false };
}

function request(
  kind: LayerKind,
  { near: tracks, view, duration_ps, width_px, matcher, record }: Wanted,
  margin: number,
  coarsening: number,
  isUrgent: boolean,
): WindowRequest {
  const wider = widened(view, margin);
  // The daemon takes whole picoseconds.
  const span = {
    start_ps: Math.max(0, Math.floor(wider.start_ps)),
    end_ps: Math.max(Math.ceil(view.end_ps), Math.min(Math.ceil(wider.end_ps), Math.ceil(duration_ps))),
  };
  const pixels = Math.round((lengthOf(span) / lengthOf(view)) * (width_px / coarsening));
  return { kind, tracks, span, width_px: Math.max(1, pixels), matcher, record, isUrgent };
}

function widened(view: Span, margin: number): Span {
  const margin_ps = margin * lengthOf(view);
  return { start_ps: view.start_ps - margin_ps, end_ps: view.end_ps + margin_ps };
}

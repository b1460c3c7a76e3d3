// What the pointer does on the picture, by the tool that is in hand. The middle button pans with every tool.

import { signal } from '@preact/signals';
import type { PictureRow, TimelineState, Tool } from '../state/state';
import { panned, timeAt, timePerPixel, type Span } from '../state/viewport';
import type { Selecting } from './selecting';
import { mark, snapped, spanOf } from './timings';

/** Where the pointer is, in CSS pixels from the top left of the drawn area. */
export interface Pointed {
  readonly x_px: number;
  readonly y_px: number;
  /** Alt: places are taken as they are, not moved to the edges of events. */
  readonly isFree: boolean;
  /** Shift: the opposite, such as zooming out. */
  readonly isOpposite: boolean;
}

/** What is being dragged, in times, so that it stays where it is when the view moves. */
export type Drag =
  | { readonly kind: 'box'; readonly span: Span; readonly top_px: number; readonly bottom_px: number }
  | { readonly kind: 'zoom' | 'timing'; readonly span: Span };

/** What moves less is a press. */
const PRESS_PX = 3;
const PRESS_ZOOM = 2;
const MIDDLE_BUTTON = 1;

interface Start {
  readonly tool: Tool;
  readonly at: Pointed;
  readonly at_ps: number;
  readonly view: Span;
  readonly scroll_px: number;
}

export class Gestures {
  readonly drag = signal<Drag | null>(null);
  readonly isPanning = signal(false);
  private start: Start | null = null;
  private isDragged = false;

  constructor(
    private readonly state: TimelineState,
    private readonly selecting: Selecting,
  ) {}

  /** The time at a place of the picture. What is dragged beyond an edge is at the edge: nothing is seen past it. */
  timeAt(x_px: number): number {
    const { view, size } = this.state;
    const width_px = Math.max(1, size.value.width_px);
    return this.state.inProfile(timeAt(view.value, width_px, Math.min(width_px, Math.max(0, x_px))));
  }

  down(at: Pointed, button: number): void {
    const { view, scroll_px, tool } = this.state;
    const inHand = button === MIDDLE_BUTTON ? 'pan' : tool.value;
    const at_ps = inHand === 'timing' ? this.snap(at) : this.timeAt(at.x_px);
    this.start = { tool: inHand, at, at_ps, view: view.value, scroll_px: scroll_px.value };
    this.isDragged = false;
  }

  move(at: Pointed): void {
    const { start, state } = this;
    if (start === null) {
      state.hover.value = state.picture.value?.at(at.x_px, at.y_px) ?? null;
      return;
    }
    const dx_px = at.x_px - start.at.x_px;
    const dy_px = at.y_px - start.at.y_px;
    if (!this.isDragged && Math.hypot(dx_px, dy_px) < PRESS_PX) {
      return;
    }
    this.isDragged = true;
    state.hover.value = null;
    switch (start.tool) {
      case 'select':
        this.drag.value = {
          kind: 'box',
          span: spanOf(start.at_ps, this.timeAt(at.x_px)),
          top_px: Math.min(start.at.y_px, at.y_px),
          bottom_px: Math.max(start.at.y_px, at.y_px),
        };
        return;
      case 'pan': {
        this.isPanning.value = true;
        const by_ps = -dx_px * timePerPixel(start.view, Math.max(1, state.size.value.width_px));
        state.view.value = panned(start.view, by_ps, state.duration_ps.value);
        state.scroll_px.value = Math.max(0, start.scroll_px - dy_px);
        return;
      }
      case 'zoom':
        this.drag.value = { kind: 'zoom', span: spanOf(start.at_ps, this.timeAt(at.x_px)) };
        return;
      case 'timing':
        this.drag.value = { kind: 'timing', span: spanOf(start.at_ps, this.snap(at)) };
        return;
    }
  }

  up(at: Pointed): void {
    const { start, isDragged } = this;
    const drag = this.drag.value;
    this.cancel();
    if (start === null) {
      return;
    }
    if (!isDragged) {
      this.press(start, at);
    } else if (drag !== null) {
      this.drop(drag);
    }
  }

  /** Ends what is being dragged without an effect; false where nothing was. */
  cancel(): boolean {
    const wasDragging = this.start !== null;
    this.start = null;
    this.isDragged = false;
    this.drag.value = null;
    this.isPanning.value = false;
    return wasDragging;
  }

  private press({ tool, at_ps }: Start, at: Pointed): void {
    const { state, selecting } = this;
    switch (tool) {
      case 'zoom':
        state.zoom(at.isOpposite ? PRESS_ZOOM : 1 / PRESS_ZOOM, at_ps);
        return;
      case 'select':
      case 'pan':
        void selecting.at(state.picture.value?.at(at.x_px, at.y_px) ?? null);
        return;
      case 'timing': {
        // A press marks the event that it is on.
        const box = state.picture.value?.at(at.x_px, at.y_px)?.box ?? null;
        if (box !== null) {
          mark(state, box);
        }
        return;
      }
    }
  }

  private drop(drag: Drag): void {
    const { state } = this;
    switch (drag.kind) {
      case 'box':
        this.selecting.span({ ...drag.span, tracks: tracksBetween(this.rows(), drag.top_px, drag.bottom_px) });
        return;
      case 'zoom':
        state.frame(drag.span);
        return;
      case 'timing':
        mark(state, drag.span);
        return;
    }
  }

  /** The time that is meant by a place: the edge of an event near it, unless that is switched off. */
  snap(at: Pointed): number {
    const at_ps = this.timeAt(at.x_px);
    return at.isFree
      ? at_ps
      : this.state.inProfile(snapped(this.state.picture.value, at_ps, rowAt(this.rows(), at.y_px)));
  }

  private rows(): readonly PictureRow[] {
    return this.state.picture.value?.rows() ?? [];
  }
}

export function rowAt(rows: readonly PictureRow[], y_px: number): PictureRow | null {
  return rows.find(({ top_px, height_px }) => y_px >= top_px && y_px < top_px + height_px) ?? null;
}

/** The tracks with a row between two heights. */
export function tracksBetween(rows: readonly PictureRow[], top_px: number, bottom_px: number): readonly string[] {
  const touched = rows.filter((row) => row.top_px <= bottom_px && row.top_px + row.height_px >= top_px);
  return [...new Set(touched.map(({ track }) => track))];
}

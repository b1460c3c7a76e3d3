// Moving and zooming for as long as keys are held, faster the longer they are.

import type { TimelineState } from '../state/state';
import { lengthOf, middleOf, panned, spanFrom, zoomed, type Span } from '../state/viewport';

export const MOTIONS = ['left', 'right', 'in', 'out'] as const;
export type MotionWay = (typeof MOTIONS)[number];

/** A tap moves for this long, so that it is seen. */
const TAP_MS = 120;
/** The speed grows from the first to the last over this time. */
const ACCELERATION_MS = 1200;
/** In widths of the view for each second. */
const PAN_SPEEDS = [0.8, 4] as const;
/** In doublings for each second. */
const ZOOM_SPEEDS = [1.5, 6] as const;
/** After a pause of the page, which the person did not see, the view goes on from where it was. */
const LONGEST_FRAME_MS = 50;

export interface Held {
  readonly way: MotionWay;
  readonly for_ms: number;
}

/** The view after some time with keys held; `at_ps` stays where it is when the view is zoomed. */
export function movedOn(view: Span, held: readonly Held[], frame_ms: number, at_ps: number, duration_ps: number): Span {
  return held.reduce((moved, { way, for_ms }) => {
    const grown = Math.min(1, for_ms / ACCELERATION_MS);
    const speed = ([slow, fast]: readonly [number, number]): number =>
      ((slow + (fast - slow) * grown * grown) * frame_ms) / 1000;
    switch (way) {
      case 'left':
        return panned(moved, -lengthOf(moved) * speed(PAN_SPEEDS), duration_ps);
      case 'right':
        return panned(moved, lengthOf(moved) * speed(PAN_SPEEDS), duration_ps);
      case 'in':
        return zoomed(moved, 2 ** -speed(ZOOM_SPEEDS), at_ps, duration_ps);
      case 'out':
        return zoomed(moved, 2 ** speed(ZOOM_SPEEDS), at_ps, duration_ps);
    }
  }, view);
}

/** The keys that are held now, and the frames that they move the view by. */
export class Motion {
  private readonly since_ms = new Map<MotionWay, number>();
  private readonly released = new Set<MotionWay>();
  private last_ms = 0;
  /** The view as the last frame left it. */
  private moved: Span | null = null;
  private frame: number | null = null;

  constructor(private readonly state: TimelineState) {}

  start(way: MotionWay): void {
    this.released.delete(way);
    if (this.since_ms.has(way)) {
      return;
    }
    const now_ms = performance.now();
    this.since_ms.set(way, now_ms);
    if (this.frame === null) {
      this.last_ms = now_ms;
      this.moved = this.state.view.value;
      this.frame = requestAnimationFrame(this.step);
    }
  }

  stop(way: MotionWay): void {
    if (this.since_ms.has(way)) {
      this.released.add(way);
    }
  }

  stopAll(): void {
    this.since_ms.clear();
    this.released.clear();
    if (this.frame !== null) {
      cancelAnimationFrame(this.frame);
      this.frame = null;
    }
  }

  private readonly step = (): void => {
    const now_ms = performance.now();
    const frame_ms = Math.min(LONGEST_FRAME_MS, now_ms - this.last_ms);
    this.last_ms = now_ms;
    const { view, duration_ps } = this.state;
    if (view.value !== this.moved) {
      this.endTaps();
    }
    const held = [...this.since_ms].map(([way, since_ms]) => ({ way, for_ms: now_ms - since_ms }));
    view.value = movedOn(view.value, held, frame_ms, centre_ps(this.state), duration_ps.value);
    this.moved = view.value;
    for (const { way, for_ms } of held) {
      if (this.released.has(way) && for_ms >= TAP_MS) {
        this.since_ms.delete(way);
        this.released.delete(way);
      }
    }
    this.frame = this.since_ms.size === 0 ? null : requestAnimationFrame(this.step);
  };

  /** Something else has set the view since: what is left of a tap would move it away from there. */
  private endTaps(): void {
    for (const way of this.released) {
      this.since_ms.delete(way);
    }
    this.released.clear();
  }
}

/** What stays in its place when the keyboard zooms: where the mouse is, else the selection, else the middle. */
export function centre_ps({ hover, selectedEvent, view }: TimelineState): number {
  const { start_ps, end_ps } = view.value;
  const event = selectedEvent.value;
  const wished = hover.value?.at_ps ?? (event === null ? null : middleOf(spanFrom(event)));
  return wished !== null && wished >= start_ps && wished <= end_ps ? wished : middleOf(view.value);
}
